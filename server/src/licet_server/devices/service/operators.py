"""What operators, and a device itself, do with devices: approve, block, unblock, remove."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from licet_server.devices import errors
from licet_server.devices.rules.model import Activation, ActivationStatus
from licet_server.devices.rules.standing import DeviceStanding, standing_of
from licet_server.devices.service.admission import bind_waiting
from licet_server.devices.service.events import record_device_event
from licet_server.devices.service.removal import remove_device
from licet_server.devices.storage import activations, tallies
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading


async def list_devices(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    status: ActivationStatus | None,
    paging: Paging,
) -> Listing[Activation]:
    """The devices of a license, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    return await activations.list_activations(
        db, license_.institution_id, license_id, status, paging
    )


async def approve_device(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """Make a waiting device the one machine of its license; one that is not waiting stays.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a blocked device, or while the license is
            bound to another machine.
    """
    seen = await _fetch(work, operator, activation_id)
    license_ = await reading.lock_license(work.db, operator, seen.license_id)
    ids = (license_.institution_id, license_.id)
    await tallies.hold_tallies(work.db, [ids], work.now.date())
    current = await _lock(work, operator, activation_id)
    key = (*ids, current.hardware_id)
    facts = (await activations.fetch_facts(work.db, [key]))[key]
    match standing_of(license_, facts):
        case DeviceStanding.BLOCKED:
            raise errors.unblock_first()
        case DeviceStanding.ELSEWHERE:
            raise errors.free_other_machine_first()
        case DeviceStanding.SEATED | DeviceStanding.FREE:
            return current
        case _:
            terms = (await reading.find_terms(work.db, [ids]))[license_.id]
            bound = await bind_waiting(work, terms, current, EventKind.ACTIVATION_APPROVED)
            return bound.activation


async def block_device(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """Deny the license to a device, which keeps its seat; once more changes nothing.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    current = await _hold(work, operator, activation_id)
    if current.blocked_at is not None:
        return current
    return await _save_block(work, current, work.now, EventKind.ACTIVATION_BLOCKED)


async def unblock_device(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """Undo a block: the device is what it was before.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    current = await _hold(work, operator, activation_id)
    if current.blocked_at is None:
        return current
    return await _save_block(work, current, None, EventKind.ACTIVATION_UNBLOCKED)


async def deactivate_device(
    work: UnitOfWork, operator: Operator, activation_id: UUID
) -> Activation:
    """Remove a device: its seat is free at once, and a node-locked license is unbound.

    Answers what was removed.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    return await remove_device(work, await _hold(work, operator, activation_id), "Operator")


async def release_device(work: UnitOfWork, license_: License, hardware_id: str) -> Activation:
    """A device gives its own seat back. Answers what was removed.

    Raises:
        Refused: `ActivationNotFound`, `DeviceBlocked`.
    """
    ids = (license_.institution_id, license_.id)
    if not await reading.lock_terms(work.db, [ids]):
        raise errors.not_activated()
    await tallies.hold_tallies(work.db, [ids], work.now.date())
    key = (*ids, hardware_id)
    own = (await activations.fetch_facts(work.db, [key]))[key].own
    if own is None:
        raise errors.not_activated()
    current = await activations.lock_activation(work.db, [own.institution_id], own.id)
    if current is None:
        raise errors.not_activated()
    if current.blocked_at is not None:
        raise errors.blocked()
    return await remove_device(work, current, "Device")


async def _fetch(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    found = await activations.fetch_activation(work.db, operator.roles, activation_id)
    if found and not await reading.find_by_ids(work.db, operator.visibility, [found.license_id]):
        found = None
    return operator.found(found, "activation")


async def _hold(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """The device, held after its license and its tally: everybody takes them in this order.

    A registration writes what it read under the tally, so that whoever changes a device without
    it would be overwritten.
    """
    seen = await _fetch(work, operator, activation_id)
    ids = (seen.institution_id, seen.license_id)
    if not await reading.lock_terms(work.db, [ids]):
        raise operator.unseen("activation")
    await tallies.hold_tallies(work.db, [ids], work.now.date())
    return await _lock(work, operator, activation_id)


async def _lock(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """The device, which he was found to see before."""
    found = await activations.lock_activation(work.db, operator.roles, activation_id)
    return operator.found(found, "activation")


async def _save_block(
    work: UnitOfWork, current: Activation, blocked_at: datetime | None, event: EventKind
) -> Activation:
    changed = replace(current, blocked_at=blocked_at)
    await activations.update_activation(work.db, changed)
    await record_device_event(work, event, changed)
    return changed
