"""Limits count over all connections, refill by minute or hour, and can be given back."""

import asyncio

import pytest
from testkit import FakeClock

from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.limits import HOUR, give_back, take
from licet_server.kit.work import Platform


async def taken(platform: Platform, bucket: str, times: int, limit: int) -> int:
    """How many of so many concurrent tries pass."""

    async def one() -> bool:
        try:
            await take(platform.database, bucket, limit, platform.clock())
        except Refused as refused:
            assert refused.code is ErrorCode.RATE_LIMITED  # noqa: PT017
            assert refused.retry_after  # noqa: PT017
            return False
        return True

    return sum(await asyncio.gather(*(one() for _ in range(times))))


async def test_never_one_over_the_limit(platform: Platform, clock: FakeClock) -> None:
    assert await taken(platform, "a", 60, 7) == 7
    clock.advance(minutes=1)
    assert await taken(platform, "a", 60, 7) == 7


async def test_buckets_are_apart_and_can_be_given_back(platform: Platform) -> None:
    assert await taken(platform, "b", 3, 3) == 3
    assert await taken(platform, "c", 3, 3) == 3
    await give_back(platform.database, "b", platform.clock())
    assert await taken(platform, "b", 3, 3) == 1


async def test_retry_after_reaches_the_next_minute(platform: Platform, clock: FakeClock) -> None:
    clock.advance(seconds=48)
    await take(platform.database, "d", 1, clock())
    with pytest.raises(Refused) as caught:
        await take(platform.database, "d", 1, clock())
    assert caught.value.retry_after == 12


async def test_longer_periods_are_kept_and_refill_at_their_end(
    platform: Platform, clock: FakeClock
) -> None:
    clock.advance(minutes=10, seconds=30)
    await take(platform.database, "e", 2, clock(), HOUR)
    await take(platform.database, "e", 2, clock(), HOUR)
    await give_back(platform.database, "e", clock(), HOUR)
    clock.advance(minutes=40)
    await take(platform.database, "other", 1, clock())  # tidies up what is over
    await take(platform.database, "e", 2, clock(), HOUR)
    with pytest.raises(Refused, match="in one hour") as caught:
        await take(platform.database, "e", 2, clock(), HOUR)
    assert caught.value.retry_after == 9 * 60 + 30
    clock.advance(seconds=9 * 60 + 30)
    await take(platform.database, "e", 2, clock(), HOUR)
