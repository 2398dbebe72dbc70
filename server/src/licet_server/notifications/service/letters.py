"""Mails about what happened: one for all that came together."""

from collections.abc import Sequence

from licet_server.kit.mail import Letter
from licet_server.notifications.rules.kinds import Kind
from licet_server.notifications.rules.model import Notice

LISTED = 20
"""So many are told of one by one; of more, only how many there are."""

_SUBJECTS = {
    Kind.LICENSE_EXPIRING: "{} licenses expire soon",
    Kind.LICENSE_EXPIRED: "{} licenses have expired",
    Kind.DEVICE_ACTIVATED: "{} new devices",
    Kind.ACCESS_ATTEMPT: "{} tries of foreign machines",
    Kind.LOW_BALANCE: "{} balances are low",
    Kind.WEBHOOK_DISABLED: "{} webhooks were disabled",
    Kind.INVITATION: "{} invitations",
}


def letter_about(email: str, kind: Kind, notices: Sequence[Notice], address: str) -> Letter:
    """A mail about these notices of one kind, with a link to `address`."""
    subject = notices[0].title if len(notices) == 1 else _SUBJECTS[kind].format(len(notices))
    told = [notice.body for notice in notices[:LISTED]]
    if len(notices) > LISTED:
        told.append(f"And {len(notices) - LISTED} more.")
    return Letter(
        email,
        subject,
        (
            *told,
            "You can look at it, and choose what is mailed to you, here:",
            f"{address}/notifications",
        ),
    )
