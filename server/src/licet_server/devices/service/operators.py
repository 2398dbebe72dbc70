"""Devices for operators: listed, approved, blocked, unblocked, removed."""

from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from licet_server.customers.service.customers import fetch_customer
from licet_server.devices import errors
from licet_server.devices.rules.admission import DeviceState, device_state_of
from licet_server.devices.rules.model import Activation, ActivationStatus, DeviceFilter
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.service.admission import bind_activation
from licet_server.devices.service.events import record_device_event
from licet_server.devices.service.lookup import find_own
from licet_server.devices.service.recognition import accept_components
from licet_server.devices.service.seats import (
    DeviceHooks,
    delete_device,
    lock_pool,
    remove_device,
    return_free_seats,
)
from licet_server.devices.storage import activations, seats
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.traits import DeviceBindingMode
from licet_server.licenses.rules.transitions import require_not_revoked
from licet_server.licenses.service import reading
from licet_server.licenses.service.device_tokens import end_device_tokens
from licet_server.licenses.service.holders import licenses_of


async def list_devices(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    *,
    filters: DeviceFilter,
    paging: Paging,
    now: datetime,
) -> Listing[Activation]:
    """List the devices of a license at `now`, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    ids, instant = (license_.institution_id, license_.id), license_.instant(now)
    return await activations.list_activations(db, ids, filters, paging=paging, now=instant)


async def list_customer_devices(
    db: Connection,
    operator: Operator,
    customer_id: UUID,
    *,
    filters: DeviceFilter,
    paging: Paging,
    now: datetime,
) -> Listing[Activation]:
    """List the devices of all licenses of a customer at `now`, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    customer = await fetch_customer(db, operator, customer_id)
    license_ids = await licenses_of(db, customer)
    return await activations.list_of_licenses(
        db, customer.institution_id, license_ids, filters, paging=paging, now=now
    )


