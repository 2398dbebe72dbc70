"""Takes from a bucket that refills each minute, or each longer period."""

from datetime import datetime, timedelta

from sqlalchemy import delete, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Database
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.limits.tables import rate_counters as counters

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)

_KEPT_FOR = timedelta(minutes=5)
_NAMES = {MINUTE: "minute", HOUR: "hour"}


async def take(
    database: Database, bucket: str, limit: int, now: datetime, period: timedelta = MINUTE
) -> None:
    """Count one against the bucket, at once and for all processes.

    A bucket is always taken from with the same period: `MINUTE` or `HOUR`.

    Raises:
        Refused: `RateLimited` when more than `limit` were taken in this period.
    """
    ends_at = _end_of(period, now)
    statement = (
        insert(counters)
        .values(bucket=bucket, ends_at=ends_at, count=1)
        .on_conflict_do_update(
            index_elements=["bucket", "ends_at"], set_={"count": counters.c.count + 1}
        )
        .returning(counters.c.count)
    )
    async with database.reading() as db:
        count = (await db.execute(statement)).scalar_one()
        if count == 1:
            await db.execute(delete(counters).where(counters.c.ends_at < now - _KEPT_FOR))
    if count > limit:
        wait = (ends_at - now.replace(microsecond=0)) // timedelta(seconds=1)
        raise Refused(
            ErrorCode.RATE_LIMITED,
            f"Too many tries: {limit} in one {_NAMES[period]} are allowed. Try again in {wait} "
            "seconds.",
            retry_after=wait,
        )


async def give_back(
    database: Database, bucket: str, now: datetime, period: timedelta = MINUTE
) -> None:
    """Undo a `take` of this period, for a try that turned out to be welcome."""
    async with database.reading() as db:
        await db.execute(
            update(counters)
            .where(counters.c.bucket == bucket, counters.c.ends_at == _end_of(period, now))
            .values(count=counters.c.count - 1)
        )


def _end_of(period: timedelta, now: datetime) -> datetime:
    start = now.replace(second=0, microsecond=0)
    return (start.replace(minute=0) if period == HOUR else start) + period
