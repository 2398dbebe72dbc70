"""Tables and queries of rate limits, of held places, and of the limits that institutions set."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    ScalarSelect,
    Select,
    Table,
    and_,
    bindparam,
    column,
    delete,
    func,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import GLOBAL, Connection, Id, Instant, String, metadata
from licet_server.kit.statements import Arrays

rate_limits = Table(
    "rate_limits",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("runtime", Integer),
    Column("api_key", Integer),
    PrimaryKeyConstraint("institution_id"),
    CheckConstraint("runtime BETWEEN 1 AND 1000000", name="runtime"),
    CheckConstraint("api_key BETWEEN 1 AND 1000000", name="api_key"),
)
"""Requests per minute allowed to each product key and each API key of an institution; null, or no
row, means unlimited."""

rate_counters = Table(
    "rate_counters",
    metadata,
    Column("bucket", String, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("count", Integer, nullable=False),
    PrimaryKeyConstraint("bucket", "ends_at"),
    Index("rate_counters_ends_at_idx", "ends_at"),
    prefixes=["UNLOGGED"],
    info=GLOBAL,
)

held_places = Table(
    "held_places",
    metadata,
    Column("bucket", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("holder", Id, nullable=False),
    Column("held_until", Instant, nullable=False),
    PrimaryKeyConstraint("bucket", "number"),
    Index("held_places_holder_idx", "holder"),
    Index("held_places_held_until_idx", "held_until"),
    prefixes=["UNLOGGED"],
    info=GLOBAL,
)
"""One row for each number from 1 to the limit of a bucket, so no more can be held."""


_NOW = bindparam("now", type_=Instant)
_WANTED = Arrays("wanted", bucket=String, limit=Integer)


def _free() -> Select[tuple[str, int, UUID, datetime]]:
    """Return one free place of each bucket, at random to avoid collisions with other processes."""
    numbers = func.generate_series(1, _WANTED.c.limit).table_valued(column("number", Integer))
    numbers = numbers.render_derived(name="numbers")
    held = select(held_places.c.number).where(
        held_places.c.bucket == _WANTED.c.bucket,
        held_places.c.number == numbers.c.number,
        held_places.c.held_until > _NOW,
    )
    is_held = held.correlate_except(held_places).exists()
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


_chosen = insert(held_places).from_select(["bucket", "number", "holder", "held_until"], _free())
_TAKE = _chosen.on_conflict_do_update(
    index_elements=["bucket", "number"],
    set_={"holder": _chosen.excluded.holder, "held_until": _chosen.excluded.held_until},
    where=held_places.c.held_until <= _NOW,
).returning(held_places.c.bucket)
_OF = Arrays("given", holder=Id)
_OF_HOLDERS = held_places.c.holder.in_(select(_OF.c.holder))
_EXTEND = (
    update(held_places).where(_OF_HOLDERS).values(held_until=bindparam("until", type_=Instant))
)
_DELETE = delete(held_places).where(_OF_HOLDERS)


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
    return (
        await db.execute(delete(held_places).where(held_places.c.held_until < ended_before))
    ).rowcount


@dataclass(frozen=True, slots=True)
class RateLimits:
    """Requests per minute allowed to each product key and each API key of an institution.

    `None` means unlimited.
    """

    runtime: int | None = None
    api_key: int | None = None


async def fetch_rate_limits(db: Connection, institution_id: UUID) -> RateLimits:
    statement = select(rate_limits).where(rate_limits.c.institution_id == institution_id)
    row = (await db.execute(statement)).one_or_none()
    return RateLimits() if row is None else RateLimits(row.runtime, row.api_key)


async def save_rate_limits(db: Connection, institution_id: UUID, limits: RateLimits) -> None:
    """Save the limits; they apply from the next request."""
    values = {"runtime": limits.runtime, "api_key": limits.api_key}
    await db.execute(
        insert(rate_limits)
        .values(institution_id=institution_id, **values)
        .on_conflict_do_update(index_elements=["institution_id"], set_=values)
    )


def runtime_limit(institution: ColumnElement[UUID]) -> ScalarSelect[int | None]:
    """Return the limit of product keys as a column for the statement that finds them."""
    return _limit(rate_limits.c.runtime, institution)


def api_key_limit(institution: ColumnElement[UUID]) -> ScalarSelect[int | None]:
    """Return the limit of API keys as a column for the statement that finds them."""
    return _limit(rate_limits.c.api_key, institution)


def _limit(column: Column[int], institution: ColumnElement[UUID]) -> ScalarSelect[int | None]:
    return (
        select(column)
        .where(rate_limits.c.institution_id == institution)
        .correlate_except(rate_limits)
        .scalar_subquery()
    )


_TAKEN = Arrays("taken", bucket=String, count=Integer)
_MOST = 2**31 - 1
_added = insert(rate_counters).from_select(
    ["bucket", "ends_at", "count"],
    select(_TAKEN.c.bucket, bindparam("ends_at", type_=Instant), _TAKEN.c.count),
)
_ADD = _added.on_conflict_do_update(
    index_elements=["bucket", "ends_at"],
    set_={
        "count": func.least(rate_counters.c.count, _MOST - _added.excluded.count)
        + _added.excluded.count
    },
).returning(rate_counters.c.bucket, rate_counters.c.count)


async def add(
    db: Connection, taken: Sequence[tuple[str, int]], ends_at: datetime
) -> dict[str, int]:
    """Count in all these buckets in one statement, and return the new count of each.

    The rows are locked in sorted order, so concurrent calls cannot deadlock.
    """
    given = {**_TAKEN.given(sorted(taken)), "ends_at": ends_at}
    return {row.bucket: row[1] for row in await db.execute(_ADD, given)}


_OF_BUCKETS = Arrays("wanted", bucket=String)
_COUNTS = select(rate_counters.c.bucket, rate_counters.c.count).join(
    _OF_BUCKETS.table,
    and_(
        rate_counters.c.bucket == _OF_BUCKETS.c.bucket,
        rate_counters.c.ends_at == bindparam("ends_at", type_=Instant),
    ),
)


async def fetch_counts(db: Connection, buckets: Sequence[str], ends_at: datetime) -> dict[str, int]:
    """Fetch the counts of these buckets; those that nothing was counted in are omitted."""
    given = {**_OF_BUCKETS.given([(bucket,) for bucket in buckets]), "ends_at": ends_at}
    return {row.bucket: row[1] for row in await db.execute(_COUNTS, given)}


async def subtract(db: Connection, bucket: str, ends_at: datetime) -> None:
    await db.execute(
        update(rate_counters)
        .where(rate_counters.c.bucket == bucket, rate_counters.c.ends_at == ends_at)
        .values(count=rate_counters.c.count - 1)
    )


async def delete_counters(db: Connection, ended_before: datetime) -> int:
    """Delete the counters of ended periods, and return their number."""
    gone = await db.execute(delete(rate_counters).where(rate_counters.c.ends_at < ended_before))
    return gone.rowcount
