"""Limits count over all connections, refill by minute or hour, and can be given back."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from testkit import FakeClock, settings_for

from licet_server.app import build_platform
from licet_server.kit.batching import Batching
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.limits import (
    HOUR,
    Allowance,
    KeyLimits,
    delete_old_counters,
    record_allowances_in,
    storage,
    take,
    tightest,
    undo_take,
    without_recording,
)
from licet_server.kit.platform import Platform


async def taken(platform: Platform, bucket: str, times: int, limit: int) -> int:
    """How many of so many concurrent tries pass."""
    return await passed([lambda: take(platform.database, bucket, limit, platform.clock())] * times)


async def passed(takes: Sequence[Callable[[], Any]]) -> int:
    """How many of these pass, all at once."""

    async def one(take: Callable[[], Any]) -> bool:
        try:
            await take()
        except Refused as refused:
            assert refused.code is ErrorCode.RATE_LIMITED  # noqa: PT017
            assert refused.retry_after  # noqa: PT017
            return False
        return True

    return sum(await asyncio.gather(*(one(each) for each in takes)))


async def test_never_one_over_the_limit(platform: Platform, clock: FakeClock) -> None:
    assert await taken(platform, "a", 60, 7) == 7
    clock.advance(minutes=1)
    assert await taken(platform, "a", 60, 7) == 7


async def test_buckets_are_apart_and_can_be_given_back(platform: Platform) -> None:
    assert await taken(platform, "b", 3, 3) == 3
    assert await taken(platform, "c", 3, 3) == 3
    await undo_take(platform.database, "b", platform.clock())
    assert await taken(platform, "b", 3, 3) == 1


async def test_retry_after_reaches_the_next_minute(platform: Platform, clock: FakeClock) -> None:
    clock.advance(seconds=48)
    left = await take(platform.database, "d", 1, clock())
    assert left == Allowance("d", 1, 0, 12)
    with pytest.raises(Refused) as caught:
        await take(platform.database, "d", 1, clock())
    assert caught.value.retry_after == 12


async def test_longer_periods_are_kept_and_refill_at_their_end(
    platform: Platform, clock: FakeClock
) -> None:
    clock.advance(minutes=10, seconds=30)
    await take(platform.database, "e", 2, clock(), HOUR)
    await take(platform.database, "e", 2, clock(), HOUR)
    await undo_take(platform.database, "e", clock(), HOUR)
    clock.advance(minutes=40)
    await take(platform.database, "e", 2, clock(), HOUR)
    with pytest.raises(Refused, match="2 per hour") as caught:
        await take(platform.database, "e", 2, clock(), HOUR)
    assert caught.value.retry_after == 9 * 60 + 30
    clock.advance(seconds=9 * 60 + 30)
    await take(platform.database, "e", 2, clock(), HOUR)


async def test_counters_of_the_past_are_forgotten(platform: Platform, clock: FakeClock) -> None:
    async def counters() -> list[str]:
        async with platform.database.reading() as db:
            query = text("SELECT bucket FROM rate_counters WHERE bucket LIKE 'past:%' ORDER BY 1")
            return list((await db.execute(query)).scalars())

    await take(platform.database, "past:minute", 2, clock())
    await take(platform.database, "past:hour", 2, clock(), HOUR)
    clock.advance(minutes=5)
    await delete_old_counters(platform)
    assert await counters() == ["past:hour", "past:minute"]
    clock.advance(minutes=2)
    await delete_old_counters(platform)
    assert await counters() == ["past:hour"]


async def test_allowances_are_recorded_for_the_response(platform: Platform) -> None:
    noted: list[Allowance] = []
    record_allowances_in(noted)
    await asyncio.create_task(_take(platform, "noted:a", 5))
    await take(platform.database, "noted:b", 3, platform.clock())
    with without_recording():
        await take(platform.database, "noted:secret", 1, platform.clock())
    await take(platform.database, "noted:c", 1, platform.clock())
    await undo_take(platform.database, "noted:c", platform.clock())
    record_allowances_in([])
    await take(platform.database, "noted:d", 1, platform.clock())
    assert [(item.bucket, item.remaining) for item in noted] == [("noted:a", 4), ("noted:b", 2)]
    assert tightest(noted) == noted[1]
    assert tightest([]) is None


async def _take(platform: Platform, bucket: str, limit: int) -> None:
    await take(platform.database, bucket, limit, platform.clock())


@pytest.fixture
async def instance(
    new_database: Callable[[], str], tmp_path: Path, clock: FakeClock
) -> AsyncIterator[Platform]:
    """An instance with a database of its own."""
    platform = build_platform(settings_for(new_database(), tmp_path), clock)
    yield platform
    await platform.database.close()


@pytest.fixture
async def two(instance: Platform) -> AsyncIterator[tuple[KeyLimits, KeyLimits]]:
    """Two processes of the instance, each with connections and batches of its own."""
    platforms = [build_platform(instance.settings, instance.clock) for _ in range(2)]
    first, second = (KeyLimits(each.database, each.clock, Batching()) for each in platforms)
    yield first, second
    await first.aclose()
    await second.aclose()
    for platform in platforms:
        await platform.database.close()


async def test_batches_of_two_processes_never_let_one_more_pass(
    two: tuple[KeyLimits, KeyLimits], clock: FakeClock
) -> None:
    for limit in (1, 37, 400):
        takes = [lambda of=two[n % 2], limit=limit: of.take("key", limit) for n in range(500)]
        assert await passed(takes) == limit
        clock.advance(minutes=1)


async def test_a_crowd_of_keys_meets_in_any_order(
    two: tuple[KeyLimits, KeyLimits], instance: Platform
) -> None:
    """Two who lock the same counters lock them in the same order, whoever asked in which.

    Both begin, from either end, while somebody holds the one in the middle.
    """
    keys = [f"key-{number}" for number in range(9)]
    await two[0].take(keys[4], 9)
    takes = [
        lambda of=of, key=key: of.take(key, 9)
        for of, order in zip(two, (keys, keys[::-1]), strict=True)
        for key in order
    ]
    async with instance.database.transaction() as db:
        await db.execute(text("SELECT 1 FROM rate_counters FOR UPDATE"))
        all_pass = asyncio.create_task(passed(takes))
        while await waiting(instance) < 2:
            pass
    assert await all_pass == len(takes)


async def waiting(platform: Platform) -> int:
    """How many connections to the database wait for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    async with platform.database.reading() as db:
        own = " AND datname = current_database()"
        return int((await db.execute(text(query + own))).scalar_one())


async def test_those_who_come_together_are_counted_in_their_order(
    two: tuple[KeyLimits, KeyLimits],
) -> None:
    left = await asyncio.gather(*(two[0].take("order", 10) for _ in range(10)))
    assert [item.remaining for item in left] == list(range(9, -1, -1))
    with pytest.raises(Refused):
        await two[1].take("order", 10)


async def test_control_who_looks_first_and_counts_then_lets_more_pass(
    two: tuple[KeyLimits, KeyLimits], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same race, with a count that is read before it is written."""
    met = asyncio.Barrier(2)

    async def look_and_count(db: Any, taken: Any, ends_at: Any) -> dict[str, int]:
        query = text("SELECT coalesce(sum(count), 0) FROM rate_counters WHERE bucket = :b")
        found = {
            bucket: (await db.execute(query, {"b": bucket})).scalar_one() for bucket, _ in taken
        }
        await met.wait()
        await add(db, taken, ends_at)
        return {bucket: found[bucket] + number for bucket, number in taken}

    add = storage.add
    monkeypatch.setattr(storage, "add", look_and_count)
    takes = [lambda of=of: of.take("raced", 5) for of in two for _ in range(5)]
    assert await passed(takes) == 10
