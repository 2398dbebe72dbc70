"""Which recorded events were not handed to their projections yet."""

from collections.abc import Sequence
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


async def hold_untold(db: Connection, limit: int) -> list[Recorded]:
    """The oldest events that nobody was told of and nobody holds, held until the transaction ends.

    Several processes may ask at once: each skips what another one holds.
    """
    statement = (
        select(*(events.c[name] for name in _COLUMNS), cast(events.c.data, String).label("data"))
        .where(~events.c.is_told)
        .order_by(events.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    return [Recorded(**row._mapping) for row in await db.execute(statement)]


async def mark_told(db: Connection, told: Sequence[Recorded]) -> None:
    """They are told of from now on, once the transaction commits."""
    await db.execute(_MARK, _TOLD.given([(item.institution_id, item.id) for item in told]))
