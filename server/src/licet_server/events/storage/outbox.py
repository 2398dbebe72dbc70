"""Which recorded events were not handed to their projections yet."""

from collections.abc import Sequence

from sqlalchemy import cast, select, update

from licet_server.events.rules.model import Recorded
from licet_server.events.tables import events
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, String

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


async def lock_undispatched(db: Connection, limit: int) -> list[Recorded]:
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


async def mark_dispatched(db: Connection, told: Sequence[Recorded]) -> None:
    """They are told of from now on, once the transaction commits."""
    await db.execute(_MARK, _TOLD.given([(item.institution_id, item.id) for item in told]))
