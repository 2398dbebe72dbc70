"""Seats of devices when a license has another cap or model, or when a seat becomes free.

At each commit no more devices hold a seat than the license allows: those above the cap are over
the limit. They get their seats back in the transaction in which one becomes free.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.catalog.rules.clocks import Clocked
from licet_server.devices.rules.admission import seats_total
from licet_server.devices.rules.model import Activation, DeviceCounters
from licet_server.devices.service.events import device_event
from licet_server.devices.storage import activations, counters
from licet_server.devices.storage import over_limit as storage
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId, LicenseTerms
from licet_server.licenses.service import reading

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
    found = await counters.lock_counters(work.db, [license_id], work.now.date())
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
    return await counters.move_seats(
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
    return await counters.move_seats(
        work.db, license_id, used=number, waiting=sign * waiting, over_limit=-number
    )
