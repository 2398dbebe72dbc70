"""Takes from a bucket that refills each minute."""

from datetime import datetime, timedelta

from sqlalchemy import delete, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Database
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.limits.tables import rate_counters as counters

_KEPT_FOR = timedelta(minutes=5)


async def take(database: Database, bucket: str, limit: int, now: datetime) -> None:
    """Count one against the bucket, at once and for all processes.

    Raises:
        Refused: `RateLimited` when more than `limit` were taken in this minute.
    """
    minute = now.replace(second=0, microsecond=0)
    statement = (
        insert(counters)
        .values(bucket=bucket, minute=minute, count=1)
        .on_conflict_do_update(
            index_elements=["bucket", "minute"], set_={"count": counters.c.count + 1}
        )
        .returning(counters.c.count)
    )
    async with database.reading() as db:
        count = (await db.execute(statement)).scalar_one()
        if count == 1:
            await db.execute(delete(counters).where(counters.c.minute < now - _KEPT_FOR))
    if count > limit:
        wait = 60 - now.second
        raise Refused(
            ErrorCode.RATE_LIMITED,
            f"Too many tries: {limit} a minute are allowed. Try again in {wait} seconds.",
            retry_after=wait,
        )


async def give_back(database: Database, bucket: str, now: datetime) -> None:
    """Undo a `take` of this minute, for a try that turned out to be welcome."""
    minute = now.replace(second=0, microsecond=0)
    async with database.reading() as db:
        await db.execute(
            update(counters)
            .where(counters.c.bucket == bucket, counters.c.minute == minute)
            .values(count=counters.c.count - 1)
        )
