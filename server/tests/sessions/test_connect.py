"""Connecting through HTTP: which sessions are admitted, replaced and rejected."""

from typing import Any
from uuid import UUID

import pytest
from catalog.factories import refusal
from licenses.factories import EXAMPLES
from sqlalchemy import text
from testkit import Owner
from world import World, open_vendor


@pytest.mark.specification("states.session")
async def test_a_session_is_live_while_heartbeats_arrive(world: World) -> None:
    made = await world.issue("Floating")
    session = await world.connected(made)
    assert session == {
        "sessionId": session["sessionId"],
        "expiresAt": "2030-01-15T12:01:30Z",
        "heartbeatIntervalSeconds": 30,
        "sessionTimeoutSeconds": 90,
        "seatsUsed": 1,
        "seatsTotal": 3,
        "test": False,
    }
    for _ in range(5):
        world.clock.advance(seconds=60)
        answer = await world.heartbeat(session)
        assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "sessionId": session["sessionId"],
        "expiresAt": "2030-01-15T12:06:30Z",
        "heartbeatIntervalSeconds": 30,
    }
    assert (await world.disconnect(session)).status_code == 204
    assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")


@pytest.mark.specification("models.floating", "runtime.max-sessions")
async def test_a_pool_admits_up_to_its_cap(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=2)
    first = await world.connected(made, "machine-1", deviceName="Ada's laptop", appVersion="2.1")
    second = await world.connected(made, "machine-2")
    assert (second["seatsUsed"], second["seatsTotal"]) == (2, 2)
    for _ in range(3):
        full = await world.connect(made, "machine-3")
        assert refusal(full) == (409, "MaxConcurrentSessionsReached")
        assert (full.json()["seatsUsed"], full.json()["seatsTotal"]) == (2, 2)
        world.clock.advance(seconds=10)
    told = await world.events_of(made["id"])
    assert [item["kind"] for item in told] == ["license.created", "session.limit_reached"]
    assert told[-1]["data"] == {
        "licenseId": made["id"],
        "productId": world.product["id"],
        "seatsUsed": 2,
        "seatsTotal": 2,
    }
    world.clock.advance(seconds=40)
    assert (await world.connect(made, "machine-3")).status_code == 409
    assert len(await world.events_of(made["id"])) == 3, "a minute has passed"
    await world.disconnect(first)
    third = await world.connected(made, "machine-3")
    assert third["seatsUsed"] == 2


@pytest.mark.specification("states.session")
async def test_a_seat_is_free_as_soon_as_its_session_times_out(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=1)
    first = await world.connected(made, "machine-1")
    world.clock.advance(seconds=89.999)
    assert (await world.connect(made, "machine-2")).status_code == 409
    world.clock.advance(seconds=0.001)
    second = await world.connected(made, "machine-2")
    assert second["seatsUsed"] == 1
    assert refusal(await world.heartbeat(first)) == (404, "SessionNotFound")
    assert refusal(await world.disconnect(first)) == (404, "SessionNotFound")
    assert (await world.heartbeat(second)).status_code == 200
    ended = (await world.events_of(first["sessionId"]))[-1]
    assert (ended["kind"], ended["actor_kind"]) == ("session.ended", "System")
    assert ended["data"]["reason"] == "TimedOut"
    assert ended["data"]["endedAt"] == "2030-01-15T12:01:30Z"


async def test_concurrent_connects_share_the_free_seats(world: World) -> None:
    import asyncio

    made = await world.issue("Floating", maxActiveUsersCount=5)
    answers = await asyncio.gather(*(world.connect(made, f"machine-{n}") for n in range(40)))
    admitted = [answer.json() for answer in answers if answer.status_code == 201]
    assert sorted(item["seatsUsed"] for item in admitted) == [1, 2, 3, 4, 5]
    refused = [answer.json() for answer in answers if answer.status_code != 201]
    assert {item["errorCode"] for item in refused} == {"MaxConcurrentSessionsReached"}
    assert {item["seatsUsed"] for item in refused} == {5}
    assert len(await world.sessions(made)) == 5


@pytest.mark.specification("models.concurrent-sessions")
@pytest.mark.parametrize("model", sorted(set(EXAMPLES) - {"Floating", "Concurrent", "NodeLocked"}))
async def test_other_models_have_no_limit(world: World, model: str) -> None:
    made = await world.issue(model)
    sessions = [await world.connected(made, f"machine-{n}") for n in range(4)]
    assert [item["seatsUsed"] for item in sessions] == [1, 2, 3, 4]
    assert {item["seatsTotal"] for item in sessions} == {None}


