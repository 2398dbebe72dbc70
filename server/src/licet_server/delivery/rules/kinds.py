"""The kinds of e-mails about licenses, and the events that they follow from."""

from collections.abc import Mapping
from enum import StrEnum

from licet_server.events.rules.kinds import EventKind


class MailKind(StrEnum):
    """The kind of an e-mail to the receiver of a license."""

    ISSUED = "Issued"
    RENEWED = "Renewed"
    EXPIRING = "Expiring"
    REVOKED = "Revoked"


OCCASIONS: Mapping[EventKind, MailKind] = {
    EventKind.LICENSE_CREATED: MailKind.ISSUED,
    EventKind.LICENSE_RENEWED: MailKind.RENEWED,
    EventKind.LICENSE_EXPIRING: MailKind.EXPIRING,
    EventKind.LICENSE_REVOKED: MailKind.REVOKED,
}
"""The events that can cause an e-mail."""


def kind_named(text: str) -> MailKind | None:
    """Return the kind of this name, in any letter case."""
    return next((kind for kind in MailKind if kind.lower() == text.lower()), None)
