"""Dispatching of recorded events to their subscribers, each event once.

Subscribers write rows of their own, such as a delivery for each webhook that subscribes to the
event, in the transaction that marks the event as dispatched. A crash undoes both, so no event is
dispatched twice or never. Sending happens later, from those rows.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from licet_server.events.rules.model import RecordedEvent
from licet_server.events.storage.outbox import (
    count_undispatched,
    lock_undispatched,
    mark_dispatched,
)
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork

EventSubscriber = Callable[[UnitOfWork, Sequence[RecordedEvent]], Awaitable[None]]
"""Writes what follows from events, in the transaction and at the instant of the unit of work."""


async def dispatch_next(
    work: UnitOfWork, subscribers: Sequence[EventSubscriber], limit: int
) -> int:
    """Dispatch the oldest undispatched, unlocked events to every subscriber; returns how many.

    Several processes may do so at once: each skips what another has locked.
    """
    events = await lock_undispatched(work.db, limit)
    if not events:
        return 0
    for subscriber in subscribers:
        await subscriber(work, events)
    await mark_dispatched(work.db, events)
    return len(events)


async def measure_undispatched(db: Connection, _now: datetime) -> Backlog:
    """Measure the events that wait to be dispatched."""
    return await count_undispatched(db)
