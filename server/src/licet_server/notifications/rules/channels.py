"""Channels of notifications, by kind and user."""

from dataclasses import dataclass

from licet_server.events.rules.kinds import NotificationKind

_EMAILED = frozenset(
    {
        NotificationKind.LICENSE_EXPIRING,
        NotificationKind.ACCESS_ATTEMPT,
        NotificationKind.LOW_BALANCE,
        NotificationKind.WEBHOOK_DISABLED,
        NotificationKind.MAIL_FAILED,
    }
)
"""Kinds that are sent by e-mail unless the user turns that off."""


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of a kind that are turned on for a user."""

    in_app: bool
    email: bool


@dataclass(frozen=True, slots=True)
class NotificationChoice:
    """The choice of a user for a kind; `None` for a channel left at the default."""

    in_app: bool | None = None
    email: bool | None = None


def channels_of(kind: NotificationKind, choice: NotificationChoice | None = None) -> Channels:
    """Return the channels of a kind: those chosen, or the defaults."""
    chosen = choice or NotificationChoice()
    return Channels(
        in_app=True if chosen.in_app is None else chosen.in_app,
        email=kind in _EMAILED if chosen.email is None else chosen.email,
    )
