"""Takes from buckets that refill each minute, or each longer period.

Periods are fixed ones, such as from 12:00 to 12:01. A take is counted before what it is for is
done, by one statement for all processes, so that no more than the limit ever pass in a period.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from licet_server.kit.clock import Clock
from licet_server.kit.coalesce import Coalescer
from licet_server.kit.database import Database, concerns_one_item
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.limits import storage
from licet_server.kit.limits.allowances import Allowance, forget, note
from licet_server.kit.platform import Platform

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)

_KEPT_FOR = timedelta(minutes=5)
_NAMES = {MINUTE: "minute", HOUR: "hour"}


async def take(
    database: Database, bucket: str, limit: int, now: datetime, period: timedelta = MINUTE
) -> Allowance:
    """Count one against the bucket, at once and for all processes, and answer what is left.

    A bucket is always taken from with the same period: `MINUTE` or `HOUR`.

    Raises:
        Refused: `RateLimited` when more than `limit` were taken in this period.
    """
    async with database.reading() as db:
        counts = await storage.add(db, [(bucket, 1)], _end_of(period, now))
    return _admit(bucket, limit, counts[bucket], now, period)


async def undo_take(
    database: Database, bucket: str, now: datetime, period: timedelta = MINUTE
) -> None:
    """Undo a `take` of this period, for a try that turned out to be welcome."""
    forget(bucket)
    async with database.reading() as db:
        await storage.subtract(db, bucket, _end_of(period, now))


async def delete_old_counters(platform: Platform) -> int:
    """Delete the counters of periods that are over; answers how many."""
    async with platform.database.reading() as db:
        return await storage.delete_counters(db, platform.clock() - _KEPT_FOR)


class KeyLimits:
    """Counts the requests of keys by the minute; those that arrive together share a statement."""

    def __init__(self, database: Database, clock: Clock, max_batch: int) -> None:
        self._database = database
        self._clock = clock
        self._takes: Coalescer[str, tuple[int, datetime]] = Coalescer(
            self._count, max_batch=max_batch, bisects=concerns_one_item
        )

    async def take(self, bucket: str, limit: int) -> Allowance:
        """As `take` does, for a minute.

        Raises:
            Refused: `RateLimited`.
        """
        count, counted_at = await self._takes.submit(bucket)
        return _admit(bucket, limit, count, counted_at, MINUTE)

    async def aclose(self) -> None:
        """Answer those who wait, then stop."""
        await self._takes.aclose()

    async def _count(self, buckets: Sequence[str]) -> list[tuple[int, datetime]]:
        now = self._clock()
        together = Counter(buckets)
        async with self._database.reading() as db:
            counts = await storage.add(db, list(together.items()), _end_of(MINUTE, now))
        # Those of one bucket passed in the order in which they came.
        places = {bucket: counts[bucket] - number for bucket, number in together.items()}
        answers = []
        for bucket in buckets:
            places[bucket] += 1
            answers.append((places[bucket], now))
        return answers


def _admit(bucket: str, limit: int, count: int, now: datetime, period: timedelta) -> Allowance:
    reset = (_end_of(period, now) - now.replace(microsecond=0)) // timedelta(seconds=1)
    allowance = Allowance(bucket, limit, max(limit - count, 0), reset)
    note(allowance)
    if count > limit:
        raise Refused(
            ErrorCode.RATE_LIMITED,
            f"Too many requests: {limit:,} in one {_NAMES[period]} are allowed. "
            f"Try again in {reset} seconds.",
            retry_after=reset,
        )
    return allowance


def _end_of(period: timedelta, now: datetime) -> datetime:
    start = now.replace(second=0, microsecond=0)
    return (start.replace(minute=0) if period == HOUR else start) + period
