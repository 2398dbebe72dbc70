"""Events that were not dispatched to their subscribers yet."""

from collections.abc import Sequence

from sqlalchemy import select, update

from licet_server.events.rules.model import RecordedEvent
from licet_server.events.storage.rows import EVENTS
from licet_server.events.tables import events
from licet_server.kit.arrays import Arrays
from licet_server.kit.backlogs import Backlog, count_waiting
from licet_server.kit.database import Connection, Id

_DISPATCHED = Arrays("done", institution_id=Id, id=Id)
_MARK = (
    update(events)
    .where(
        events.c.institution_id == _DISPATCHED.c.institution_id,
        events.c.id == _DISPATCHED.c.id,
    )
    .values(dispatched=True)
)


async def lock_undispatched(db: Connection, limit: int) -> list[RecordedEvent]:
    """Lock and return the oldest undispatched, unlocked events, until the transaction ends.

    Several processes may call this at once: each skips what another has locked.
    """
    statement = (
        EVENTS.select(~events.c.dispatched)
        .order_by(events.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    return await EVENTS.all(db, statement)


async def mark_dispatched(db: Connection, dispatched: Sequence[RecordedEvent]) -> None:
    """Mark events as dispatched."""
    keys = [(item.institution_id, item.id) for item in dispatched]
    await db.execute(_MARK, _DISPATCHED.given(keys))


async def count_undispatched(db: Connection) -> Backlog:
    """Count events that were not dispatched yet."""
    waiting = select(events.c.occurred_at).where(~events.c.dispatched).order_by(events.c.id)
    return await count_waiting(db, waiting)
