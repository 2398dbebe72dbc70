"""Queries of the counters, and of the limits that institutions set."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    Integer,
    ScalarSelect,
    and_,
    bindparam,
    delete,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Instant, String
from licet_server.kit.limits.tables import rate_counters as counters
from licet_server.kit.limits.tables import rate_limits


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
_added = insert(counters).from_select(
    ["bucket", "ends_at", "count"],
    select(_TAKEN.c.bucket, bindparam("ends_at", type_=Instant), _TAKEN.c.count),
)
_ADD = _added.on_conflict_do_update(
    index_elements=["bucket", "ends_at"], set_={"count": counters.c.count + _added.excluded.count}
).returning(counters.c.bucket, counters.c.count)


async def add(
    db: Connection, taken: Sequence[tuple[str, int]], ends_at: datetime
) -> dict[str, int]:
    """Count in all these buckets in one statement, and return the new count of each.

    The rows are locked in sorted order, so concurrent calls cannot deadlock.
    """
    given = {**_TAKEN.given(sorted(taken)), "ends_at": ends_at}
    return {row.bucket: row[1] for row in await db.execute(_ADD, given)}


_OF_BUCKETS = Arrays("wanted", bucket=String)
_COUNTS = select(counters.c.bucket, counters.c.count).join(
    _OF_BUCKETS.table,
    and_(
        counters.c.bucket == _OF_BUCKETS.c.bucket,
        counters.c.ends_at == bindparam("ends_at", type_=Instant),
    ),
)


async def fetch_counts(db: Connection, buckets: Sequence[str], ends_at: datetime) -> dict[str, int]:
    """Fetch the counts of these buckets; those that nothing was counted in are omitted."""
    given = {**_OF_BUCKETS.given([(bucket,) for bucket in buckets]), "ends_at": ends_at}
    return {row.bucket: row[1] for row in await db.execute(_COUNTS, given)}


async def subtract(db: Connection, bucket: str, ends_at: datetime) -> None:
    await db.execute(
        update(counters)
        .where(counters.c.bucket == bucket, counters.c.ends_at == ends_at)
        .values(count=counters.c.count - 1)
    )


async def delete_counters(db: Connection, ended_before: datetime) -> int:
    """Delete the counters of ended periods, and return their number."""
    gone = await db.execute(delete(counters).where(counters.c.ends_at < ended_before))
    return gone.rowcount
