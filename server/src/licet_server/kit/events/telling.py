"""Hands recorded events to their projections, each event once.

Projections write rows of their own, such as a delivery for each webhook that wants the event, in
the transaction that marks it as told: a crash undoes both, so that nothing is told twice or never.
Sending happens later, from those rows.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import cast, select, update

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, String
from licet_server.kit.events.tables import events

_COLUMNS = ("institution_id", "id", "kind", "occurred_at", "subject_id", "product_id")
_TOLD = Arrays("told", institution_id=Id, id=Id)
_MARK = (
    update(events)
    .where(
        events.c.institution_id == _TOLD.c.institution_id,
        events.c.id == _TOLD.c.id,
    )
    .values(is_told=True)
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it was recorded. `data` is JSON text, in which amounts are exact."""

    institution_id: UUID
    id: UUID
    kind: str
    occurred_at: datetime
    subject_id: UUID
    product_id: UUID | None
    data: str


Projection = Callable[[Connection, Sequence[Recorded], datetime], Awaitable[None]]
"""Writes what follows from events, in the transaction given, at the instant given."""


async def tell_next(
    db: Connection, projections: Sequence[Projection], limit: int, now: datetime
) -> int:
    """Hand the oldest events that nobody holds to every projection; answers how many.

    `db` is a transaction. Several processes may do so at once: each skips what another one holds.
    """
    statement = (
        select(*(events.c[name] for name in _COLUMNS), cast(events.c.data, String).label("data"))
        .where(~events.c.is_told)
        .order_by(events.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    found = [Recorded(**row._mapping) for row in await db.execute(statement)]
    if not found:
        return 0
    for project in projections:
        await project(db, found, now)
    await db.execute(_MARK, _TOLD.given([(item.institution_id, item.id) for item in found]))
    return len(found)
