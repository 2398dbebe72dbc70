"""Queries of the places that long responses hold."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    Integer,
    Select,
    bindparam,
    column,
    delete,
    func,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.limits.tables import held_places as places

_NOW = bindparam("now", type_=Instant)
_WANTED = Arrays("wanted", bucket=String, limit=Integer)


def _free() -> Select[tuple[str, int, UUID, datetime]]:
    """Return one free place of each bucket, at random to avoid collisions with other processes."""
    numbers = func.generate_series(1, _WANTED.c.limit).table_valued(column("number", Integer))
    numbers = numbers.render_derived(name="numbers")
    held = select(places.c.number).where(
        places.c.bucket == _WANTED.c.bucket,
        places.c.number == numbers.c.number,
        places.c.held_until > _NOW,
    )
    is_held = held.correlate_except(places).exists()
    free = select(numbers.c.number).where(~is_held).order_by(func.random()).limit(1)
    chosen = free.lateral("chosen")
    return (
        select(
            _WANTED.c.bucket,
            chosen.c.number,
            bindparam("holder", type_=Id),
            bindparam("until", type_=Instant),
        )
        .select_from(_WANTED.table.join(chosen, true()))
        .order_by(_WANTED.c.bucket)
    )


_chosen = insert(places).from_select(["bucket", "number", "holder", "held_until"], _free())
_TAKE = _chosen.on_conflict_do_update(
    index_elements=["bucket", "number"],
    set_={"holder": _chosen.excluded.holder, "held_until": _chosen.excluded.held_until},
    where=places.c.held_until <= _NOW,
).returning(places.c.bucket)
_OF = Arrays("given", holder=Id)
_OF_HOLDERS = places.c.holder.in_(select(_OF.c.holder))
_EXTEND = update(places).where(_OF_HOLDERS).values(held_until=bindparam("until", type_=Instant))
_DELETE = delete(places).where(_OF_HOLDERS)


async def take_places(
    db: Connection,
    holder: UUID,
    wanted: Sequence[tuple[str, int]],
    now: datetime,
    until: datetime,
) -> set[str]:
    """Take a place in each bucket, given with its limit; return the buckets that had a free one.

    A place that another process takes at the same moment counts as not free.
    """
    given = {**_WANTED.given(sorted(wanted)), "holder": holder, "now": now, "until": until}
    return set((await db.execute(_TAKE, given)).scalars())


async def extend_places(db: Connection, holders: Collection[UUID], until: datetime) -> None:
    await db.execute(_EXTEND, {**_OF.given([(item,) for item in holders]), "until": until})


async def delete_places(db: Connection, holders: Collection[UUID]) -> None:
    await db.execute(_DELETE, _OF.given([(item,) for item in holders]))


async def delete_left_places(db: Connection, ended_before: datetime) -> int:
    """Delete the places of processes that ended without giving them back, and return how many."""
    return (await db.execute(delete(places).where(places.c.held_until < ended_before))).rowcount
