"""Where a machine stands with a license: may it go on, must it wait, is it somebody else's?"""

from enum import Enum, auto

from licet_server.devices.rules.model import DeviceFacts
from licet_server.licenses.rules.model import License, LicenseTerms
from licet_server.licenses.rules.traits import DeviceBindingMode


class DeviceStanding(Enum):
    """What the rules make of the facts.

    `FREE` needs no device; `SEATED` holds a seat or is the bound machine; `UNBOUND` would be bound
    by coming first; `UNKNOWN` would have to wait for the owner, and `PENDING` waits for him.
    """

    FREE = auto()
    SEATED = auto()
    BLOCKED = auto()
    ELSEWHERE = auto()
    UNBOUND = auto()
    UNKNOWN = auto()
    PENDING = auto()


def standing_of(license_: License | LicenseTerms, facts: DeviceFacts) -> DeviceStanding:
    """A block comes before everything else."""
    own = facts.own
    if own is not None and own.blocked_at is not None:
        return DeviceStanding.BLOCKED
    if not license_.traits.is_node_locked:
        return DeviceStanding.SEATED if own is not None and own.holds_seat else DeviceStanding.FREE
    if own is not None and own.bound:
        return DeviceStanding.SEATED
    if facts.bound_other is not None:
        return DeviceStanding.ELSEWHERE
    if license_.device_binding_mode is not DeviceBindingMode.OWNER_APPROVAL:
        return DeviceStanding.UNBOUND
    # A seat from before the license was node-locked is no machine that waits.
    return DeviceStanding.UNKNOWN if own is None or own.holds_seat else DeviceStanding.PENDING


def may_connect(license_: License | LicenseTerms, standing: DeviceStanding) -> bool:
    """Whether a session may live: of a Concurrent license, only on a device with a seat."""
    if license_.traits.activation_required:
        return standing is DeviceStanding.SEATED
    return standing in {DeviceStanding.FREE, DeviceStanding.SEATED}
