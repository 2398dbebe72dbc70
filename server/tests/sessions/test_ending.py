"""Sessions end once, with a reason: on request, by an operator, with their device, by timeout."""

import asyncio

import pytest
from catalog.factories import NOWHERE, events_of, join, refusal
from patience import PATIENCE_S
from sessions.factories import SessionShop, open_session_shop, slots_of
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.jobs import Job, run_jobs
from licet_server.kit.platform import Platform
from licet_server.sessions.jobs import reap
from licet_server.sessions.service import ending


@pytest.fixture
async def shop(owner: Owner) -> SessionShop:
    return await open_session_shop(owner)


async def reasons(shop: SessionShop, license_: dict[str, object]) -> list[str]:
    return [item["endReason"] for item in await shop.sessions(license_, status="Ended")]


@pytest.mark.specification("states.session")
async def test_disconnecting_frees_the_seat_once(shop: SessionShop, platform: Platform) -> None:
    made = await shop.issue("Floating", maxActiveUsersCount=1)
    session = await shop.connected(made)
    answers = await asyncio.gather(*(shop.disconnect(session) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [204, 404, 404, 404]
    assert len(await events_of(platform, session["sessionId"])) == 2
    assert await reasons(shop, made) == ["Disconnected"]
    await shop.connected(made, "machine-2")


@pytest.mark.specification("states.force-disconnect")
async def test_an_operator_ends_a_session(
    shop: SessionShop, platform: Platform, clock: FakeClock
) -> None:
    made = await shop.issue("Floating", maxActiveUsersCount=1)
    session = await shop.connected(made, instanceId="i", deviceName="box")
    clock.advance(seconds=10)
    await shop.heartbeat(session)
    clock.advance(seconds=10)
    answer = await shop.force_disconnect(session)
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
    }
    assert await shop.sessions(made, status="Ended") == [answer.json()]
    ended = (await events_of(platform, session["sessionId"]))[-1]
    assert (ended["actor_kind"], ended["data"]["reason"]) == ("User", "ForceDisconnected")
    assert refusal(await shop.heartbeat(session)) == (404, "SessionNotFound")
    assert refusal(await shop.force_disconnect(session)) == (409, "Conflict")
    timed_out = await shop.connected(made, "machine-2")
    clock.advance(seconds=90)
    assert refusal(await shop.force_disconnect(timed_out)) == (409, "Conflict")


async def test_only_admins_of_the_institution_may_end_sessions(
    shop: SessionShop, platform: Platform, stranger: Owner
) -> None:
    session = await shop.connected(made := await shop.issue("Floating"))
    path = f"/api/sessions/{session['sessionId']}/disconnect"
    assert refusal(await stranger.send("POST", path)) == (404, "NotFound")
    assert refusal(await shop.force_disconnect(NOWHERE)) == (404, "NotFound")
    await join(platform, shop.owner, stranger, Role.VIEWER)
    assert refusal(await stranger.send("POST", path)) == (403, "Forbidden")
    [live] = await shop.sessions(made)
    assert live["status"] == "Live"


async def test_blocking_a_device_ends_its_sessions(
    shop: SessionShop, platform: Platform, clock: FakeClock
) -> None:
    made = await shop.issue("Concurrent", maxActiveUsersCount=2)
    await shop.activate(made, "machine-1")
    await shop.activate(made, "machine-2")
    first, second = [await shop.connected(made, instanceId=name) for name in "ab"]
    other = await shop.connected(made, "machine-2")
    device = next(d for d in await shop.devices(made) if d["hardwareId"] == "machine-1")
    answer = await shop.operate(device, "block")
    assert (answer.status_code, answer.json()["status"]) == (200, "Blocked")
    assert refusal(await shop.heartbeat(first)) == (403, "DeviceBlocked")
    assert refusal(await shop.disconnect(second)) == (403, "DeviceBlocked")
    assert refusal(await shop.connect(made)) == (403, "DeviceBlocked")
    assert (await shop.heartbeat(other)).status_code == 200
    assert await reasons(shop, made) == ["DeviceBlocked"] * 2
    assert (await events_of(platform, first["sessionId"]))[-1]["data"]["reason"] == "DeviceBlocked"
    again = await shop.operate(device, "block")
    assert again.status_code == 200
    sibling = await open_session_shop(shop.owner, name="Sibling")
    assert refusal(await sibling.heartbeat(first)) == (404, "SessionNotFound")
    await shop.operate(device, "unblock")
    assert refusal(await shop.heartbeat(first)) == (404, "SessionNotFound")
    await shop.connected(made)


@pytest.mark.parametrize("way", ["operator", "body", "query"])
async def test_removing_a_device_ends_its_sessions(shop: SessionShop, way: str) -> None:
    made = await shop.issue("Concurrent", maxActiveUsersCount=1)
    await shop.activate(made, "machine-1")
    session = await shop.connected(made)
    if way == "operator":
        [device] = await shop.devices(made)
        answer = await shop.operate(device, "deactivate")
        assert (answer.status_code, answer.json()["id"]) == (200, device["id"])
    elif way == "body":
        assert (await shop.deactivate(made, "machine-1")).status_code == 204
        assert refusal(await shop.deactivate(made, "machine-1")) == (404, "ActivationNotFound")
    else:
        query = {"licenseKey": made["licenseKey"], "hardwareId": "machine-1"}
        answer = await shop.owner.client.delete(
            "/api/activations/current", params=query, headers=shop.key
        )
        assert (answer.status_code, answer.content) == (204, b"")
    assert refusal(await shop.heartbeat(session)) == (404, "SessionNotFound")
    assert await reasons(shop, made) == ["Deactivated"]
    assert await shop.devices(made) == []
    await shop.activate(made, "machine-2")
    await shop.connected(made, "machine-2")


async def test_missing_fields_are_reported_when_deactivating(shop: SessionShop) -> None:
    made = await shop.issue("Concurrent")
    path, client = "/api/activations/current", shop.owner.client

    async def fields(**options: object) -> list[str]:
        answer = await client.request("DELETE", path, headers=shop.key, **options)  # type: ignore[arg-type]
        assert refusal(answer) == (400, "InvalidRequest")
        return [item["field"] for item in answer.json()["errors"]]

    assert await fields() == ["licenseKey", "hardwareId"]
    assert await fields(params={"licenseKey": made["licenseKey"]}) == ["hardwareId"]
    assert await fields(json={"hardwareId": "m"}) == ["licenseKey"]
    assert await fields(json={"licenseKey": "k", "hardwareId": "x" * 10_000}) == ["hardwareId"]
    query = {"licenseKey": made["licenseKey"], "hardwareId": "machine-1"}
    answer = await client.delete(path, params=query, headers=shop.key)
    assert refusal(answer) == (404, "ActivationNotFound")
    assert refusal(await client.delete(path, params=query)) == (401, "Unauthorized")


async def test_a_blocked_device_cannot_deactivate_itself(shop: SessionShop) -> None:
    made = await shop.issue("Concurrent")
    await shop.activate(made, "machine-1")
    [device] = await shop.devices(made)
    await shop.operate(device, "block")
    assert refusal(await shop.deactivate(made, "machine-1")) == (403, "DeviceBlocked")


async def test_the_reaper_records_events_and_frees_slots(
    shop: SessionShop, platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending, "BATCH_SIZE", 3)
    licenses = [await shop.issue("Floating", maxActiveUsersCount=5) for _ in range(2)]
    old = [await shop.connected(made, f"m-{n}") for made in licenses for n in range(5)]
    clock.advance(seconds=60)
    kept = old.pop()
    await shop.heartbeat(kept)
    clock.advance(seconds=35)
    listed = [await shop.sessions(made, status="Ended") for made in licenses]
    assert [len(items) for items in listed] == [5, 4]
    # Other tests may leave sessions behind.
    assert sum(await asyncio.gather(*(reap(platform) for _ in range(3)))) >= 9
    assert [await shop.sessions(made, status="Ended") for made in licenses] == listed
    for session in old:
        _, told = await events_of(platform, session["sessionId"])
        assert (told["kind"], told["data"]["reason"]) == ("session.ended", "TimedOut")
        assert told["data"]["endedAt"] == "2030-01-15T12:01:30Z"
    free = [slot["session_id"] for made in licenses for slot in await slots_of(platform, made)]
    assert len([item for item in free if item is not None]) == 1
    assert (await shop.heartbeat(kept)).status_code == 200
    assert await reap(platform) == 0


async def test_the_worker_runs_the_reaper_until_it_is_stopped(
    shop: SessionShop, platform: Platform, clock: FakeClock
) -> None:
    made = await shop.issue("Floating")
    await shop.connected(made)
    clock.advance(seconds=90)
    stop = asyncio.Event()
    jobs = asyncio.create_task(run_jobs(platform, stop, [Job("reap", reap, 0.01)]))
    async with asyncio.timeout(PATIENCE_S):
        while any(slot["session_id"] for slot in await slots_of(platform, made)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        stop.set()
        await jobs
