"""What happens to a device that asks and answers by file or code, since it has no connection."""

from datetime import datetime

from msgspec.structs import replace

from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices import errors
from licet_server.devices.rules.admission import (
    DeviceState,
    device_state_of,
    is_once_per_device,
    trial_key,
)
from licet_server.devices.rules.hardware import is_of_many
from licet_server.devices.rules.model import Activation, Device
from licet_server.devices.rules.proofs import is_clone
from licet_server.devices.rules.recognition import (
    as_clone,
    may_have_own_seat,
    takes_own_seat,
)
from licet_server.devices.service.admission import begin_trial, find_first_trials
from licet_server.devices.service.recognition import record_clone
from licet_server.devices.service.seats import DeviceHooks, delete_device, lock_pool, remove_device
from licet_server.devices.storage.activations import ACTIVATIONS, fetch_facts_of
from licet_server.devices.storage.recognition import fetch_by_key
from licet_server.kit.errors import Refused
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License

RELEASED_OFFLINE = "OfflineRelease"
"""The reason in the event of a device that was released so."""

_REFUSALS = {
    DeviceState.BLOCKED: errors.blocked,
    DeviceState.OVER_LIMIT: errors.over_limit,
    DeviceState.ELSEWHERE: errors.bound_elsewhere,
}


async def find_device(work: UnitOfWork, license_: License, device: Device) -> Activation | None:
    """Return the row of a device that proves its key: that of its hardware ID, or one of its own.

    A device that had a seat of its own has it, whatever the license says of clones now. One that
    was recognized by its components since may have another hardware ID.
    """
    found = await _find(work, license_, device)
    proof = device.shown.proof
    if proof is None or (found is not None and found.jkt == proof.jkt):
        return found
    clone = await _find(work, license_, as_clone(device))
    if clone is not None or found is not None:
        return clone or found
    return await fetch_by_key(work.db, (license_.institution_id, license_.id), proof.jkt)


async def as_stored(work: UnitOfWork, license_: License, device: Device) -> Device:
    """Return a device with the hardware ID of its row, or of the row that it gets.

    A clone with a seat of its own has another one than it sends; a new one is recorded.
    """
    facts = await fetch_facts_of(work.db, license_, device.hardware_id)
    own = facts.own
    if not may_have_own_seat(license_, device.hardware_id, facts, device.shown):
        return device
    clone = as_clone(device)
    if await _find(work, license_, clone) is not None:
        return clone
    if own is None or not takes_own_seat(license_, own, device.shown):
        return device
    await record_clone(work, own)
    return clone


async def _find(work: UnitOfWork, license_: License, device: Device) -> Activation | None:
    return (await fetch_facts_of(work.db, license_, device.hardware_id)).own


async def refusal_of_key(work: UnitOfWork, license_: License, device: Device) -> Refused | None:
    """Return why a device may not be the one with its hardware ID; that it was seen is recorded.

    The license is locked. A device whose row has another key is another device, whatever the
    license asks for: its files are bound to its key.
    """
    own = await _find(work, license_, device)
    if own is None or not is_clone(own.jkt, device.shown):
        return None
    await record_clone(work, own)
    return errors.other_key()


async def require_there(work: UnitOfWork, license_: License, device: Device) -> None:
    """Check that a device still has its place under the license, which is locked.

    Raises:
        Refused: `ActivationNotFound`, `DeviceBlocked`, `MaxActivationsReached`,
            `HardwareMismatch`.
    """
    await lock_pool(work, (license_.institution_id, license_.id))
    facts = await fetch_facts_of(work.db, license_, device.hardware_id)
    state = device_state_of(license_, facts)
    if state is not DeviceState.SEATED:
        refuse = _REFUSALS.get(state, errors.not_activated)
        raise refuse()


async def require_first_trial(
    work: UnitOfWork, settings: ProductSettings, license_: License, hardware_id: str
) -> None:
    """Check that the device had no other Trial, where the product allows it one.

    Raises:
        Refused: `TrialAlreadyUsed`, `RateLimited`.
    """
    if not is_once_per_device(settings, license_):
        return
    key = trial_key(license_, hardware_id)
    first = (await find_first_trials(work.db, [key])).get(key)
    if first is None:
        first = await begin_trial(work, license_, hardware_id)
    if first != license_.id:
        raise errors.trial_already_used()


async def hold_until(work: UnitOfWork, device: Activation, until: datetime) -> None:
    """Store until when what the device was given works; an earlier file may work longer."""
    if device.file_ends_at is None or device.file_ends_at < until:
        await ACTIVATIONS.save(work.db, replace(device, file_ends_at=until))


def _is_same(found: Activation, device: Device) -> bool:
    """Check that a row is of the device that proves its key; many machines have a row without."""
    proof = device.shown.proof
    if found.jkt is None:
        return is_of_many(found.hardware_id)
    return proof is not None and proof.jkt == found.jkt


async def release_proven(
    work: UnitOfWork,
    hooks: DeviceHooks,
    license_: License,
    device: Device,
    others_until: datetime | None,
) -> None:
    """Remove a device that proves that it uses its answer no more: its seat is free at once.

    A file that it did not give back keeps the seat until its end, `others_until`. A device that is
    gone, or has been activated with another key since then, is left alone. The license is locked.

    Raises:
        Refused: `DeviceBlocked`.
    """
    await lock_pool(work, (license_.institution_id, license_.id))
    found = await find_device(work, license_, device)
    if found is None or not _is_same(found, device):
        return
    own = await ACTIVATIONS.lock(work.db, [found.institution_id], found.id)
    if own is None:
        return
    if own.blocked_at is not None:
        raise errors.blocked()
    if others_until is None or others_until <= work.now:
        await delete_device(work, hooks, own, removed_by=RELEASED_OFFLINE)
        return
    kept = replace(own, file_ends_at=others_until)
    if own.released_at is None:
        await remove_device(work, hooks, kept, removed_by=RELEASED_OFFLINE)
    else:
        await ACTIVATIONS.save(work.db, kept)
