"""Moves test clocks forward: each visits every instant at which something is due, in order.

A step is one transaction that holds the lock of the clock. It does what is due where the clock
stands, each piece of work in transactions of its own, and then moves on. After a crash the same
step is done again, and finds done what was done.
"""

import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from licet_server.catalog.rules.clocks import Clocked, ClockStatus, ProductClock, moved
from licet_server.catalog.storage import clocks as storage
from licet_server.catalog.storage.clocks import CLOCKS
from licet_server.kit.clock import going_by
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.outages import is_transaction_conflict, is_unavailable
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

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