@pytest.mark.specification("models.concurrent-sessions")
async def test_a_concurrent_license_requires_an_activated_device(world: World) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=1)
    assert refusal(await world.connect(made)) == (403, "ActivationRequired")
    await world.activate(made, "machine-1")
    sessions = [await world.connected(made, instanceId=str(n)) for n in range(3)]
    assert [item["seatsTotal"] for item in sessions] == [None] * 3, "its sessions are not limited"
    assert refusal(await world.connect(made, "machine-2")) == (403, "ActivationRequired")


async def test_a_node_locked_license_is_bound_by_the_first_connect(world: World) -> None:
    made = await world.issue("NodeLocked")
    await world.connected(made, "machine-1")
    assert refusal(await world.connect(made, "machine-2")) == (403, "HardwareMismatch")
    assert [item["hardwareId"] for item in await world.devices(made)] == ["machine-1"]
    [attempt] = await world.attempts(made)
    assert (attempt["attemptedHardwareId"], attempt["entryPoint"]) == ("machine-2", "Connect")


async def test_a_device_pending_approval(world: World) -> None:
    made = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    assert refusal(await world.connect(made)) == (403, "PendingApproval")
    [device] = await world.devices(made)
    assert (await world.operate(device, "approve")).status_code == 200
    await world.connected(made)


async def test_the_license_must_be_active(world: World) -> None:
    revoked, suspended = await world.issue("Floating"), await world.issue("Floating")
    short = await world.issue("Trial", expirationDate="2030-01-15T12:01:00Z")
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    await world.owner.ok("POST", f"/api/licenses/{suspended['id']}/suspend")
    world.clock.advance(minutes=1)
    assert refusal(await world.connect(revoked)) == (400, "LicenseInvalid")
    assert refusal(await world.connect(suspended)) == (400, "LicenseInvalid")
    assert refusal(await world.connect(short)) == (400, "LicenseExpired")
    assert await world.sessions(short) == []


async def test_the_license_key_must_belong_to_the_product(world: World, stranger: Owner) -> None:
    made = await world.issue("Floating")
    foreign = await open_vendor(stranger)
    sibling = await open_vendor(world.owner, name="Sibling")
    for other in (foreign, sibling):
        assert refusal(await other.connect(made)) == (404, "LicenseNotFound")
    assert refusal(await world.connect({"licenseKey": "no such key"})) == (404, "LicenseNotFound")
    assert await world.sessions(made) == []


async def test_an_instance_replaces_its_own_session(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=2)
    first = await world.connected(made, instanceId="editor")
    await world.connected(made, instanceId="viewer")
    again = await world.connected(made, instanceId="editor", deviceName="renamed")
    assert again["sessionId"] != first["sessionId"]
    assert (again["seatsUsed"], again["seatsTotal"]) == (2, 2)
    for lost in (await world.heartbeat(first), await world.disconnect(first)):
        assert refusal(lost) == (404, "SessionNotFound")
        assert lost.json()["endReason"] == "Replaced"
    assert (await world.heartbeat(again)).status_code == 200
    live = await world.sessions(made)
    assert {item["instanceId"] for item in live} == {"editor", "viewer"}
    ended = (await world.events_of(first["sessionId"]))[-1]["data"]
    assert (ended["reason"], ended["instanceId"]) == ("Replaced", "editor")
    other = await world.connect(made, "machine-2", instanceId="editor")
    assert other.status_code == 409, "the same instance ID on another device is another instance"


async def test_an_instance_does_not_replace_its_expired_session(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=1)
    first = await world.connected(made, instanceId="editor")
    world.clock.advance(seconds=90)
    await world.connected(made, instanceId="editor")
    assert "endReason" not in (await world.heartbeat(first)).json()
    [told] = [e for e in await world.events_of(first["sessionId"]) if e["data"].get("reason")]
    assert told["data"]["reason"] == "TimedOut"
    world.clock.advance(seconds=90)
    taken = await world.connected(made, "machine-2")
    answer = await world.connect(made, instanceId="editor")
    assert refusal(answer) == (409, "MaxConcurrentSessionsReached")
    assert (await world.heartbeat(taken)).status_code == 200


