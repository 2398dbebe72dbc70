"""Whose row a device has: its own by the hardware ID, or that of a machine that has changed."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from licet_server.devices.rules.components import KnownComponents, count_equal, drifted
from licet_server.devices.rules.hardware import is_of_many
from licet_server.devices.rules.model import Activation, Device, DeviceFacts
from licet_server.devices.rules.proofs import ProofFault, fault_of_key
from licet_server.licenses.rules.model import AtLeast, DeviceProof, License


class KnownMachine(Struct, frozen=True):
    """A device of a license, and its components."""

    activation: Activation
    components: KnownComponents


class SameMachine(Struct, frozen=True):
    """A device that a machine is, and its components as they are now.

    It `is_rekeyed` if it takes the key that the machine proves, in place of its own.
    """

    known: KnownMachine
    components: KnownComponents
    is_rekeyed: bool


def as_matched(license_: License, device: Device) -> Device:
    """Return the device as its license looks at it: without components that do not count.

    What many machines are together has none: each of them has other ones.
    """
    match = license_.machine_match
    counts = isinstance(match, AtLeast) and len(device.components) >= match.of
    if not device.components or (counts and not is_of_many(device.hardware_id)):
        return device
    return replace(device, components={})


def is_sought(license_: License, device: Device, facts: DeviceFacts) -> bool:
    """Return whether to look for the device among others: its ID is new, or has another key."""
    if not as_matched(license_, device).components:
        return False
    known = None if facts.own is None else facts.own.jkt
    fault = fault_of_key(license_.device_proof, known, device.shown)
    return fault is (None if facts.own is None else ProofFault.OTHER_KEY)


def recognized(
    license_: License, device: Device, candidates: Sequence[KnownMachine], now: datetime
) -> SameMachine | KnownMachine | None:
    """Return the device that a machine is.

    That with its key comes first, then that with the most components, then the oldest. A
    `KnownMachine` is one whose key the machine proves, without being it: one of them is a clone.
    """
    match = license_.machine_match
    if not isinstance(match, AtLeast):
        return None
    proof = device.shown.proof
    jkt = None if proof is None else proof.jkt
    keyed = [item for item in candidates if jkt is not None and item.activation.jkt == jkt]
    found = [
        SameMachine(item, after, _is_rekeyed(license_, item.activation, jkt))
        for item in keyed or candidates
        if _may_use_key(license_, item.activation, jkt)
        and (after := drifted(match, item.components, device.components, device.hardware_id, now))
    ]
    if not found:
        return keyed[0] if keyed else None
    return min(
        found,
        key=lambda item: (
            -count_equal(item.known.components, device.components),
            item.known.activation.created_at,
            item.known.activation.id,
        ),
    )


def _may_use_key(license_: License, item: Activation, jkt: str | None) -> bool:
    """Return whether a device with this key, or none, may be this one; no key is lost silently."""
    return jkt is not None or item.jkt is None or license_.device_proof is DeviceProof.OFF


def _is_rekeyed(license_: License, item: Activation, jkt: str | None) -> bool:
    return license_.device_proof is not DeviceProof.OFF and item.jkt not in {None, jkt}
