"""Fixed-window rate limits, shared by all processes.

Windows are aligned to the clock, for example 12:00 to 12:01. A request is counted before it runs,
in one statement, so no more than the limit ever pass in a window.
"""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from licet_server.kit.addresses import network_of
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection, Database
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.limits import storage
from licet_server.kit.limits.allowances import Allowance, discard, record
from licet_server.kit.limits.storage import delete_left_places
from licet_server.kit.outages import OutcomeUnknown
from licet_server.kit.platform import Platform

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)

_KEPT_FOR = timedelta(minutes=5)
_NAMES = {MINUTE: "minute", HOUR: "hour"}
_NOT_OF_THE_CALLER = {ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE}


async def take(
    database: Database, bucket: str, limit: int, now: datetime, period: timedelta = MINUTE
) -> Allowance:
    """Count one request in the bucket, and return what is left.

    Always use the same period for a bucket: `MINUTE` or `HOUR`.

    Raises:
        Refused: `RateLimited` when the bucket has counted more than `limit` in this period.
    """
    async with _counting(database.reading()) as db:
        counts = await storage.add(db, [(bucket, 1)], _end_of(period, now))
    return _admit(bucket, limit, counts[bucket], now, period)


def address_bucket(name: str, address: str | None) -> str:
    """Return the bucket of a caller's address: of the IPv4 address, or of the IPv6 /64."""
    return f"{name}:{network_of(address)}"


def device_bucket(name: str, license_id: UUID, hardware_id: str) -> str:
    return f"{name}:{license_id}:{sha256(hardware_id.encode()).hexdigest()[:32]}"


async def require_room(
    database: Database, buckets: Sequence[str], limit: int, now: datetime
) -> None:
    """Check that each bucket takes one more in this minute; nothing is counted.

    Raises:
        Refused: `RateLimited` when a bucket has counted `limit` already.
    """
    async with database.reading() as db:
        counts = await storage.fetch_counts(db, buckets, _end_of(MINUTE, now))
    for bucket, count in counts.items():
        _admit(bucket, limit, count + 1, now, MINUTE)


async def undo_take(
    database: Database, bucket: str, now: datetime, period: timedelta = MINUTE
) -> None:
    """Undo a `take` of this period, for an attempt that turned out to be legitimate."""
    discard(bucket)
    async with _counting(database.reading()) as db:
        await storage.subtract(db, bucket, _end_of(period, now))


async def delete_old_counters(platform: Platform) -> int:
    """Delete the counters and places of ended periods, and return their number."""
    before = platform.clock() - _KEPT_FOR
    async with platform.database.reading() as db:
        return await storage.delete_counters(db, before) + await delete_left_places(db, before)


class KeyLimits:
    """Counts requests per key and minute; requests that arrive together share one statement."""

    def __init__(self, database: Database, clock: Clock, batching: Batching) -> None:
        self._database = database
        self._clock = clock
        self._takes: Coalescing[str, tuple[int, datetime]] = batching.serial(
            "rate_limits", self._count, lambda _: None
        )

    async def take(self, bucket: str, limit: int) -> Allowance:
        """Count one request of a key, and return what is left of this minute.

        Raises:
            Refused: `RateLimited` when the key has made more than `limit` requests.
        """
        count, counted_at = await self._takes.submit(bucket)
        return _admit(bucket, limit, count, counted_at, MINUTE)

    async def count(self, bucket: str) -> None:
        """Count what was done, whether or not it is more than a limit."""
        await self._takes.submit(bucket)

    @asynccontextmanager
    async def limit_refusals(self, bucket: str, limit: int) -> AsyncIterator[None]:
        """Count the block if it is refused; what succeeds is neither counted nor limited.

        Raises:
            Refused: `RateLimited` in place of the refusal when there were more than `limit`.
        """
        try:
            yield
        except Refused as refused:
            if refused.code not in _NOT_OF_THE_CALLER:
                await self.take(bucket, limit)
            raise

    async def aclose(self) -> None:
        """Complete the pending calls, then stop."""
        await self._takes.aclose()

    async def _count(self, buckets: Sequence[str]) -> list[tuple[int, datetime]]:
        now = self._clock()
        together = Counter(buckets)
        async with _counting(self._database.relaxed()) as db:
            counts = await storage.add(db, list(together.items()), _end_of(MINUTE, now))
        # Requests of one bucket are counted in the order of arrival.
        places = {bucket: counts[bucket] - number for bucket, number in together.items()}
        results = []
        for bucket in buckets:
            places[bucket] += 1
            results.append((places[bucket], now))
        return results


@asynccontextmanager
async def _counting(opened: AbstractAsyncContextManager[Connection]) -> AsyncIterator[Connection]:
    """Count on this connection; a lost confirmation puts nothing else in doubt."""
    try:
        async with opened as db:
            yield db
    except OutcomeUnknown as error:
        lost = error.__cause__
        raise lost if isinstance(lost, Exception) else error from None


def _admit(bucket: str, limit: int, count: int, now: datetime, period: timedelta) -> Allowance:
    reset = (_end_of(period, now) - now.replace(microsecond=0)) // timedelta(seconds=1)
    allowance = Allowance(bucket, limit, max(limit - count, 0), reset)
    record(allowance)
    if count > limit:
        raise Refused(
            ErrorCode.RATE_LIMITED,
            f"Too many requests: the limit is {limit:,} per {_NAMES[period]}. "
            f"Try again in {reset} seconds.",
            retry_after=reset,
        )
    return allowance


def _end_of(period: timedelta, now: datetime) -> datetime:
    start = now.replace(second=0, microsecond=0)
    return (start.replace(minute=0) if period == HOUR else start) + period
