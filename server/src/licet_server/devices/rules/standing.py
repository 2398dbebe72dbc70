"""The state of a device under a license: admitted, pending approval, or rejected."""

from enum import Enum, auto

from licet_server.devices.rules.model import Activation, DeviceFacts
from licet_server.licenses.rules.model import License, LicenseTerms
from licet_server.licenses.rules.traits import DeviceBindingMode


class DeviceState(Enum):
    """The state of a device under a license.

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


def device_state_of(license_: License | LicenseTerms, facts: DeviceFacts) -> DeviceState:
    """Determine the state of a device; a block takes precedence over everything else."""
    own = facts.own
    if own is not None and own.blocked_at is not None:
        return DeviceState.BLOCKED
    if not license_.traits.is_node_locked:
        return _state_with_seat(own)
    if own is not None and own.bound:
        return DeviceState.SEATED
    if facts.bound_other is not None:
        return DeviceState.ELSEWHERE
    if license_.device_binding_mode is not DeviceBindingMode.OWNER_APPROVAL:
        return DeviceState.UNBOUND
    # A seat from before a conversion to node-locked does not count as a pending device.
    return DeviceState.UNKNOWN if own is None or own.holds_seat else DeviceState.PENDING


def _state_with_seat(own: Activation | None) -> DeviceState:
    if own is None or not own.holds_seat:
        return DeviceState.FREE
    return DeviceState.SEATED if own.is_seated else DeviceState.RELEASED


def may_connect(license_: License | LicenseTerms, state: DeviceState) -> bool:
    """Check whether a device may hold a session; a Concurrent license requires a seat."""
    if license_.traits.activation_required:
        return state is DeviceState.SEATED
    return state in {DeviceState.FREE, DeviceState.SEATED}
