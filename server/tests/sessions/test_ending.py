"""Sessions end once, with a reason: on request, by an operator, with their device, by timeout."""

import asyncio

import pytest
from catalog.factories import refusal
from patience import PATIENCE_S
from sessions.factories import slots_of
from world import Vendor, World, open_vendor

from licet_server.kit.jobs import Job, run_jobs
from licet_server.sessions.service import ending
from licet_server.sessions.service.ending import end_expired_sessions


async def reasons(vendor: Vendor, license_: dict[str, object]) -> list[str]:
    return [item["endReason"] for item in await vendor.sessions(license_, status="Ended")]


@pytest.mark.specification("states.session")
async def test_disconnecting_frees_the_seat_once(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=1)
    session = await world.connected(made)
    answers = await asyncio.gather(*(world.disconnect(session) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [204, 404, 404, 404]
    assert len(await world.events_of(session["sessionId"])) == 2
    assert await reasons(world, made) == ["Disconnected"]
    await world.connected(made, "machine-2")


@pytest.mark.specification("states.force-disconnect")
async def test_an_operator_ends_a_session(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=1)
    session = await world.connected(made, instanceId="i", deviceName="box")
    world.clock.advance(seconds=10)
    await world.heartbeat(session)
    world.clock.advance(seconds=10)
    answer = await world.force_disconnect(session)
    assert answer.status_code == 200
    assert answer.json() == {
        "id": session["sessionId"],
        "licenseId": made["id"],
        "hardwareId": "machine-1",
        "instanceId": "i",
        "deviceName": "box",
        "appVersion": None,
        "status": "Ended",
        "connectedAt": "2030-01-15T12:00:00Z",
        "lastHeartbeatAt": "2030-01-15T12:00:10Z",
        "expiresAt": None,
        "endedAt": "2030-01-15T12:00:20Z",
        "endReason": "ForceDisconnected",
        "leaseId": None,
        "leaseEndsAt": None,
    }
    assert await world.sessions(made, status="Ended") == [answer.json()]
    ended = (await world.events_of(session["sessionId"]))[-1]
    assert (ended["actor_kind"], ended["data"]["reason"]) == ("User", "ForceDisconnected")
    assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")
    assert refusal(await world.force_disconnect(session)) == (409, "Conflict")
    timed_out = await world.connected(made, "machine-2")
    world.clock.advance(seconds=90)
    assert refusal(await world.force_disconnect(timed_out)) == (409, "Conflict")


async def test_blocking_a_device_ends_its_sessions(world: World) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=2)
    await world.activate(made, "machine-1")
    await world.activate(made, "machine-2")
    first, second = [await world.connected(made, instanceId=name) for name in "ab"]
    other = await world.connected(made, "machine-2")
    device = next(d for d in await world.devices(made) if d["hardwareId"] == "machine-1")
    answer = await world.operate(device, "block")
    assert (answer.status_code, answer.json()["status"]) == (200, "Blocked")
    assert refusal(await world.heartbeat(first)) == (403, "DeviceBlocked")
    assert refusal(await world.disconnect(second)) == (403, "DeviceBlocked")
    assert refusal(await world.connect(made)) == (403, "DeviceBlocked")
    assert (await world.heartbeat(other)).status_code == 200
    assert await reasons(world, made) == ["DeviceBlocked"] * 2
    assert (await world.events_of(first["sessionId"]))[-1]["data"]["reason"] == "DeviceBlocked"
    again = await world.operate(device, "block")
    assert again.status_code == 200
    sibling = await open_vendor(world.owner, name="Sibling")
    assert refusal(await sibling.heartbeat(first)) == (404, "SessionNotFound")
    await world.operate(device, "unblock")
    assert refusal(await world.heartbeat(first)) == (404, "SessionNotFound")
    await world.connected(made)


@pytest.mark.parametrize("way", ["operator", "body", "query"])
async def test_removing_a_device_ends_its_sessions(world: World, way: str) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(made, "machine-1")
    session = await world.connected(made)
    if way == "operator":
        [device] = await world.devices(made)
        answer = await world.operate(device, "deactivate")
        assert (answer.status_code, answer.json()["id"]) == (200, device["id"])
    elif way == "body":
        assert (await world.deactivate(made, "machine-1")).status_code == 204
        assert refusal(await world.deactivate(made, "machine-1")) == (404, "ActivationNotFound")
    else:
        query = {"licenseKey": made["licenseKey"], "hardwareId": "machine-1"}
        answer = await world.owner.client.delete(
            "/api/activations/current", params=query, headers=world.key
        )
        assert (answer.status_code, answer.content) == (204, b"")
    assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")
    assert await reasons(world, made) == ["Deactivated"]
    assert await world.devices(made) == []
    await world.activate(made, "machine-2")
    await world.connected(made, "machine-2")


async def test_missing_fields_are_reported_when_deactivating(world: World) -> None:
    made = await world.issue("Concurrent")
    path, client = "/api/activations/current", world.owner.client

    async def fields(**options: object) -> list[str]:
        answer = await client.request("DELETE", path, headers=world.key, **options)  # type: ignore[arg-type]
        assert refusal(answer) == (400, "InvalidRequest")
        return [item["field"] for item in answer.json()["errors"]]

    assert await fields() == ["licenseKey", "hardwareId"]
    assert await fields(params={"licenseKey": made["licenseKey"]}) == ["hardwareId"]
    assert await fields(json={"hardwareId": "m"}) == ["licenseKey"]
    assert await fields(json={"licenseKey": "k", "hardwareId": "x" * 10_000}) == ["hardwareId"]
    query = {"licenseKey": made["licenseKey"], "hardwareId": "machine-1"}
    answer = await client.delete(path, params=query, headers=world.key)
    assert refusal(answer) == (404, "ActivationNotFound")
    assert refusal(await client.delete(path, params=query)) == (401, "Unauthorized")


async def test_a_blocked_device_cannot_deactivate_itself(world: World) -> None:
    made = await world.issue("Concurrent")
    await world.activate(made, "machine-1")
    [device] = await world.devices(made)
    await world.operate(device, "block")
    assert refusal(await world.deactivate(made, "machine-1")) == (403, "DeviceBlocked")


async def test_the_reaper_records_events_and_frees_slots(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending, "BATCH_SIZE", 3)
    licenses = [await world.issue("Floating", maxActiveUsersCount=5) for _ in range(2)]
    old = [await world.connected(made, f"m-{n}") for made in licenses for n in range(5)]
    world.clock.advance(seconds=60)
    kept = old.pop()
    await world.heartbeat(kept)
    world.clock.advance(seconds=35)
    listed = [await world.sessions(made, status="Ended") for made in licenses]
    assert [len(items) for items in listed] == [5, 4]
    # Other tests may leave sessions behind.
    assert sum(await asyncio.gather(*(end_expired_sessions(world.platform) for _ in range(3)))) >= 9
    assert [await world.sessions(made, status="Ended") for made in licenses] == listed
    for session in old:
        _, told = await world.events_of(session["sessionId"])
        assert (told["kind"], told["data"]["reason"]) == ("session.ended", "TimedOut")
        assert told["data"]["endedAt"] == "2030-01-15T12:01:30Z"
    free = [slot["session_id"] for made in licenses for slot in await world.slots_of(made)]
    assert len([item for item in free if item is not None]) == 1
    assert (await world.heartbeat(kept)).status_code == 200
    assert await end_expired_sessions(world.platform) == 0


async def test_the_worker_runs_the_reaper_until_it_is_stopped(world: World) -> None:
    made = await world.issue("Floating")
    await world.connected(made)
    world.clock.advance(seconds=90)
    stop = asyncio.Event()
    jobs = asyncio.create_task(
        run_jobs(world.platform, stop, [Job("reap", end_expired_sessions, 0.01)])
    )
    async with asyncio.timeout(PATIENCE_S):
        while any(slot["session_id"] for slot in await slots_of(world.platform, made)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        stop.set()
        await jobs
