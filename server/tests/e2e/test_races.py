"""Limits under race: three server processes on one database, real commits, many clients.

Each race is run against the service as it is, which never lets in one too many, and against one
that lacks the protection, which is seen to do so.
"""

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from e2e.fleet import SERVERS, Fleet, License, at_once, fleet_on
from e2e.judging import Told, as_stored, counted, most_at_once
from e2e.races import (
    ROOMY,
    DeviceSeats,
    FileSeats,
    Seats,
    SessionSeats,
    accepted,
    lower_amid_a_rush,
    many_machines,
    pooled,
    race_caps,
    race_expiry,
    race_kills,
    rush,
    same_device,
    same_instance,
)
from volumes import is_long

from licet_server.kit.passwords import Passwords

CLIENTS, DEVICES, SESSIONS = 60, 7, 5
ROUNDS = 3 if is_long() else 1
EXPIRING_S = 12 if is_long() else 6
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


async def one_too_many(race: Callable[[], Awaitable[int]], limit: int) -> None:
    """A race without protection exceeds its limit, in one of a few tries."""
    for _ in range(TRIES):
        most = await race()
        if most > limit:
            print(f"{most} instead of {limit}")
            return
    pytest.fail(f"never more than {limit}, though nothing protects it")


# Many clients for few seats


async def check_rush(fleet: Fleet, seats: Seats, license_: License, cap: int, full: str) -> Told:
    told = await rush(fleet, seats, license_, CLIENTS)
    assert told.codes == {f"take {seats.taken}": cap, f"take 409 {full}": CLIENTS - cap}
    assert len(told.servers) == SERVERS
    assert await seats.held(fleet, license_) == sorted(life.id for life in told.lives)
    return told


async def test_sixty_clients_for_seven_devices(fleet: Fleet) -> None:
    for _ in range(ROUNDS):
        license_ = pooled(fleet, DeviceSeats(), DEVICES)
        await check_rush(fleet, DeviceSeats(), license_, DEVICES, "MaxActivationsReached")
        assert await fleet.seats_used(license_) == DEVICES


@pytest.mark.specification("mission-1")
async def test_sixty_clients_for_seven_offline_files(fleet: Fleet) -> None:
    for _ in range(ROUNDS):
        license_ = pooled(fleet, FileSeats(), DEVICES)
        await check_rush(fleet, FileSeats(), license_, DEVICES, "MaxActivationsReached")
        assert await fleet.seats_used(license_) == DEVICES


async def test_control_without_device_counters_there_are_more_files(without: Without) -> None:
    async with without("counters") as fleet:
        await one_too_many(lambda: exceed(fleet, FileSeats(), DEVICES), DEVICES)


async def test_sixty_clients_for_five_sessions(fleet: Fleet) -> None:
    seats = SessionSeats()
    license_ = pooled(fleet, seats, SESSIONS)
    for _ in range(1 + ROUNDS):  # the first round makes the slots, the others find them free
        told = await check_rush(fleet, seats, license_, SESSIONS, "MaxConcurrentSessionsReached")
        ended = await at_once(fleet.disconnect(n, life.id) for n, life in enumerate(told.lives))
        assert counted(ended) == {"204": SESSIONS}
        assert await fleet.live(license_) == []


async def exceed(fleet: Fleet, seats: Seats, cap: int) -> int:
    license_ = pooled(fleet, seats, cap)
    told = await rush(fleet, seats, license_, CLIENTS)
    known = {f"take {seats.taken}", "take 409"}
    assert {code[:8] for code in told.codes} <= known, "it works otherwise"
    return len(await seats.held(fleet, license_))


# Sessions that expire while their heartbeats arrive

POOL = 10
TIMEOUTS_S = (1, 2, 4)
"""The first is the one that is meant; the others are for machines that cannot keep pace with it."""


def is_lively(told: Told) -> bool:
    """Whether sessions were kept alive and timed out, and the pool was full."""
    wanted = ("beat 200", "beat 404 SessionNotFound", "connect 409 MaxConcurrentSessionsReached")
    return all(told.codes[code] >= POOL for code in wanted)


async def test_expiry_against_heartbeats(fleet: Fleet) -> None:
    for timeout_s in TIMEOUTS_S:
        told, most = await race_expiry(fleet, POOL, timeout_s, EXPIRING_S + 4 * timeout_s)
        decided = most_at_once(told.lives, lambda life: life.decided or life.arrived)
        print(f"{decided} at most, when each counts from its decision on")
        assert max(most) <= POOL
        assert not told.revived
        if is_lively(told):
            return
    pytest.fail("heartbeats and timeouts never met")


async def test_control_without_contended_expiry(without: Without) -> None:
    timeouts = itertools.cycle(TIMEOUTS_S)

    async def race() -> int:
        timeout_s = next(timeouts)
        _, most = await race_expiry(fleet, POOL, timeout_s, EXPIRING_S)
        return most[0]

    async with without("expiry") as fleet:
        await one_too_many(race, POOL)


# One device against itself


async def test_one_device_activates_thirty_times_at_once(fleet: Fleet) -> None:
    for _ in range(ROUNDS):
        license_ = pooled(fleet, DeviceSeats(), DEVICES)
        told = await same_device(fleet, license_)
        assert counted(told) == {"201": 1, "200": 29}
        assert len({answer.body["activationId"] for answer in told}) == 1
        assert await fleet.holders(license_) == ["the-machine"]
        assert await fleet.seats_used(license_) == 1


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
        # One at each server: a later one would end what these leave.
        await same_instance(fleet, license_, clients=SERVERS)
        return len(await fleet.live(license_))

    async with without("instance") as fleet:
        await one_too_many(race, 1)