async def approve_device(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """Bind a node-locked license to a pending device; a device that is not pending is unchanged.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a blocked device, for a revoked license, or
            while the license is bound to another machine.
    """
    found, _ = await _fetch(work, operator, activation_id)
    license_ = await reading.lock_license(work.db, operator, found.license_id)
    work = work.at(license_.clock)
    require_not_revoked(license_)
    ids = (license_.institution_id, license_.id)
    await lock_pool(work, ids)
    current = await _lock(work, operator, activation_id)
    facts = await activations.fetch_facts_of(work.db, license_, current.hardware_id)
    match device_state_of(license_, facts):
        case DeviceState.BLOCKED:
            raise errors.unblock_first()
        case DeviceState.ELSEWHERE:
            raise errors.deactivate_bound_machine_first()
        case DeviceState.SEATED | DeviceState.FREE | DeviceState.RELEASED | DeviceState.OVER_LIMIT:
            return current
        case _:
            terms = (await reading.find_terms(work.db, [ids]))[license_.id]
            bound = await bind_activation(work, terms, current, EventKind.ACTIVATION_APPROVED)
            return bound.activation


async def take_back_approval(
    work: UnitOfWork, hooks: DeviceHooks, operator: Operator, activation_id: UUID
) -> Activation:
    """Take back that a device was approved, so that it waits again; idempotent.

    Its sessions end, and it is rejected at its next validation, whether or not it has used the
    license meanwhile; a license file works until it must be refreshed, as after a removal.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a device that the license is not bound to
            by approval.
    """
    work, device = await _lock_in_order(work, operator, activation_id)
    if device.status is ActivationStatus.PENDING:
        return device
    ids = (device.institution_id, device.license_id)
    terms = (await reading.find_terms(work.db, [ids]))[device.license_id]
    needs_approval = terms.device_binding_mode is DeviceBindingMode.OWNER_APPROVAL
    if not (needs_approval and device.bound and device.status is ActivationStatus.ACTIVE):
        raise errors.not_approved()
    waiting = replace(device, holds_seat=False, bound=False, activated_at=None)
    await ACTIVATIONS.save(work.db, waiting)
    counts = await seats.move_seats(work.db, ids, used=-1)
    await end_device_tokens(work.db, device.institution_id, device.id)
    await record_device_event(work, EventKind.ACTIVATION_PENDING, waiting)
    await hooks.device_removed(work, device)
    await return_free_seats(work, ids, counts)
    return waiting


async def block_device(
    work: UnitOfWork, hooks: DeviceHooks, operator: Operator, activation_id: UUID
) -> Activation:
    """Block a device, which keeps its seat, even if it was released before. Idempotent.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    work, device = await _lock_in_order(work, operator, activation_id)
    if device.blocked_at is None:
        if device.released_at is not None:
            ids = (device.institution_id, device.license_id)
            await seats.move_seats(work.db, ids, waiting=-device.holds_seat)
            device = replace(device, released_at=None)
        device = await _save_block(work, device, work.now, EventKind.ACTIVATION_BLOCKED)
    await hooks.device_blocked(work, device)
    return device


async def unblock_device(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """Unblock a device, which returns to its previous status, or gets a free seat. Idempotent.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    work, device = await _lock_in_order(work, operator, activation_id)
    if device.blocked_at is None:
        return device
    device = await _save_block(work, device, None, EventKind.ACTIVATION_UNBLOCKED)
    if device.over_limit_at is None:
        return device
    ids = (device.institution_id, device.license_id)
    await return_free_seats(work, ids, await lock_pool(work, ids))
    return await _lock(work, operator, activation_id)


async def deactivate_device(
    work: UnitOfWork, hooks: DeviceHooks, operator: Operator, activation_id: UUID
) -> Activation:
    """Remove a device; a node-locked license is unbound.

    Its seat is free at once, or when its license file has ended. A device that was released
    already is unchanged. Returns the device as it is now.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    work, device = await _lock_in_order(work, operator, activation_id)
    if device.released_at is not None:
        return device
    return await remove_device(work, hooks, device, removed_by="Operator")


async def force_out_device(
    work: UnitOfWork, hooks: DeviceHooks, operator: Operator, activation_id: UUID
) -> Activation:
    """Remove a device and free its seat at once, although its license file may work on.

    Returns the device as it is now.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    work, device = await _lock_in_order(work, operator, activation_id)
    removed_by = "Operator" if device.works_until(work.now) is None else "Forced"
    return await delete_device(work, hooks, device, removed_by=removed_by)


async def accept_change(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """Make the present components of a device those that it was bound with. Idempotent.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a device without components.
    """
    work, device = await _lock_in_order(work, operator, activation_id)
    if device.components_mark is None:
        raise errors.no_components()
    await accept_components(work, device)
    await record_device_event(work, EventKind.ACTIVATION_CHANGE_ACCEPTED, device)
    return device


async def release_device(
    work: UnitOfWork,
    hooks: DeviceHooks,
    license_: License,
    hardware_id: str,
    shown: ShownProof,
) -> None:
    """Remove a device at its own request; its seat is free when its license file has ended.

    Raises:
        Refused: `ActivationNotFound`, `DeviceBlocked`, `DeviceProofRequired`, `HardwareMismatch`.
    """
    ids = (license_.institution_id, license_.id)
    if not await reading.lock_terms(work.db, [ids]):
        raise errors.not_activated()
    await lock_pool(work, ids)
    _, facts = await find_own(work.db, license_, hardware_id, shown)
    own = facts.own
    if own is None:
        raise errors.not_activated()
    current = await ACTIVATIONS.lock(work.db, [own.institution_id], own.id)
    if current is None or current.released_at is not None:
        raise errors.not_activated()
    if current.blocked_at is not None:
        raise errors.blocked()
    await remove_device(work, hooks, current, removed_by="Device")


async def _fetch(
    work: UnitOfWork, operator: Operator, activation_id: UUID
) -> tuple[Activation, License]:
    found = await ACTIVATIONS.fetch(work.db, operator.roles, activation_id)
    visible = None
    if found is not None:
        licenses = await reading.find_by_ids(work.db, operator.visibility, [found.license_id])
        visible = licenses.get(found.license_id)
    if found is None or visible is None:
        raise operator.unseen("activation")
    return found, operator.found(visible, "activation")


async def _lock_in_order(
    work: UnitOfWork, operator: Operator, activation_id: UUID
) -> tuple[UnitOfWork, Activation]:
    """Lock a device after its license and the license's counters, as every transaction does.

    An activation writes what it read under the lock of the counters, so that a change made without
    that lock would be overwritten. Also returns the unit of work at the instant of the license.
    """
    found, license_ = await _fetch(work, operator, activation_id)
    work = work.at(license_.clock)
    ids = (found.institution_id, found.license_id)
    if not await reading.lock_terms(work.db, [ids]):
        raise operator.unseen("activation")
    await lock_pool(work, ids)
    return work, await _lock(work, operator, activation_id)


async def _lock(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """Lock a device that was found visible before."""
    found = await ACTIVATIONS.lock(work.db, operator.roles, activation_id)
    return operator.found(found, "activation")


async def _save_block(
    work: UnitOfWork, current: Activation, blocked_at: datetime | None, event: EventKind
) -> Activation:
    changed = replace(current, blocked_at=blocked_at)
    await ACTIVATIONS.save(work.db, changed)
    ids = (current.institution_id, current.license_id)
    await reading.add_blocked_devices(work.db, ids, -1 if blocked_at is None else 1)
    await record_device_event(work, event, changed)
    return changed
