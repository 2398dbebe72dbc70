"""Limits under race: three server processes on one database, real commits, many clients.

Each race is run against the service as it is, which never lets in one too many, and against one
that lacks the protection, which is seen to do so.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from e2e.fleet import SERVERS, Answer, Fleet, License, at_once, fleet_on
from e2e.process import eventually, lives
from e2e.races import (
    TIMEOUT_S,
    Caps,
    DeviceSeats,
    Life,
    Seats,
    SessionSeats,
    Told,
    as_stored,
    change_caps,
    come_and_go,
    expire_and_revive,
    lower_amid_a_rush,
    many_machines,
    most_at_once,
    pooled,
    rush,
    same_device,
    same_instance,
    watch,
)
from e2e.vendor import make_vendor
from sqlalchemy import text

from licet_server.kit.clock import system_clock
from licet_server.kit.passwords import Passwords

CLIENTS, DEVICES, SESSIONS = 60, 7, 5
ROUNDS = 3
TRIES = 8
KINDS = [pytest.param(DeviceSeats(), id="devices"), pytest.param(SessionSeats(), id="sessions")]

Without = Callable[[str], AbstractAsyncContextManager[Fleet]]


@pytest.fixture(scope="module")
async def fleet(
    new_database: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
    fast_passwords: Passwords,
) -> AsyncIterator[Fleet]:
    """The service as it is."""
    folder = tmp_path_factory.mktemp("fleet")
    async with fleet_on(new_database(), folder, fast_passwords) as fleet:
        yield fleet


@pytest.fixture
def without(new_database: Callable[[], str], tmp_path: Path, fast_passwords: Passwords) -> Without:
    """The service without one protection, for one test."""
    return lambda name: fleet_on(new_database(), tmp_path, fast_passwords, name)


async def one_too_many(race: Callable[[], Awaitable[int]], limit: int) -> int:
    """By how much a race without protection exceeds its limit, in one of a few tries."""
    for _ in range(TRIES):
        most = await race()
        if most > limit:
            print(f"{most} instead of {limit}")
            return most - limit
    pytest.fail(f"never more than {limit}, though nothing protects it")


def counted(told: list[Answer]) -> Counter[str]:
    return Counter(answer.code for answer in told)


# Many clients for few seats


async def check_rush(fleet: Fleet, seats: Seats, license_: License, cap: int, full: str) -> Told:
    told = await rush(fleet, seats, license_, CLIENTS)
    assert told.codes == {"take 201": cap, f"take 409 {full}": CLIENTS - cap}
    assert len(told.servers) == SERVERS
    assert await seats.held(fleet, license_) == sorted(life.id for life in told.lives)
    return told


async def test_sixty_clients_for_seven_devices(fleet: Fleet) -> None:
    for _ in range(ROUNDS):
        license_ = pooled(fleet, DeviceSeats(), DEVICES)
        await check_rush(fleet, DeviceSeats(), license_, DEVICES, "MaxActivationsReached")
        assert await fleet.tally(license_) == DEVICES


async def test_sixty_clients_for_five_sessions(fleet: Fleet) -> None:
    seats = SessionSeats()
    license_ = pooled(fleet, seats, SESSIONS)
    for _ in range(ROUNDS):  # the first round makes the slots, the others find them free
        told = await check_rush(fleet, seats, license_, SESSIONS, "MaxConcurrentSessionsReached")
        ended = await at_once(fleet.disconnect(n, life.id) for n, life in enumerate(told.lives))
        assert counted(ended) == {"204": SESSIONS}
        assert await fleet.live(license_) == []


async def exceed(fleet: Fleet, seats: Seats, cap: int) -> int:
    license_ = pooled(fleet, seats, cap)
    told = await rush(fleet, seats, license_, CLIENTS)
    assert {code[:8] for code in told.codes} <= {"take 201", "take 409"}, "it works otherwise"
    return len(await seats.held(fleet, license_))


async def test_control_without_slots(without: Without) -> None:
    async with without("session-slots") as fleet:
        await one_too_many(lambda: exceed(fleet, SessionSeats(), SESSIONS), SESSIONS)


# Sessions that expire while their heartbeats arrive

POOL = 10


@asynccontextmanager
async def in_haste(fleet: Fleet) -> AsyncIterator[None]:
    """Another product, whose settings are below those that the API takes."""
    settings = {
        "session_timeout_seconds": TIMEOUT_S,
        "heartbeat_interval_seconds": TIMEOUT_S / 3,
        "heartbeat_min_spacing_seconds": 0,
    }
    usual = fleet.vendor
    fleet.vendor = make_vendor(usual.owner, "Hasty")
    sql = "UPDATE products SET settings = settings || CAST(:settings AS jsonb) WHERE id = :id"
    given = {"settings": json.dumps(settings), "id": fleet.vendor.product}
    async with fleet.platform.database.transaction() as db:
        await db.execute(text(sql), given)
    yield
    fleet.vendor = usual


async def race_expiry(fleet: Fleet, seconds: float) -> tuple[Told, list[int]]:
    """What clients were told, and the most at once: as they know it, as stored, as seen."""
    license_ = pooled(fleet, SessionSeats(), POOL)
    stop = asyncio.Event()
    watching = asyncio.create_task(watch(fleet, license_, stop))
    told = await expire_and_revive(fleet, license_, 3 * POOL, seconds)
    stop.set()
    stored = as_stored(told.lives, await fleet.past_and_present(license_))
    return told, [most_at_once(told.lives), most_at_once(stored), await watching]


async def test_expiry_against_heartbeats(fleet: Fleet) -> None:
    async with in_haste(fleet):
        told, most = await race_expiry(fleet, 10)
    decided = most_at_once(told.lives, lambda life: life.decided or life.arrived)
    print(f"{len(told.lives)} sessions; at most {most}, from their decisions on {decided}")
    print(told.codes)
    assert max(most) <= POOL
    assert not told.revived
    assert told.codes["beat 200"] > 0
    assert told.codes["beat 404 SessionNotFound"] > POOL, "sessions did expire"
    assert told.codes["connect 409 MaxConcurrentSessionsReached"] > 0, "the pool was full"


async def test_control_without_contended_expiry(without: Without) -> None:
    async def race() -> int:
        told, most = await race_expiry(fleet, 3)
        print(f"{most}; {told.codes}; {len(told.revived)} revived")
        return most[0]

    async with without("expiry") as fleet, in_haste(fleet):
        await one_too_many(race, POOL)


# One device against itself


async def test_one_device_activates_thirty_times_at_once(fleet: Fleet) -> None:
    for _ in range(ROUNDS):
        license_ = pooled(fleet, DeviceSeats(), DEVICES)
        told = await same_device(fleet, license_)
        assert counted(told) == {"201": 1, "200": 29}
        assert len({answer.body["activationId"] for answer in told}) == 1
        assert await fleet.holders(license_) == ["the-machine"]
        assert await fleet.tally(license_) == 1


async def emptied(fleet: Fleet, cap: int) -> License:
    """A Floating license whose slots are there and free."""
    license_ = pooled(fleet, SessionSeats(), cap)
    told = await rush(fleet, SessionSeats(), license_, cap)
    await at_once(fleet.disconnect(n, life.id) for n, life in enumerate(told.lives))
    assert await fleet.live(license_) == []
    return license_


@pytest.mark.parametrize("cap", [1, SESSIONS])
async def test_one_instance_connects_thirty_times_at_once(fleet: Fleet, cap: int) -> None:
    """Each replaces the one before, so that nobody is refused and one is left."""
    for license_ in (pooled(fleet, SessionSeats(), cap), await emptied(fleet, cap)):
        told = await same_instance(fleet, license_)
        assert counted(told) == {"201": 30}
        [live] = await fleet.live(license_)
        begun = {answer.body["sessionId"] for answer in told}
        assert live in begun
        beats = {session: await fleet.heartbeat(1, session) for session in begun}
        assert {session for session, beat in beats.items() if beat.status == 200} == {live}
        assert await fleet.live(license_) == [live]


async def test_control_without_the_key_of_instances(without: Without) -> None:
    async def race() -> int:
        license_ = await emptied(fleet, SESSIONS)
        await same_instance(fleet, license_)
        return len(await fleet.live(license_))

    async with without("instance") as fleet:
        await one_too_many(race, 1)


# Many machines for one node-locked license


def welcome(told: list[tuple[str, Answer]]) -> set[str]:
    """The machines that may use the license."""
    return {
        machine
        for machine, answer in told
        if answer.status in {200, 201} and answer.body.get("valid", True)
    }


@pytest.mark.parametrize("machines", [2, 3, 30])
async def test_machines_for_one_license(fleet: Fleet, machines: int) -> None:
    for _ in range(ROUNDS):
        license_ = fleet.vendor.issue("NodeLocked")
        told = await many_machines(fleet, license_, machines)
        bound = await fleet.bound(license_)
        assert len(bound) == 1
        assert welcome(told) == set(bound)
        assert await fleet.holders(license_) == bound
        assert await fleet.tally(license_) == 1
        refused = counted([answer for machine, answer in told if machine not in bound])
        assert refused.keys() <= {"200", "403 HardwareMismatch", "409 MaxActivationsReached"}


async def test_control_without_the_tally_of_devices(without: Without) -> None:
    async def rows_of_one_device() -> int:
        license_ = pooled(fleet, DeviceSeats(), DEVICES)
        await same_device(fleet, license_)
        return len(await fleet.holders(license_))

    async def machines_of_one_license() -> int:
        license_ = fleet.vendor.issue("NodeLocked")
        told = await many_machines(fleet, license_, 30)
        return min(len(welcome(told)), len(await fleet.bound(license_)))

    async with without("tally") as fleet:
        await one_too_many(lambda: exceed(fleet, DeviceSeats(), DEVICES), DEVICES)
        await one_too_many(rows_of_one_device, 1)
        await one_too_many(machines_of_one_license, 1)


# Caps that change meanwhile

SERIES = [2, 9, 3, 12, 1, 6]


@pytest.mark.parametrize("seats", KINDS)
async def test_caps_change_while_clients_come_and_go(fleet: Fleet, seats: Seats) -> None:
    began = system_clock()
    license_ = pooled(fleet, seats, DEVICES)
    caps, stop = Caps([(began, system_clock(), DEVICES)]), asyncio.Event()
    coming = asyncio.create_task(come_and_go(fleet, seats, license_, stop, CLIENTS))
    await change_caps(fleet, license_, caps, SERIES, 0.4)
    await asyncio.sleep(0.4)
    stop.set()
    told = await coming
    took = max(answered - asked for asked, answered, _ in caps.changes)
    print(f"{told.codes}; a change took up to {took.total_seconds():.2f} s")
    assert caps.exceeded(told.lives) == []
    assert {code.partition(" ")[2][:3] for code in told.codes} <= {"201", "204", "409"}
    assert await seats.held(fleet, license_) == _still_there(told)
    assert len(_still_there(told)) <= SERIES[-1]
    assert took < timedelta(seconds=10)


def _still_there(told: Told) -> list[str]:
    now = system_clock()
    return sorted(life.id for life in told.lives if life.until > now)


CROWD = 80


@pytest.mark.parametrize("seats", KINDS)
async def test_nobody_comes_after_the_cap_was_lowered(fleet: Fleet, seats: Seats) -> None:
    seen = [await lower_amid_a_rush(fleet, seats, CROWD, SESSIONS) for _ in range(ROUNDS)]
    for one in seen:
        print(f"{len(one.at_once)} were in; lowering took {one.took_s:.2f} s")
        assert len(one.at_once) >= SESSIONS
        assert one.later == one.at_once
    assert any(len(one.at_once) < CROWD for one in seen), "it was lowered while they came"


@pytest.mark.parametrize("seats", KINDS)
async def test_control_without_holding_the_license(without: Without, seats: Seats) -> None:
    async def race() -> int:
        seen = await lower_amid_a_rush(fleet, seats, CROWD, SESSIONS)
        return len(seen.later - seen.at_once)

    async with without("license-hold") as fleet:
        await one_too_many(race, 0)


# Processes that are killed


async def race_kills(fleet: Fleet, seats: Seats, cap: int) -> tuple[License, Told]:
    """Two of three servers are killed while clients come and go, who then ask another one."""
    license_, stop = pooled(fleet, seats, cap), asyncio.Event()
    coming = asyncio.create_task(come_and_go(fleet, seats, license_, stop, CLIENTS))
    for victim in (1, 2):
        await asyncio.sleep(0.7)
        fleet.kill(victim)
        await asyncio.to_thread(eventually, lambda: not lives(fleet.pids[victim]), "it is dead")  # noqa: B023
    await asyncio.sleep(0.7)
    stop.set()
    return license_, await coming


def lost(told: Told, held: list[str]) -> list[Life]:
    """Seats that were promised and are not there, though nobody gave them back."""
    now = system_clock()
    return [life for life in told.lives if life.until > now and life.id not in held]


@pytest.mark.parametrize("seats", KINDS)
async def test_servers_are_killed(fleet: Fleet, seats: Seats) -> None:
    cap = 20
    try:
        license_, told = await race_kills(fleet, seats, cap)
        held = await seats.held(fleet, license_)
    finally:
        for victim in (1, 2):
            fleet.revive(victim)
    print(f"{told.codes}; {len(held)} are held in the end")
    assert most_at_once(told.lives) <= cap
    assert len(held) <= cap
    assert lost(told, held) == []
    assert told.codes["take 0"] > 0, "the kills were felt"
    if isinstance(seats, DeviceSeats):
        assert await fleet.tally(license_) == len(held)
    else:
        stored = await fleet.past_and_present(license_)
        assert {life.id for life in told.lives} <= stored.keys()
        assert most_at_once(as_stored(told.lives, stored)) <= cap


async def test_control_that_answers_before_it_commits(without: Without) -> None:
    async with without("commit-first") as fleet:
        license_, told = await race_kills(fleet, SessionSeats(), 20)
        stored = await fleet.past_and_present(license_)
    missing = {life.id for life in told.lives} - stored.keys()
    print(f"{len(missing)} answers were lost")
    assert missing
