"""The kinds of notifications: the one list of them, what makes each, and how it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from licet_server.events.rules.kinds import EventKind


class Kind(StrEnum):
    """What somebody can choose to be told of."""

    LICENSE_EXPIRING = "LicenseExpiring"
    LICENSE_EXPIRED = "LicenseExpired"
    DEVICE_ACTIVATED = "DeviceActivated"
    ACCESS_ATTEMPT = "AccessAttempt"
    LOW_BALANCE = "LowBalance"
    WEBHOOK_DISABLED = "WebhookDisabled"
    INVITATION = "Invitation"


KIND_OF: Mapping[str, Kind] = {
    EventKind.LICENSE_EXPIRING: Kind.LICENSE_EXPIRING,
    EventKind.LICENSE_EXPIRED: Kind.LICENSE_EXPIRED,
    EventKind.ACTIVATION_CREATED: Kind.DEVICE_ACTIVATED,
    EventKind.ACTIVATION_PENDING: Kind.DEVICE_ACTIVATED,
    EventKind.ACCESS_ATTEMPT_DETECTED: Kind.ACCESS_ATTEMPT,
    EventKind.METER_LOW_BALANCE: Kind.LOW_BALANCE,
    EventKind.METER_DEPLETED: Kind.LOW_BALANCE,
    EventKind.WEBHOOK_DISABLED: Kind.WEBHOOK_DISABLED,
    EventKind.MEMBER_INVITED: Kind.INVITATION,
    EventKind.MEMBER_JOINED: Kind.INVITATION,
}
"""The events that somebody is told of."""

_MAILED = frozenset(
    {Kind.LICENSE_EXPIRING, Kind.ACCESS_ATTEMPT, Kind.LOW_BALANCE, Kind.WEBHOOK_DISABLED}
)


@dataclass(frozen=True, slots=True)
class Channels:
    """How notifications of a kind reach somebody."""

    in_app: bool
    email: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody chose for a kind; `None` where he did not."""

    in_app: bool | None = None
    email: bool | None = None


def channels_of(kind: Kind, choice: Choice | None = None) -> Channels:
    """What holds for somebody who chose this: the default where he chose nothing."""
    chosen = choice or Choice()
    return Channels(
        in_app=True if chosen.in_app is None else chosen.in_app,
        email=kind in _MAILED if chosen.email is None else chosen.email,
    )
