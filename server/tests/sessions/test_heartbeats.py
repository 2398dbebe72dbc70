"""Heartbeats: which ones extend a session, and how the others are refused."""

import asyncio
from typing import Any

import pytest
from catalog.factories import NOWHERE, refusal
from testkit import Owner
from world import Vendor, World, open_vendor


async def change_settings(vendor: Vendor, **settings: int) -> None:
    await vendor.owner.ok("PUT", f"/api/products/{vendor.product['id']}", {"settings": settings})


@pytest.mark.specification("runtime.heartbeat-limit")
async def test_heartbeats_must_keep_their_spacing_after_the_first(world: World) -> None:
    session = await world.connected(made := await world.issue("Floating"))
    assert (await world.heartbeat(session)).status_code == 200
    world.clock.advance(seconds=1.5)
    before = await world.slots_of(made)
    answer = await world.heartbeat(session)
    assert refusal(answer) == (429, "RateLimited")
    assert answer.headers["retry-after"] == "4"
    assert await world.slots_of(made) == before, "the session is unchanged"
    world.clock.advance(seconds=3.4)
    assert (await world.heartbeat(session)).headers["retry-after"] == "1"
    world.clock.advance(seconds=0.1)
    assert (await world.heartbeat(session)).status_code == 200


async def test_several_heartbeats_of_one_session_in_a_batch(world: World) -> None:
    session = await world.connected(await world.issue("Floating"))
    answers = await asyncio.gather(*(world.heartbeat(session) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 429, 429]
    assert {a.headers["retry-after"] for a in answers if a.status_code == 429} == {"5"}


async def test_without_a_spacing_every_heartbeat_counts(world: World) -> None:
    await change_settings(world, heartbeatMinSpacingSeconds=0)
    session = await world.connected(await world.issue("Floating"))
    answers = await asyncio.gather(*(world.heartbeat(session) for _ in range(3)))
    assert [answer.status_code for answer in answers] == [200] * 3


async def test_a_batch_for_several_licenses(world: World) -> None:
    licenses = [await world.issue("Floating", maxActiveUsersCount=10) for _ in range(3)]
    sessions = [await world.connected(made, f"m-{n}") for made in licenses for n in range(8)]
    await world.owner.ok("POST", f"/api/licenses/{licenses[1]['id']}/revoke")
    await world.disconnect(sessions[0])
    world.clock.advance(seconds=20)
    answers = await asyncio.gather(*(world.heartbeat(item) for item in reversed(sessions)))
    codes = [answer.json().get("errorCode", "fine") for answer in reversed(answers)]
    assert codes == ["SessionNotFound", *["fine"] * 7, *["LicenseInvalid"] * 8, *["fine"] * 8]
    kept = {answer.json()["expiresAt"] for answer in answers if answer.status_code == 200}
    assert kept == {"2030-01-15T12:01:50Z"}


async def test_current_settings_apply_but_never_shorten_a_session(world: World) -> None:
    session = await world.connected(await world.issue("Floating"))
    await change_settings(world, heartbeatIntervalSeconds=5, sessionTimeoutSeconds=10)
    world.clock.advance(seconds=10)
    kept = (await world.heartbeat(session)).json()
    assert (kept["expiresAt"], kept["heartbeatIntervalSeconds"]) == ("2030-01-15T12:01:30Z", 5)
    world.clock.advance(seconds=79)
    assert (await world.heartbeat(session)).json()["expiresAt"] == "2030-01-15T12:01:39Z"
    await change_settings(world, sessionTimeoutSeconds=1000)
    world.clock.advance(seconds=9)
    assert (await world.heartbeat(session)).json()["expiresAt"] == "2030-01-15T12:18:18Z"


@pytest.mark.specification("runtime.session-not-found")
async def test_a_session_that_timed_out_cannot_be_extended(world: World) -> None:
    session = await world.connected(await world.issue("Floating"))
    world.clock.advance(seconds=90)
    for _ in range(2):
        assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")
    assert refusal(await world.disconnect(session)) == (404, "SessionNotFound")


async def test_sessions_of_an_inactive_license_are_not_extended(world: World) -> None:
    made = await world.issue("Subscription", expirationDate="2030-01-15T12:01:00Z")
    session = await world.connected(made)
    world.clock.advance(seconds=60)
    assert refusal(await world.heartbeat(session)) == (400, "LicenseExpired")
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/suspend")
    assert refusal(await world.heartbeat(session)) == (400, "LicenseInvalid")
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/reinstate")
    body = {"expirationDate": "2031-01-01T00:00:00Z"}
    await world.owner.ok("PUT", f"/api/licenses/{made['id']}", body)
    assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")
    session = await world.connected(made)
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/suspend")
    assert refusal(await world.heartbeat(session)) == (400, "LicenseInvalid")
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/reinstate")
    assert (await world.heartbeat(session)).status_code == 200
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")


async def test_sessions_of_other_products_are_not_found(world: World, stranger: Owner) -> None:
    session = await world.connected(made := await world.issue("Floating"))
    others = [await open_vendor(stranger), await open_vendor(world.owner, name="Other")]
    for other in others:
        for call in (other.heartbeat, other.disconnect):
            assert refusal(await call(session)) == (404, "SessionNotFound")
    for call in (world.heartbeat, world.disconnect):
        assert refusal(await call(NOWHERE)) == (404, "SessionNotFound")
    [live] = await world.sessions(made)
    assert live["lastHeartbeatAt"] is None


@pytest.mark.parametrize("session_id", ["", "nonsense", "x" * 10_000, 5, None, "0" * 31, [], {}])
@pytest.mark.parametrize("action", ["heartbeat", "disconnect"])
async def test_a_malformed_id_is_reported(world: World, session_id: Any, action: str) -> None:
    answer = await world.call("POST", f"/api/sessions/{action}", {"sessionId": session_id})
    assert refusal(answer) == (400, "InvalidRequest")
    assert [item["field"] for item in answer.json()["errors"]] == ["sessionId"]
    missing = await world.call("POST", f"/api/sessions/{action}", {"newer": 1})
    assert [item["field"] for item in missing.json()["errors"]] == ["sessionId"]
