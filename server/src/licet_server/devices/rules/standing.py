"""The standing of a device with a license: admitted, pending approval, or rejected."""

from enum import Enum, auto

from licet_server.devices.rules.model import Activation, DeviceFacts
from licet_server.licenses.rules.model import License, LicenseTerms
from licet_server.licenses.rules.traits import DeviceBindingMode


class DeviceStanding(Enum):
    """The standing of a device with a license.

    `FREE`: the license does not require an activated device. `SEATED`: the device holds a seat or
    is the bound machine. `RELEASED`: it was released, and its seat is taken until its license file
    ends. `ELSEWHERE`: the license is bound to another machine. `UNBOUND`: the
    license is bound to the first device that uses it. `UNKNOWN`: the device needs the vendor's
    approval. `PENDING`: it has been submitted for approval.
    """

    FREE = auto()
    SEATED = auto()
    RELEASED = auto()
    BLOCKED = auto()
    ELSEWHERE = auto()
    UNBOUND = auto()
    UNKNOWN = auto()
    PENDING = auto()


def standing_of(license_: License | LicenseTerms, facts: DeviceFacts) -> DeviceStanding:
    """Determine the standing of a device; a block takes precedence over everything else."""
    own = facts.own
    if own is not None and own.blocked_at is not None:
        return DeviceStanding.BLOCKED
    if not license_.traits.is_node_locked:
        return _standing_with_seat(own)
    if own is not None and own.bound:
        return DeviceStanding.SEATED
    if facts.bound_other is not None:
        return DeviceStanding.ELSEWHERE
    if license_.device_binding_mode is not DeviceBindingMode.OWNER_APPROVAL:
        return DeviceStanding.UNBOUND
    # A seat from before a conversion to node-locked does not count as a pending device.
    return DeviceStanding.UNKNOWN if own is None or own.holds_seat else DeviceStanding.PENDING


def _standing_with_seat(own: Activation | None) -> DeviceStanding:
    if own is None or not own.holds_seat:
        return DeviceStanding.FREE
    return DeviceStanding.SEATED if own.is_seated else DeviceStanding.RELEASED


def may_connect(license_: License | LicenseTerms, standing: DeviceStanding) -> bool:
    """Check whether a device may hold a session; a Concurrent license requires a seat."""
    if license_.traits.activation_required:
        return standing is DeviceStanding.SEATED
    return standing in {DeviceStanding.FREE, DeviceStanding.SEATED}
