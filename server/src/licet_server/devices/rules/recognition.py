"""Whose row a device has: its own by the hardware ID, or that of a machine that has changed."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from licet_server.devices.rules.components import (
    KnownComponents,
    count_equal,
    drifted,
    resembles,
)
from licet_server.devices.rules.hardware import is_of_many
from licet_server.devices.rules.model import Activation, Device, DeviceFacts
from licet_server.devices.rules.proofs import ProofFault, ShownProof, fault_of_key
from licet_server.licenses.rules.model import AtLeast, DeviceProof, License, OnClone

_JKT_SHOWN = 12


class KnownMachine(Struct, frozen=True):
    """A device of a license, and its components."""

    activation: Activation
    components: KnownComponents


def takes_own_seat(license_: License, own: Activation | None, shown: ShownProof) -> bool:
    """Return whether a device with the hardware ID of another one is a device of its own."""
    if own is None or license_.on_clone is not OnClone.OWN_SEAT:
        return False
    return fault_of_key(license_.device_proof, own.jkt, shown) is ProofFault.OTHER_KEY


def may_have_own_seat(
    license_: License, hardware_id: str, facts: DeviceFacts, shown: ShownProof
) -> bool:
    """Return whether to look for a device among those with a seat of their own.

    It may be one although no other device has its hardware ID any more, or that one has no key; and
    one of them may be what a license that was converted is bound to.
    """
    bound = facts.bound_other
    is_bound = bound is not None and bound.hardware_id != plain_id(bound) == hardware_id
    proof = shown.proof if is_bound or license_.on_clone is OnClone.OWN_SEAT else None
    return proof is not None and (facts.own is None or facts.own.jkt != proof.jkt)


def own_seat_id(hardware_id: str, shown: ShownProof) -> str:
    """Return the hardware ID under which a clone is stored: it shares the other one."""
    proof = shown.proof
    if proof is None:
        raise ValueError("a clone has proven its key")
    return f"{hardware_id}~{proof.jkt[:_JKT_SHOWN]}"


def plain_id(item: Activation) -> str:
    """Return the hardware ID that a device sends, also a clone."""
    return (
        item.hardware_id
        if item.jkt is None
        else item.hardware_id.removesuffix(f"~{item.jkt[:_JKT_SHOWN]}")
    )


def as_clone(device: Device) -> Device:
    """Return a device that shares its hardware ID, as it is stored."""
    return replace(device, hardware_id=own_seat_id(device.hardware_id, device.shown))


class SameMachine(Struct, frozen=True):
    """A device that a machine is, and its components as they are now.

    It `is_rekeyed` if it takes the key that the machine proves, in place of its own.
    """

    known: KnownMachine
    components: KnownComponents
    is_rekeyed: bool


class BlockedMachine(Struct, frozen=True):
    """A blocked device that a machine is, which stays as it was."""

    known: KnownMachine


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
) -> SameMachine | BlockedMachine | KnownMachine | None:
    """Return the device that a machine is.

    That with its key comes first, then that with the most components, then a blocked one, then the
    oldest. A blocked device is found however often it changes, by its key alone or without it. A
    `KnownMachine` is one whose key the machine proves, without being it: one of them is a clone.
    """
    match = license_.machine_match
    if not isinstance(match, AtLeast):
        return None
    proof = device.shown.proof
    jkt = None if proof is None else proof.jkt
    keyed = [item for item in candidates if jkt is not None and item.activation.jkt == jkt]
    found: list[SameMachine | BlockedMachine] = [
        SameMachine(item, after, _is_rekeyed(license_, item.activation, jkt))
        for item in keyed or candidates
        if item.activation.blocked_at is None
        and _may_use_key(license_, item.activation, jkt)
        and (after := drifted(match, item.components, device.components, device.hardware_id, now))
    ]
    found += [
        BlockedMachine(item)
        for item in candidates
        if item.activation.blocked_at is not None
        and (item in keyed or resembles(match, item.components, device.components))
    ]
    if not found:
        return keyed[0] if keyed else None
    return min(
        found,
        key=lambda item: (
            item.known not in keyed,
            -count_equal(item.known.components, device.components),
            isinstance(item, SameMachine),
            item.known.activation.created_at,
            item.known.activation.id,
        ),
    )


def _may_use_key(license_: License, item: Activation, jkt: str | None) -> bool:
    """Return whether a device with this key, or none, may be this one; no key is lost silently."""
    return jkt is not None or item.jkt is None or license_.device_proof is DeviceProof.OFF


def _is_rekeyed(license_: License, item: Activation, jkt: str | None) -> bool:
    return license_.device_proof is not DeviceProof.OFF and item.jkt not in {None, jkt}
