"""A lowered cap ends no session, and admits none until enough have ended, in any order."""

import random  # noqa: TID251 - repeatable
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import refusal
from msgspec.structs import replace
from sessions.test_heartbeats import change_settings
from volumes import is_long
from world import Vendor, World

from licet_server.kit.together import Found
from licet_server.sessions.rules import pools
from licet_server.sessions.rules.pools import PoolState
from licet_server.sessions.service.ending import end_expired_sessions
from licet_server.sessions.storage import pools as pool_storage
from licet_server.sessions.storage import slots as storage


async def fill(vendor: Vendor, made: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Start sessions in the slots 1 to `count`, in this order."""
    return [await vendor.connected(made, f"m-{n}", instanceId="i") for n in range(count)]


@pytest.mark.parametrize("order", ["low first", "high first", "mixed"])
async def test_lowering_ten_to_five(world: World, order: str) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=10)
    sessions = await fill(world, made, 10)
    await world.set_cap(made, 5)
    if order == "high first":
        sessions.reverse()
    elif order == "mixed":
        random.Random(7).shuffle(sessions)
    for live in range(10, 5, -1):
        full = await world.connect(made, "new")
        assert refusal(full) == (409, "MaxConcurrentSessionsReached")
        assert (full.json()["seatsUsed"], full.json()["seatsTotal"]) == (live, 5)
        assert (await world.disconnect(sessions.pop(0))).status_code == 204
    assert (await world.connect(made, "new")).status_code == 409, "five sessions are live"
    for number in range(5):
        await world.disconnect(sessions.pop(0))
        newcomer = await world.connected(made, f"new-{number}")
        assert (newcomer["seatsUsed"], newcomer["seatsTotal"]) == (5, 5)
        assert (await world.connect(made, "another")).status_code == 409
        for session in [*sessions, newcomer]:
            assert (await world.heartbeat(session)).status_code == 200, (
                "the session was moved, not lost"
            )
        world.clock.advance(seconds=5)
    assert [slot["n"] for slot in await world.slots_of(made)] == [1, 2, 3, 4, 5]


async def test_moved_sessions_keep_their_state(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=4)
    sessions = await fill(world, made, 4)
    world.clock.advance(seconds=10)
    await world.heartbeat(sessions[3])
    before = {item["id"]: item for item in await world.sessions(made)}
    await world.set_cap(made, 2)
    for session in sessions[:3]:
        await world.disconnect(session)
    newcomer = await world.connected(made, "new")
    after = {item["id"]: item for item in await world.sessions(made)}
    kept = sessions[3]["sessionId"]
    assert after.keys() == {kept, newcomer["sessionId"]}
    assert after[kept] == before[kept]
    assert refusal(await world.heartbeat(sessions[3])) == (429, "RateLimited")
    again = await world.connected(made, "m-3", instanceId="i")
    assert again["seatsUsed"] == 2
    assert refusal(await world.heartbeat(kept)) == (404, "SessionNotFound")


async def test_an_instance_beyond_the_cap_is_replaced_only_while_live(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=4)
    sessions = await fill(world, made, 4)
    await world.set_cap(made, 2)
    again = await world.connected(made, "m-3", instanceId="i")
    assert (again["seatsUsed"], again["seatsTotal"]) == (4, 2)
    world.clock.advance(seconds=60)
    for session in sessions[:3]:
        await world.heartbeat(session)
    world.clock.advance(seconds=30)
    full = await world.connect(made, "m-3", instanceId="i")
    assert refusal(full) == (409, "MaxConcurrentSessionsReached")
    assert full.json()["seatsUsed"] == 3
    await world.disconnect(sessions[2])
    assert (await world.connect(made, "m-3", instanceId="i")).status_code == 409
    await world.disconnect(sessions[0])
    back = await world.connected(made, "m-3", instanceId="i")
    assert back["seatsUsed"] == 2
    assert len(await world.sessions(made)) == 2


async def test_sessions_beyond_the_cap_time_out(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=4)
    sessions = await fill(world, made, 4)
    await world.set_cap(made, 2)
    world.clock.advance(seconds=60)
    await world.heartbeat(sessions[3])
    world.clock.advance(seconds=30)
    newcomer = await world.connected(made, "new")
    assert newcomer["seatsUsed"] == 2
    assert (await world.heartbeat(sessions[3])).status_code == 200
    assert [slot["n"] for slot in await world.slots_of(made)] == [1, 2]
    past = await world.sessions(made, status="Ended")
    assert {item["endReason"] for item in past} == {"TimedOut"}
    assert len(past) == 3


async def test_a_raised_cap_is_fully_available(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=5)
    sessions = await fill(world, made, 5)
    await world.set_cap(made, 2)
    for session in sessions[:4]:
        await world.disconnect(session)
    await world.connected(made, "new")
    await world.set_cap(made, 6)
    for number in range(4):
        await world.connected(made, f"more-{number}")
    assert (await world.connect(made, "one too many")).status_code == 409
    assert [slot["n"] for slot in await world.slots_of(made)] == [1, 2, 3, 4, 5, 6]


async def test_a_trial_with_sessions_becomes_floating(world: World) -> None:
    made = await world.issue("Trial")
    sessions = await fill(world, made, 4)
    body = {"type": "Floating", "maxActiveUsersCount": 3}
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/convert", body)
    full = await world.connect(made, "new")
    assert (full.status_code, full.json()["seatsUsed"]) == (409, 4)
    for session in sessions[:2]:
        await world.disconnect(session)
    assert (await world.connected(made, "new"))["seatsUsed"] == 3


@pytest.fixture(params=[500, 1], ids=["counted", "summed"])
def summed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Count the sessions of pools one by one, and in another case as those of large pools."""
    monkeypatch.setattr(pools, "SUMMED_SLOTS", request.param)
    found: list[bool] = []
    read = pool_storage.pools_in

    def note(rows: Found) -> dict[UUID, PoolState]:
        states = read(rows)
        found.extend(state.is_summed for state in states.values())
        return states

    monkeypatch.setattr(pool_storage, "pools_in", note)
    yield
    assert any(found) is (request.param == 1)
    assert not all(found)


@pytest.mark.usefixtures("summed")
@pytest.mark.parametrize("seed", range(6 if is_long() else 2))
async def test_random_requests_never_exceed_the_cap(world: World, seed: int) -> None:
    """Every step is checked against a plain list of sessions."""
    dice = random.Random(seed)
    cap = 6
    made = await world.issue("Floating", maxActiveUsersCount=cap)
    expected: dict[str, tuple[str, float]] = {}  # session -> instance, expiry
    ended: set[str] = set()
    time = 0.0
    for _ in range(120):
        live = {key: item for key, item in expected.items() if item[1] > time}
        step = dice.choices(["connect", "leave", "beat", "wait", "cap"], [8, 3, 4, 3, 2])[0]
        if step == "connect":
            name = f"i-{dice.randrange(12)}"
            own = [key for key, item in live.items() if item[0] == name]
            answer = await world.connect(made, "m", instanceId=name)
            assert (answer.status_code == 201) is (bool(own) or len(live) < cap), answer.text
            for key in own:
                ended.add(key)
                del expected[key], live[key]
            used = len(live) + (answer.status_code == 201)
            assert answer.json()["seatsUsed"] == used
            if answer.status_code == 201:
                expected[answer.json()["sessionId"]] = (name, time + 90)
        elif step == "leave" and live:
            key = dice.choice(sorted(live))
            assert (await world.disconnect(key)).status_code == 204
            ended.add(key)
            del expected[key]
        elif step == "beat" and expected:
            key = dice.choice(sorted(expected))
            code = (await world.heartbeat(key)).status_code
            assert code in ({200, 429} if key in live else {404})
            if code == 200:
                expected[key] = (expected[key][0], time + 90)
        elif step == "wait":
            seconds = dice.choice([3, 20, 45])
            world.clock.advance(seconds=seconds)
            time += seconds
        elif step == "cap":
            cap = dice.randint(1, 8)
            await world.set_cap(made, cap)
            await end_expired_sessions(world.platform)
        shown = {item["id"] for item in await world.sessions(made)}
        assert shown == {key for key, item in expected.items() if item[1] > time}
    assert ended <= {
        item["id"] for item in await world.sessions(made, status="Ended", pageSize=100)
    }


@pytest.mark.parametrize("way", ["started", "written"])
async def test_a_session_that_times_out_before_all_others_is_counted_until_then(
    world: World, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Until when no session of a large pool times out is known, and becomes earlier with it."""
    monkeypatch.setattr(pools, "SUMMED_SLOTS", 1)
    made = await world.issue("Floating", maxActiveUsersCount=9)
    for n in range(3):
        await world.connected(made, f"m-{n}")
    if way == "started":
        await change_settings(world, heartbeatIntervalSeconds=5, sessionTimeoutSeconds=10)
    session = await world.connected(made, "sooner")
    key = (UUID(world.owner.institution_id), UUID(session["sessionId"]))
    async with world.platform.database.transaction() as db:
        slot = await storage.lock_by_session(db, key)
        assert slot is not None
        if way == "written":
            sooner = world.clock() + timedelta(seconds=10)
            await storage.write_slot(db, replace(slot, expires_at=sooner))
    await change_settings(world, sessionTimeoutSeconds=90)
    world.clock.advance(seconds=9)
    assert (await world.connected(made, "new"))["seatsUsed"] == 5
    world.clock.advance(seconds=1)
    assert (await world.connected(made, "newer"))["seatsUsed"] == 5