# Many machines for one node-locked license


@pytest.mark.parametrize("machines", [2, 3, 30])
async def test_machines_for_one_license(fleet: Fleet, machines: int) -> None:
    for _ in range(ROUNDS):
        license_ = fleet.vendor.issue("NodeLocked")
        told = await many_machines(fleet, license_, machines)
        bound = await fleet.bound(license_)
        assert len(bound) == 1
        assert accepted(told) == set(bound)
        assert await fleet.holders(license_) == bound
        assert await fleet.seats_used(license_) == 1
        refused = counted([answer for machine, answer in told if machine not in bound])
        assert refused.keys() <= {"200", "403 HardwareMismatch", "409 MaxActivationsReached"}


async def test_control_without_device_counters(without: Without) -> None:
    async def rows_of_one_device() -> int:
        license_ = pooled(fleet, DeviceSeats(), DEVICES)
        await same_device(fleet, license_)
        return len(await fleet.holders(license_))

    async def machines_of_one_license() -> int:
        license_ = fleet.vendor.issue("NodeLocked")
        told = await many_machines(fleet, license_, 30)
        return min(len(accepted(told)), len(await fleet.bound(license_)))

    async with without("counters") as fleet:
        await one_too_many(lambda: exceed(fleet, DeviceSeats(), DEVICES), DEVICES)
        await one_too_many(rows_of_one_device, 1)
        await one_too_many(machines_of_one_license, 1)


# Caps that change meanwhile

SERIES = [7, 2, 9, 3, 12, 1, 6] if is_long() else [7, 2, 9, 3]


@pytest.mark.parametrize("seats", KINDS)
async def test_caps_change_while_clients_come_and_go(fleet: Fleet, seats: Seats) -> None:
    license_, caps, told = await race_caps(fleet, seats, SERIES, CLIENTS)
    assert caps.exceeded(told.lives) == []
    assert {code.partition(" ")[2][:3] for code in told.codes} == {"201", "204", "409"}
    left = told.left()
    assert await seats.held(fleet, license_) == sorted(left)
    assert len(left) <= SERIES[-1]


async def test_control_without_slots(without: Without) -> None:
    async def came_above_a_changing_cap() -> int:
        _, caps, told = await race_caps(fleet, SessionSeats(), SERIES[:3], CLIENTS)
        return len(caps.exceeded(told.lives))

    async with without("session-slots") as fleet:
        await one_too_many(lambda: exceed(fleet, SessionSeats(), SESSIONS), SESSIONS)
        await one_too_many(came_above_a_changing_cap, 0)


@pytest.mark.parametrize("seats", KINDS)
async def test_nobody_comes_after_the_cap_was_lowered(fleet: Fleet, seats: Seats) -> None:
    for _ in range(ROUNDS):
        seen = await lower_amid_a_rush(fleet, seats, SESSIONS)
        print(f"{len(seen.at_once)} were in; lowering took {seen.took_s:.2f} s")
        assert len(seen.at_once) >= SESSIONS
        assert seen.later == seen.at_once


async def test_control_without_holding_the_license(without: Without) -> None:
    async def race(seats: Seats) -> int:
        # Each takes its time, so that of many the last would be turned away.
        seen = await lower_amid_a_rush(fleet, seats, SESSIONS, clients=8)
        return len(seen.later - seen.at_once)

    async with without("license-hold") as fleet:
        await one_too_many(lambda: race(DeviceSeats()), 0)
        await one_too_many(lambda: race(SessionSeats()), 0)


# Processes that are killed

VICTIMS = (1, 2)


@pytest.mark.parametrize("seats", KINDS)
async def test_servers_are_killed(fleet: Fleet, seats: Seats) -> None:
    # A killed server may have let in a third of the clients, who never learn of their seats. After
    # two of them there must be some left.
    cap = CLIENTS - 10
    try:
        license_, told = await race_kills(fleet, seats, cap, CLIENTS, VICTIMS)
        held = await seats.held(fleet, license_)
    finally:
        for victim in VICTIMS:
            fleet.revive(victim)
    print(f"{told.codes}; {len(held)} are held in the end")
    assert most_at_once(told.lives) <= cap
    assert len(held) <= cap
    assert told.left() <= set(held), "whoever did not leave keeps the seat"
    assert told.codes["take 0"] > 0, "the kills were felt"
    if isinstance(seats, DeviceSeats):
        assert await fleet.seats_used(license_) == len(held)
    else:
        stored = await fleet.past_and_present(license_)
        assert {life.id for life in told.lives} <= stored.keys()
        assert most_at_once(as_stored(told.lives, stored)) <= cap


async def test_control_that_answers_before_it_commits(without: Without) -> None:
    async with without("commit-first") as fleet:
        license_, told = await race_kills(fleet, SessionSeats(), ROOMY, CLIENTS, VICTIMS[:1])
        stored = await fleet.past_and_present(license_)
    lost = {life.id for life in told.lives} - stored.keys()
    print(f"{len(lost)} of {len(told.lives)} sessions were lost")
    assert lost
