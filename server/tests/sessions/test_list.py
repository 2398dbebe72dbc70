"""Lists of live and past sessions: pages, sorting, keyset walks and permissions."""

from typing import Any

import pytest
from catalog.factories import refusal
from testkit import FakeClock
from world import Vendor, World


async def fill(vendor: Vendor, clock: FakeClock, count: int) -> tuple[dict[str, Any], list[str]]:
    made = await vendor.issue("Floating", maxActiveUsersCount=count)
    ids = []
    for number in range(count):
        session = await vendor.connected(
            made, f"m-{number}", deviceName=f"{(number * 5) % count:02}"
        )
        ids.append(session["sessionId"])
        clock.advance(seconds=1)
    return made, ids


async def test_a_live_session(world: World) -> None:
    made = await world.issue("Floating")
    session = await world.connected(made, "whole-hardware-id", instanceId="i", appVersion="2.1")
    world.clock.advance(seconds=7)
    await world.heartbeat(session)
    assert await world.sessions(made) == [
        {
            "id": session["sessionId"],
            "licenseId": made["id"],
            "hardwareId": "whole-hardware-id",
            "instanceId": "i",
            "deviceName": None,
            "appVersion": "2.1",
            "status": "Live",
            "connectedAt": "2030-01-15T12:00:00Z",
            "lastHeartbeatAt": "2030-01-15T12:00:07Z",
            "expiresAt": "2030-01-15T12:01:37Z",
            "endedAt": None,
            "endReason": None,
            "leaseId": None,
            "leaseEndsAt": None,
        }
    ]
    assert await world.sessions(made, status="Ended") == []


async def test_a_timed_out_session_is_past_before_the_reaper_runs(world: World) -> None:
    made = await world.issue("Floating")
    await world.connected(made)
    world.clock.advance(seconds=100)
    assert await world.sessions(made) == []
    [past] = await world.sessions(made, status="Ended")
    assert (past["status"], past["endReason"]) == ("Ended", "TimedOut")
    assert past["endedAt"] == past["expiresAt"] == "2030-01-15T12:01:30Z"
    assert await world.sessions(made, status="Ended", endReason="TimedOut") == [past]
    assert await world.sessions(made, status="Ended", endReason="Disconnected") == []


@pytest.mark.parametrize("status", ["Live", "Ended"])
async def test_pages_and_keyset_walk(world: World, status: str) -> None:
    made, ids = await fill(world, world.clock, 7)
    if status == "Ended":
        world.clock.advance(seconds=200)
    path = f"/api/licenses/{made['id']}/sessions?status={status}"
    page = await world.owner.ok("GET", f"{path}&pageSize=3&page=2")
    assert (page["page"], page["pageSize"], page["totalCount"]) == (2, 3, 7)
    assert [item["id"] for item in page["items"]] == ids[::-1][3:6]
    walked: list[str] = []
    after = ""
    while after is not None:
        step = await world.owner.ok("GET", f"{path}&pageSize=3&after={after}")
        walked += [item["id"] for item in step["items"]]
        after = step["nextAfter"]
    assert walked == ids
    by_name = await world.owner.ok("GET", f"{path}&sort=deviceName")
    assert [item["deviceName"] for item in by_name["items"]] == [f"{n:02}" for n in range(7)]
    oldest = await world.owner.ok("GET", f"{path}&sort=connectedAt")
    assert [item["id"] for item in oldest["items"]] == ids
    deep = await world.owner.send("GET", f"{path}&page=1000&pageSize=100")
    assert refusal(deep) == (400, "InvalidRequest")
    assert refusal(await world.owner.send("GET", f"{path}&sort=secret"))[0] == 400


async def test_sorting(world: World) -> None:
    made, ids = await fill(world, world.clock, 4)
    await world.heartbeat(ids[1])
    for sort in ("expiresAt", "lastHeartbeatAt"):
        shown = await world.sessions(made, sort=f"{'-' if sort == 'expiresAt' else ''}{sort}")
        assert shown[0]["id"] == ids[1]
    shown = await world.sessions(made, sort="lastSeenAt")
    assert [item["id"] for item in shown] == [ids[0], ids[2], ids[3], ids[1]]
    for position in (2, 0):
        await world.force_disconnect(ids[position])
        world.clock.advance(seconds=1)
    past = await world.sessions(made, status="Ended", sort="-endedAt")
    assert [item["id"] for item in past] == [ids[0], ids[2]]
    assert [item["id"] for item in await world.sessions(made)] == [ids[3], ids[1]]


async def test_an_unknown_status_is_refused(world: World) -> None:
    made, _ = await fill(world, world.clock, 1)
    path = f"/api/licenses/{made['id']}/sessions?status=Gone"
    assert refusal(await world.owner.send("GET", path))[0] == 400
