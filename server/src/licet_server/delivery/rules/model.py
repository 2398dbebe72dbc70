"""E-mails about licenses, and when one may be sent."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from licet_server.delivery.rules.kinds import MailKind
from licet_server.licenses.rules.model import License

SENDS_PER_HOUR = 5
"""How often the e-mails of a license may be asked for in an hour."""

MAILS_PER_DAY = 100
"""How many e-mails an institution may write to an address within a day."""

TOO_MANY = "Too many e-mails were written to this address within a day."
"""The error of those beyond that, which are recorded and not queued."""

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


class LicenseMailStatus(StrEnum):
    """The status of an e-mail: `Failed` ones may still be retried for three days."""

    QUEUED = "Queued"
    SENT = "Sent"
    FAILED = "Failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseMail:
    """An e-mail about a license. `error` says what went wrong at the last attempt."""

    institution_id: UUID
    id: UUID
    license_id: UUID
    kind: MailKind
    recipient: str
    locale: str
    status: LicenseMailStatus
    error: str | None
    created_at: datetime
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class LicenseMailFilter:
    """The filters of the list; `None` does not filter."""

    license_id: UUID | None = None
    kind: MailKind | None = None
    status: LicenseMailStatus | None = None


def settled(
    mail: LicenseMail, status: LicenseMailStatus, error: str | None, now: datetime
) -> LicenseMail:
    """Return an e-mail after an attempt; one that was sent stays so.

    One that was refused stays failed until it is sent: an attempt that did not reach the mail
    server changes nothing.
    """
    if mail.status is LicenseMailStatus.SENT:
        return mail
    if status is LicenseMailStatus.SENT:
        return replace(mail, status=status, error=None, sent_at=now)
    if mail.status is LicenseMailStatus.FAILED:
        return mail
    return replace(mail, status=status, error=error)


def mismatch_of(kind: MailKind, license_: License) -> str | None:
    """Return why an e-mail of this kind would not be true of a license; `None` if it is."""
    if kind is MailKind.REVOKED:
        return None if license_.revoked_at is not None else "The license is not revoked."
    if license_.revoked_at is not None:
        return "The license is revoked, so only an e-mail about the revocation can be sent."
    if kind is MailKind.EXPIRING and license_.expiration_date is None:
        return "The license has no expiration date."
    return None
