"""Places for what takes long: never more than there are, over all processes, and none gets lost."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
from patience import until_found
from sqlalchemy import text
from testkit import FakeClock

from licet_server.kit.clock import system_clock
from licet_server.kit.errors import Refused
from licet_server.kit.ids import new_id
from licet_server.kit.limits import Kind, Place, Places
from licet_server.kit.limits import places as module
from licet_server.kit.limits.buckets import delete_old_counters
from licet_server.kit.platform import Platform

EXPORTS = Kind("exports", per_user=3, per_institution=5, per_process=100, retry_after=10)
HELD_S = module.HELD_FOR.total_seconds()
NewProcess = Callable[[], Places]


@pytest.fixture
async def process(platform: Platform) -> AsyncIterator[NewProcess]:
    """Create the places of another process on the same database."""
    made: list[Places] = []

    def make() -> Places:
        made.append(Places(platform.database, platform.clock))
        return made[-1]

    yield make
    for places in made:
        await places.aclose()


async def taken(*calls: Any) -> list[Place]:
    found = await asyncio.gather(*calls, return_exceptions=True)
    refused = [item for item in found if not isinstance(item, Place)]
    for item in refused:
        assert isinstance(item, Refused), item
        assert (item.code, item.retry_after) == ("RateLimited", 10)
    return [item for item in found if isinstance(item, Place)]


async def test_processes_share_the_places_of_a_user(process: NewProcess) -> None:
    one, two = process(), process()
    calls = [places.take(EXPORTS, "ada") for _ in range(20) for places in (one, two)]
    assert len(await taken(*calls)) == 3
    assert len(await taken(one.take(EXPORTS, "bob"))) == 1


async def test_users_share_the_places_of_an_institution(process: NewProcess) -> None:
    one, two, institution = process(), process(), new_id(system_clock())
    calls = [
        places.take(EXPORTS, f"user {number}", institution)
        for number in range(10)
        for places in (one, two)
    ]
    assert len(await taken(*calls)) == 5
    [place] = await taken(one.take(EXPORTS, "somebody", new_id(system_clock())))
    one.give_back(place)
    # Who was refused for the institution has kept no place of their own.
    assert (
        len(await taken(*(two.take(EXPORTS, "user 9", new_id(system_clock())) for _ in range(3))))
        >= 1
    )


async def test_a_process_has_a_cap_of_its_own(process: NewProcess) -> None:
    one, few = process(), replace(EXPORTS, per_process=2)
    assert len(await taken(*(one.take(few, f"user {number}") for number in range(9)))) == 2
    assert len(await taken(process().take(few, "user 9"))) == 1


async def test_a_place_that_was_given_back_is_free_at_once(process: NewProcess) -> None:
    one, two = process(), process()
    for number in range(30):
        held = await taken(*((one, two)[number % 2].take(EXPORTS, "ada") for _ in range(3)))
        assert len(held) == 3
        for place in held:
            (one, two)[number % 2].give_back(place)


async def test_the_places_of_a_killed_process_are_free_after_half_a_minute(
    process: NewProcess, clock: FakeClock
) -> None:
    killed, other = process(), process()
    assert len(await taken(*(killed.take(EXPORTS, "ada") for _ in range(3)))) == 3
    clock.advance(seconds=HELD_S / 2)
    assert await taken(other.take(EXPORTS, "ada")) == []
    clock.advance(seconds=HELD_S)
    assert len(await taken(other.take(EXPORTS, "ada"))) == 1


async def test_a_living_process_keeps_its_places(
    process: NewProcess, clock: FakeClock, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXTEND_SECONDS", 0.02)
    one = process()
    await taken(*(one.take(EXPORTS, "ada") for _ in range(3)))
    for _ in range(5):
        clock.advance(seconds=HELD_S / 2)
        now = clock()

        async def extended(now: Any = now) -> bool:
            async with platform.database.reading() as db:
                least = await db.execute(text("SELECT min(held_until) FROM held_places"))
                return bool(least.scalar_one() >= now + module.HELD_FOR)

        await until_found(extended)
    assert await taken(process().take(EXPORTS, "ada")) == []


async def test_left_places_are_deleted(
    process: NewProcess, clock: FakeClock, platform: Platform
) -> None:
    [_] = await taken(process().take(EXPORTS, "ada"))
    await delete_old_counters(platform)  # of other tests
    assert await delete_old_counters(platform) == 0
    clock.advance(minutes=6)
    assert await delete_old_counters(platform) == 1
