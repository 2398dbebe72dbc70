"""Test clocks: set up for a Test product, sent on their way, moved forward by a job, and deleted.

A clock visits every instant at which something is due, in order. A step is one transaction that
holds the lock of the clock. It does what is due where the clock stands, each piece of work in
transactions of its own, and then moves on. After a crash the same step is done again, and finds
done what was done.
"""

import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from licet_server.catalog import errors
from licet_server.catalog.rules.clocks import Clocked, ClockStatus, ProductClock, advanced, moved
from licet_server.catalog.rules.model import Product
from licet_server.catalog.service.lookup import fetch_product
from licet_server.catalog.service.recording import EVENTS
from licet_server.catalog.storage import clocks as storage
from licet_server.catalog.storage.clocks import CLOCKS
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.clock import going_by
from licet_server.kit.database import Connection
from licet_server.kit.look_ups import Source
from licet_server.kit.origin import Origin
from licet_server.kit.outages import is_transaction_conflict, is_unavailable
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


async def create_clock(
    work: UnitOfWork, operator: Operator, product_id: UUID, now: datetime | None
) -> ProductClock:
    """Give a Test product a clock, which starts at the present and goes ahead to `now`.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` for a Live product or a time in the past,
            `Conflict` if the product has a clock.
    """
    product = await fetch_product(work.db, operator, product_id)
    if not product.test:
        raise errors.clock_needs_test_product()
    if now is not None and now < work.now:
        raise errors.clock_starts_no_earlier()
    clock = ProductClock(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        now=work.now,
        target=None,
        status=ClockStatus.READY,
        created_at=work.now,
        updated_at=work.now,
    )
    if now is not None:
        clock = advanced(clock, now)
    await CLOCKS.insert(work.db, clock)
    await _record(work, operator, clock, {"testClock": [None, now or work.now]})
    return clock


async def list_clocks(
    db: Connection, operator: Operator, product_id: UUID | None, paging: Paging
) -> Listing[ProductClock]:
    """List the clocks of the visible products, or of one of them."""
    return await storage.list_clocks(db, operator.visibility, product_id, paging)


async def fetch_clock(source: Source, operator: Operator, clock_id: UUID) -> ProductClock:
    """Fetch the clock of a visible product."""
    return operator.found(await CLOCKS.fetch(source, operator.visibility, clock_id), "test clock")


async def advance_clock(
    work: UnitOfWork,
    operator: Operator,
    clock_id: UUID,
    target_from: Callable[[datetime], datetime | None],
) -> ProductClock:
    """Send a clock on its way to `target_from(now)`; `None` is whatever is due next.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` for a time in its past or too far ahead,
            `Conflict` while it is on its way to another time.
    """
    found = await CLOCKS.lock(work.db, operator.visibility, clock_id)
    clock = operator.found(found, "test clock")
    changed = advanced(clock, target_from(clock.now))
    if changed is clock:
        return clock
    changed = replace(changed, updated_at=work.now)
    await CLOCKS.update(work.db, changed, "target", "status", "updated_at")
    await _record(work, operator, changed, {"testClock": [clock.now, changed.target]})
    return changed


async def delete_clock(work: UnitOfWork, operator: Operator, clock_id: UUID) -> None:
    """Delete a clock: the product goes by the present again, and keeps what it has."""
    found = await CLOCKS.lock_for_deletion(work.db, operator.visibility, clock_id)
    clock = operator.found(found, "test clock")
    await CLOCKS.delete(work.db, clock)
    await _record(work, operator, clock, {"testClock": [clock.now, None]})


async def instant_of(db: Connection, product: Product) -> datetime | None:
    """Return where the clock of a product stands; `None` if it goes by the present.

    Costs nothing for a Live product.
    """
    return await storage.fetch_now(db, product) if product.test else None


def days_later(days: int) -> Callable[[datetime], datetime]:
    """Return what finds the instant this many days after another."""
    return lambda now: now + timedelta(days=days)


async def _record(
    work: UnitOfWork, operator: Operator, clock: ProductClock, changes: dict[str, object]
) -> None:
    product = await fetch_product(work.db, operator, clock.product_id)
    await EVENTS.happened(work.at(clock.now), EventKind.PRODUCT_UPDATED, product, changes)


_log = structlog.get_logger("licet.clocks")


@dataclass(frozen=True, slots=True)
class Timed:
    """Work that time makes due: what is done for a product now, and when there is more to do."""

    run: Callable[[Platform, Clocked], Awaitable[int]]
    next_due: Callable[[Connection, Clocked], Awaitable[datetime | None]]


async def advance_clocks(platform: Platform, timed: Sequence[Timed]) -> int:
    """Move all clocks that are on their way until each has arrived; return the number of steps.

    Several processes may do so at once: each skips the clocks that another one moves.
    """
    steps = 0
    while await _advance_one(platform, timed):
        steps += 1
    return steps


async def _advance_one(platform: Platform, timed: Sequence[Timed]) -> bool:
    clock: ProductClock | None = None
    try:
        async with platform.unit_of_work(Origin()) as work:
            clock = await storage.lock_next_advancing(work.db)
            if clock is None:
                return False
            await _step(work, platform, clock, timed)
    except Exception as error:
        if clock is None or is_unavailable(error) or is_transaction_conflict(error):
            raise
        place = "".join(traceback.format_tb(error.__traceback__)[-4:])
        name = type(error).__name__
        _log.error("test_clock_failed", clock=str(clock.id), error=name, place=place)
        await _fail(platform, clock)
    return True


async def _step(
    work: UnitOfWork, platform: Platform, clock: ProductClock, timed: Sequence[Timed]
) -> None:
    with going_by(clock.now):
        for item in timed:
            await item.run(platform, clock.clocked)
    found = [await item.next_due(work.db, clock.clocked) for item in timed]
    due = min((at for at in found if at is not None), default=None)
    changed = replace(moved(clock, due), updated_at=work.now)
    await CLOCKS.update(work.db, changed, "now", "target", "status", "updated_at")


async def _fail(platform: Platform, clock: ProductClock) -> None:
    async with platform.unit_of_work(Origin()) as work:
        await storage.set_status(work.db, clock, ClockStatus.FAILED, work.now)