@pytest.mark.undivided
async def test_claims_of_one_instance_in_a_batch_share_a_session(world: World) -> None:
    import asyncio

    made = await world.issue("Floating", maxActiveUsersCount=3)
    answers = await asyncio.gather(*(world.connect(made, instanceId="one") for _ in range(10)))
    assert {answer.status_code for answer in answers} == {201}
    assert len(await world.sessions(made)) == 1
    [live] = await world.sessions(made)
    told = {answer.json()["sessionId"] for answer in answers}
    assert live["id"] in told
    assert len(told) <= 5, "one per batch"
    nameless = await asyncio.gather(*(world.connect(made) for _ in range(2)))
    assert len({answer.json()["sessionId"] for answer in nameless}) == 2


@pytest.mark.parametrize(
    ("fields", "bad"),
    [
        ({"licenseKey": None}, "licenseKey"),
        ({"licenseKey": ""}, "licenseKey"),
        ({"hardwareId": None}, "hardwareId"),
        ({"hardwareId": ""}, "hardwareId"),
        ({"hardwareId": "  "}, "hardwareId"),
        ({"hardwareId": "x" * 10_000}, "hardwareId"),
        ({"hardwareId": "a\0b"}, "hardwareId"),
        ({"hardwareId": 5}, "hardwareId"),
        ({"instanceId": ""}, "instanceId"),
        ({"instanceId": "x" * 129}, "instanceId"),
        ({"deviceName": "x" * 257}, "deviceName"),
        ({"appVersion": ["2"]}, "appVersion"),
    ],
)
async def test_invalid_fields_are_reported(world: World, fields: dict[str, Any], bad: str) -> None:
    made = await world.issue("Floating")
    body = {"licenseKey": made["licenseKey"], "hardwareId": "machine-1", "newer": 1, **fields}
    answer = await world.call("POST", "/api/sessions/connect", body)
    assert refusal(answer) == (400, "InvalidRequest")
    assert [item["field"] for item in answer.json()["errors"]] == [bad]
    assert await world.sessions(made) == []


async def test_events_mask_the_hardware_id(world: World) -> None:
    made = await world.issue("Floating")
    session = await world.connected(
        made, "0123456789abcdef", instanceId="i", deviceName="box", appVersion="2.1"
    )
    [started] = await world.events_of(session["sessionId"])
    assert (started["kind"], started["actor_kind"]) == ("session.started", "ProductKey")
    assert started["data"] == {
        "id": session["sessionId"],
        "licenseId": made["id"],
        "productId": world.product["id"],
        "hardwareId": "0123…cdef",
        "deviceName": "box",
        "instanceId": "i",
        "appVersion": "2.1",
        "connectedAt": "2030-01-15T12:00:00Z",
    }
    await world.disconnect(session)
    _, ended = await world.events_of(session["sessionId"])
    assert ended["kind"] == "session.ended"
    assert ended["data"] == {
        **started["data"],
        "endedAt": "2030-01-15T12:00:00Z",
        "reason": "Disconnected",
    }


@pytest.mark.specification("models.concurrent-sessions")
async def test_sessions_of_a_concurrent_license_are_shown_and_move_no_seat(
    world: World,
) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=2)
    await world.activate(made, "machine-1")
    sessions = [await world.connected(made, instanceId=str(n)) for n in range(3)]
    shown = {item["id"] for item in await world.sessions(made)}
    assert shown == {session["sessionId"] for session in sessions}
    assert (await world.read(made))["seatsUsed"] == 1
    await world.activate(made, "machine-2")
    for session in sessions:
        await world.disconnect(session)
    assert (await world.read(made))["seatsUsed"] == 2
    assert refusal(await world.activate(made, "machine-3")) == (409, "MaxActivationsReached")


@pytest.mark.parametrize("model", ["Perpetual", "Floating"])
@pytest.mark.parametrize("n", [-(2**31), 0, 7, 2**31 - 1])
async def test_slot_that_was_written_by_hand_stops_nobody(world: World, model: str, n: int) -> None:
    seats = {"maxActiveUsersCount": 9} if model == "Floating" else {}
    made = await world.issue(model, **seats)
    first = await world.connected(made, "m-0")
    await world.disconnect(first)
    async with world.platform.database.transaction() as db:
        statement = "UPDATE session_slots SET n = :n WHERE license_id = :id"
        await db.execute(text(statement), {"n": n, "id": UUID(made["id"])})
    sessions = [await world.connected(made, f"m-{number}") for number in range(1, 4)]
    for session in sessions:
        assert (await world.heartbeat(session)).status_code == 200
