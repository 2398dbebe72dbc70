"""Seats of devices: taken, returned, and given up with a device that is removed.

At each commit no more devices hold a seat than the license allows: those above the cap are over
the limit. They get their seats back in the transaction in which one becomes free.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.rules.clocks import Clocked
from licet_server.devices.rules.admission import seats_total
from licet_server.devices.rules.model import Activation, DeviceCounters, masked
from licet_server.devices.service.events import device_event, record_device_event
from licet_server.devices.storage import activations
from licet_server.devices.storage import seats as storage
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId, LicenseTerms
from licet_server.licenses.service import reading
from licet_server.licenses.service.device_tokens import end_device_tokens
from licet_server.licenses.service.hooks import DeviceOverLimit, LicenseHooks, TermsChange
from licet_server.licenses.service.reading import add_blocked_devices

POOLS_AT_ONCE = 100


async def fit_to_cap(
    work: UnitOfWork,
    license_: License | LicenseTerms,
    counts: DeviceCounters,
    keep: Sequence[UUID] = (),
) -> DeviceCounters:
    """Take seats above the cap, newest first, or return free ones; the counters are locked.

    The devices to `keep` come first, whether or not they hold a seat.
    """
    ids, cap = (license_.institution_id, license_.id), seats_total(license_)
    chosen = await storage.fetch_chosen(work.db, ids, keep) if keep else []
    wanted = counts.seats_used + sum(not item.holds_seat for item in chosen)
    excess = 0 if cap is None else max(0, wanted - cap)
    taken = await storage.take_seats(work.db, ids, excess, work.now, keep=keep) if excess else []
    counts = await _moved(work, ids, taken, -1) if taken else counts
    free = None if cap is None else cap - counts.seats_used
    returned: list[Activation] = []
    if counts.over_limit and (free is None or free > 0):
        returned = await storage.return_seats(work.db, ids, free, keep=keep)
    return await _settled(work, ids, counts, taken, returned)


async def fit_to_machine(
    work: UnitOfWork, license_: License, counts: DeviceCounters, keep: Sequence[UUID]
) -> DeviceCounters:
    """Bind a license that has become node-locked to one of its devices; the others are over.

    Files of released devices no longer take a seat: those of a bound machine are not counted.
    """
    ids = (license_.institution_id, license_.id)
    counts = await _without_released(work, ids, counts, await storage.forget_files(work.db, ids))
    taken: list[Activation] = []
    if counts.seats_used:
        taken = await storage.take_seats(work.db, ids, counts.seats_used, work.now)
        counts = await _moved(work, ids, taken, -1)
    bound = await storage.bind_first(work.db, ids, keep=keep) if counts.over_limit else []
    return await _settled(work, ids, counts, taken, bound)


async def return_free_seats(
    work: UnitOfWork, license_id: LicenseId, counts: DeviceCounters
) -> DeviceCounters:
    """Return the seats that are free to devices over the limit; the counters are locked."""
    if counts.over_limit == 0:
        return counts
    terms = (await reading.find_terms(work.db, [license_id]))[license_id[1]]
    if not terms.traits.is_node_locked:
        return await fit_to_cap(work, terms, counts)
    bound = [] if counts.seats_used else await storage.bind_first(work.db, license_id)
    return await _settled(work, license_id, counts, [], bound)


async def return_lapsed_seats(platform: Platform, clocked: Clocked | None = None) -> int:
    """Return the seats of released devices whose license files have ended; returns of how many.

    Those of a product that goes by its clock, or of all that go by the present.
    """
    async with platform.database.reading() as db:
        pools = await storage.fetch_lapsed_pools(db, platform.now(), POOLS_AT_ONCE, clocked)
    for license_id in pools:
        async with platform.unit_of_work(Origin()) as work:
            if await reading.lock_terms(work.db, [license_id]):
                await lock_pool(work, license_id)
    return len(pools)


async def next_lapse(db: Connection, clocked: Clocked) -> datetime | None:
    """Return when a seat of a released device of the product is free next."""
    return await storage.fetch_next_lapse(db, clocked)


async def lock_pool(work: UnitOfWork, license_id: LicenseId) -> DeviceCounters:
    """Lock the counters of a license and return them; its terms must be locked.

    Released devices whose license files have ended are deleted first, so that none is seen or
    counted from here on.
    """
    found = await storage.lock_counters(work.db, [license_id], work.now.date())
    counts = found[license_id[1]]
    if counts.seats_waiting == 0 and counts.over_limit == 0:
        return counts
    lapsed = await activations.delete_lapsed(work.db, license_id, work.now)
    counts = await _without_released(work, license_id, counts, lapsed)
    return await return_free_seats(work, license_id, counts) if any(lapsed) else counts


async def _without_released(
    work: UnitOfWork, license_id: LicenseId, counts: DeviceCounters, deleted: Sequence[bool]
) -> DeviceCounters:
    """Count no more the released devices that were deleted, given which of them held a seat."""
    if not deleted:
        return counts
    held = sum(deleted)
    return await storage.move_seats(
        work.db, license_id, used=-held, waiting=-held, over_limit=held - len(deleted)
    )


async def _settled(
    work: UnitOfWork,
    license_id: LicenseId,
    counts: DeviceCounters,
    taken: Sequence[Activation],
    returned: Sequence[Activation],
) -> DeviceCounters:
    """Count the seats that were returned, and record which devices lost one or got one."""
    if returned:
        counts = await _moved(work, license_id, returned, 1)
    both = {item.id for item in taken} & {item.id for item in returned}
    lost = [
        device_event(EventKind.ACTIVATION_OVER_LIMIT, item) for item in taken if item.id not in both
    ]
    found = [
        device_event(EventKind.ACTIVATION_CREATED, item) for item in returned if item.id not in both
    ]
    await record_events(work, [*lost, *found])
    return counts


async def _moved(
    work: UnitOfWork, license_id: LicenseId, devices: Sequence[Activation], sign: int
) -> DeviceCounters:
    waiting = sum(item.released_at is not None for item in devices)
    number = sign * len(devices)
    return await storage.move_seats(
        work.db, license_id, used=number, waiting=sign * waiting, over_limit=-number
    )


class DeviceHooks(Protocol):
    """Reactions to changes of devices, in the transaction of the change; wired in `app`.

    The license, its device counters and the device are locked.
    """

    async def device_blocked(self, work: UnitOfWork, device: Activation) -> None:
        """React to a block; also called where the device was blocked already."""
        ...

    async def devices_in_use(
        self, db: Connection, license_id: LicenseId, now: datetime
    ) -> Collection[str]:
        """Return the hardware IDs of the devices that use the license right now."""
        ...

    async def device_removed(self, work: UnitOfWork, device: Activation) -> None:
        """React to the removal of a device, given as it was before."""
        ...

    async def device_moved(self, work: UnitOfWork, device: Activation) -> None:
        """React to another hardware ID of a device, given as it was before."""
        ...

    async def seats_taken(
        self, work: UnitOfWork, licenses: Sequence[License]
    ) -> Mapping[UUID, int]:
        """End the sessions of devices that may hold none under these terms.

        Return how many were live, by the ID of the license.
        """
        ...


async def remove_device(
    work: UnitOfWork, hooks: DeviceHooks, device: Activation, *, removed_by: str
) -> Activation:
    """Remove a device, and record who removed it. Returns it as it is now.

    A device with a license file that has not ended keeps its seat until then, since the file works
    without the server. All others are deleted at once. A seat that is free is returned to a device
    over the limit, if there is one.

    The caller has locked its license, the license's counters and the device.
    """
    if device.works_until(work.now) is None:
        return await delete_device(work, hooks, device, removed_by=removed_by)
    released = replace(device, blocked_at=None, released_at=work.now)
    await ACTIVATIONS.save(work.db, released)
    await end_device_tokens(work.db, device.institution_id, device.id)
    if device.holds_seat:
        ids = (device.institution_id, device.license_id)
        await storage.move_seats(work.db, ids, waiting=1)
    await _unblock(work, device)
    await record_device_event(work, EventKind.ACTIVATION_DELETED, released, reason=removed_by)
    await hooks.device_removed(work, device)
    return released


async def delete_device(
    work: UnitOfWork,
    hooks: DeviceHooks,
    device: Activation,
    *,
    removed_by: str,
    kind: EventKind = EventKind.ACTIVATION_DELETED,
) -> Activation:
    """Remove a device whose seat is free at once, whatever license file it has.

    Returns it as it is now.
    """
    ids = (device.institution_id, device.license_id)
    await ACTIVATIONS.delete(work.db, device)
    counts = await storage.move_seats(
        work.db,
        ids,
        used=-device.holds_seat,
        waiting=-(device.holds_seat and device.released_at is not None),
        over_limit=-(device.over_limit_at is not None),
    )
    if device.created_at.date() == work.now.date():
        await storage.add_new_rows(work.db, ids, -1)
    await _unblock(work, device)
    removed = device.removed(work.now)
    await record_device_event(work, kind, removed, reason=removed_by)
    await hooks.device_removed(work, device)
    await return_free_seats(work, ids, counts)
    return removed


async def _unblock(work: UnitOfWork, device: Activation) -> None:
    if device.blocked_at is not None:
        await add_blocked_devices(work.db, (device.institution_id, device.license_id), -1)


NAMED = 100
"""How many devices over the limit a response names, at most."""


class DeviceLicenseHooks(LicenseHooks):
    """The `LicenseHooks` of devices."""

    def __init__(self, hooks: DeviceHooks) -> None:
        self._hooks = hooks

    async def terms_changed(self, work: UnitOfWork, changes: Sequence[TermsChange]) -> None:
        """Fit the devices to the new cap or model, and name those that have no seat.

        Raises:
            Refused: `InvalidRequest` for devices to keep that are not of the license, or too many.
        """
        for change in changes:
            await _require_chosen(work, change)
        # No device is added meanwhile, because that locks the license first.
        ids = [(item.after.institution_id, item.after.id) for item in changes]
        used = await storage.fetch_counters(work.db, ids, work.now)
        for change in changes:
            if change.after.id in used:
                await _fit(work, change)
        pools = [item.after for item in changes if seats_total(item.after) is not None]
        ended = await self._hooks.seats_taken(work, pools)
        for change in changes:
            change.sessions_ended += ended.get(change.after.id, 0)


async def _fit(work: UnitOfWork, change: TermsChange) -> None:
    license_ = change.after
    ids = (license_.institution_id, license_.id)
    counts = await lock_pool(work, ids)
    if change.is_conversion and change.before.traits.is_node_locked:
        claims = await storage.unbind(work.db, ids, work.now)
        counts = await storage.move_seats(work.db, ids, over_limit=claims)
        await _forget_pending(work, ids)
    if license_.traits.is_node_locked:
        counts = await fit_to_machine(work, license_, counts, change.keep)
    else:
        counts = await fit_to_cap(work, license_, counts, change.keep)
    if counts.over_limit:
        newest = await storage.fetch_newest(work.db, ids, NAMED)
        change.over_limit += [_named(item) for item in newest]


async def _require_chosen(work: UnitOfWork, change: TermsChange) -> None:
    if not change.keep:
        return
    cap = seats_total(change.after)
    if cap is not None and len(change.keep) > cap:
        raise bad_field("keepActivationIds", f"must be at most {cap:,}, the number of seats.")
    ids = (change.after.institution_id, change.after.id)
    found = await storage.fetch_chosen(work.db, ids, change.keep)
    if unknown := set(change.keep) - {item.id for item in found}:
        names = ", ".join(sorted(map(str, unknown)))
        raise bad_field(
            "keepActivationIds",
            f"must be devices of this license that are Active or OverLimit, not {names}.",
        )


async def _forget_pending(work: UnitOfWork, license_id: LicenseId) -> None:
    """Delete the devices that waited for an approval which the new model does not need."""
    deleted = [item.removed(work.now) for item in await storage.delete_pending(work.db, license_id)]
    await record_events(
        work,
        [device_event(EventKind.ACTIVATION_DELETED, item, reason="Converted") for item in deleted],
    )


def _named(item: Activation) -> DeviceOverLimit:
    return DeviceOverLimit(
        id=item.id,
        hardware_id=masked(item.hardware_id),
        device_name=item.device_name,
        activated_at=item.activated_at,
        last_seen_at=item.last_seen_at,
    )
