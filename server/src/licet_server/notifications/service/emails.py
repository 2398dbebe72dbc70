"""E-mails about events: one for all notices of a kind that come together."""

from collections.abc import Mapping, Sequence

from licet_server.events.rules.kinds import NotificationKind
from licet_server.kit.mail import Email
from licet_server.notifications.rules.model import Notice

MAX_LISTED = 20
"""The number of notices listed in full; the others are counted."""

SUBJECTS: Mapping[NotificationKind, str] = {
    NotificationKind.LICENSE_EXPIRING: "{} licenses expire soon",
    NotificationKind.LICENSE_EXPIRED: "{} licenses have expired",
    NotificationKind.DEVICE_ACTIVATED: "{} new devices",
    NotificationKind.ACCESS_ATTEMPT: "{} access attempts from other devices",
    NotificationKind.LOW_BALANCE: "{} balances are low",
    NotificationKind.WEBHOOK_DISABLED: "{} webhooks were disabled",
    NotificationKind.MAIL_FAILED: "{} e-mails to customers have failed",
    NotificationKind.INVITATION: "{} invitations",
}


def email_about(
    recipient: str, kind: NotificationKind, notices: Sequence[Notice], address: str
) -> Email:
    """Return an e-mail about notices of one kind, with a link to the dashboard at `address`."""
    subject = notices[0].title if len(notices) == 1 else SUBJECTS[kind].format(len(notices))
    listed = [notice.body for notice in notices[:MAX_LISTED]]
    if len(notices) > MAX_LISTED:
        listed.append(f"And {len(notices) - MAX_LISTED} more.")
    return Email(
        recipient,
        subject,
        (
            *listed,
            "See the details, and choose which notifications you receive by e-mail:",
            f"{address}/notifications",
        ),
    )
