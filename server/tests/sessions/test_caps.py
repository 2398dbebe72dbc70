"""A lowered cap ends no session, and admits none until enough have ended, in any order."""

import random  # noqa: TID251 - repeatable
from typing import Any

import pytest
from catalog.factories import refusal
from volumes import is_long
from world import Vendor, World


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
        shown = {item["id"] for item in await world.sessions(made)}
        assert shown == {key for key, item in expected.items() if item[1] > time}
    assert ended <= {
        item["id"] for item in await world.sessions(made, status="Ended", pageSize=100)
    }
