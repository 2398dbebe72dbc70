"""Heartbeats: which ones extend a session, and how the others are refused."""

import asyncio
from typing import Any

import pytest
from catalog.factories import NOWHERE, refusal
from sessions.factories import SessionShop, open_session_shop, slots_of
from testkit import FakeClock, Owner

from licet_server.kit.platform import Platform


@pytest.fixture
async def shop(owner: Owner) -> SessionShop:
    return await open_session_shop(owner)


async def change_settings(shop: SessionShop, **settings: int) -> None:
    await shop.owner.ok("PUT", f"/api/products/{shop.product['id']}", {"settings": settings})


@pytest.mark.specification("runtime.heartbeat-limit")
async def test_heartbeats_must_keep_their_spacing_after_the_first(
    shop: SessionShop, clock: FakeClock, platform: Platform
) -> None:
    session = await shop.connected(made := await shop.issue("Floating"))
    assert (await shop.heartbeat(session)).status_code == 200
    clock.advance(seconds=1.5)
    before = await slots_of(platform, made)
    answer = await shop.heartbeat(session)
    assert refusal(answer) == (429, "RateLimited")
    assert answer.headers["retry-after"] == "4"
    assert await slots_of(platform, made) == before, "the session is unchanged"
    clock.advance(seconds=3.4)
    assert (await shop.heartbeat(session)).headers["retry-after"] == "1"
    clock.advance(seconds=0.1)
    assert (await shop.heartbeat(session)).status_code == 200


async def test_several_heartbeats_of_one_session_in_a_batch(shop: SessionShop) -> None:
    session = await shop.connected(await shop.issue("Floating"))
    answers = await asyncio.gather(*(shop.heartbeat(session) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 429, 429]
    assert {a.headers["retry-after"] for a in answers if a.status_code == 429} == {"5"}


async def test_without_a_spacing_every_heartbeat_counts(shop: SessionShop) -> None:
    await change_settings(shop, heartbeatMinSpacingSeconds=0)
    session = await shop.connected(await shop.issue("Floating"))
    answers = await asyncio.gather(*(shop.heartbeat(session) for _ in range(3)))
    assert [answer.status_code for answer in answers] == [200] * 3


async def test_a_batch_for_several_licenses(shop: SessionShop, clock: FakeClock) -> None:
    licenses = [await shop.issue("Floating", maxActiveUsersCount=10) for _ in range(3)]
    sessions = [await shop.connected(made, f"m-{n}") for made in licenses for n in range(8)]
    await shop.owner.ok("POST", f"/api/licenses/{licenses[1]['id']}/revoke")
    await shop.disconnect(sessions[0])
    clock.advance(seconds=20)
    answers = await asyncio.gather(*(shop.heartbeat(item) for item in reversed(sessions)))
    codes = [answer.json().get("errorCode", "fine") for answer in reversed(answers)]
    assert codes == ["SessionNotFound", *["fine"] * 7, *["LicenseInvalid"] * 8, *["fine"] * 8]
    kept = {answer.json()["expiresAt"] for answer in answers if answer.status_code == 200}
    assert kept == {"2030-01-15T12:01:50Z"}


async def test_current_settings_apply_but_never_shorten_a_session(
    shop: SessionShop, clock: FakeClock
) -> None:
    session = await shop.connected(await shop.issue("Floating"))
    await change_settings(shop, heartbeatIntervalSeconds=5, sessionTimeoutSeconds=10)
    clock.advance(seconds=10)
    kept = (await shop.heartbeat(session)).json()
    assert (kept["expiresAt"], kept["heartbeatIntervalSeconds"]) == ("2030-01-15T12:01:30Z", 5)
    clock.advance(seconds=79)
    assert (await shop.heartbeat(session)).json()["expiresAt"] == "2030-01-15T12:01:39Z"
    await change_settings(shop, sessionTimeoutSeconds=1000)
    clock.advance(seconds=9)
    assert (await shop.heartbeat(session)).json()["expiresAt"] == "2030-01-15T12:18:18Z"


@pytest.mark.specification("runtime.session-not-found")
async def test_a_session_that_timed_out_cannot_be_extended(
    shop: SessionShop, clock: FakeClock
) -> None:
    session = await shop.connected(await shop.issue("Floating"))
    clock.advance(seconds=90)
    for _ in range(2):
        assert refusal(await shop.heartbeat(session)) == (404, "SessionNotFound")
    assert refusal(await shop.disconnect(session)) == (404, "SessionNotFound")


async def test_sessions_of_an_inactive_license_are_not_extended(
    shop: SessionShop, clock: FakeClock
) -> None:
    made = await shop.issue("Subscription", expirationDate="2030-01-15T12:01:00Z")
    session = await shop.connected(made)
    clock.advance(seconds=60)
    assert refusal(await shop.heartbeat(session)) == (400, "LicenseExpired")
    await shop.owner.ok("POST", f"/api/licenses/{made['id']}/suspend")
    assert refusal(await shop.heartbeat(session)) == (400, "LicenseInvalid")
    await shop.owner.ok("POST", f"/api/licenses/{made['id']}/reinstate")
    body = {"expirationDate": "2031-01-01T00:00:00Z"}
    await shop.owner.ok("PUT", f"/api/licenses/{made['id']}", body)
    assert refusal(await shop.heartbeat(session)) == (404, "SessionNotFound")
    session = await shop.connected(made)
    await shop.owner.ok("POST", f"/api/licenses/{made['id']}/suspend")
    assert refusal(await shop.heartbeat(session)) == (400, "LicenseInvalid")
    await shop.owner.ok("POST", f"/api/licenses/{made['id']}/reinstate")
    assert (await shop.heartbeat(session)).status_code == 200
    await shop.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    assert refusal(await shop.heartbeat(session)) == (404, "SessionNotFound")


async def test_sessions_of_other_products_are_not_found(shop: SessionShop, stranger: Owner) -> None:
    session = await shop.connected(made := await shop.issue("Floating"))
    others = [await open_session_shop(stranger), await open_session_shop(shop.owner, name="Other")]
    for other in others:
        for call in (other.heartbeat, other.disconnect):
            assert refusal(await call(session)) == (404, "SessionNotFound")
    for call in (shop.heartbeat, shop.disconnect):
        assert refusal(await call(NOWHERE)) == (404, "SessionNotFound")
    [live] = await shop.sessions(made)
    assert live["lastHeartbeatAt"] is None


@pytest.mark.parametrize("session_id", ["", "nonsense", "x" * 10_000, 5, None, "0" * 31, [], {}])
@pytest.mark.parametrize("action", ["heartbeat", "disconnect"])
async def test_a_malformed_id_is_reported(shop: SessionShop, session_id: Any, action: str) -> None:
    answer = await shop.call("POST", f"/api/sessions/{action}", {"sessionId": session_id})
    assert refusal(answer) == (400, "InvalidRequest")
    assert [item["field"] for item in answer.json()["errors"]] == ["sessionId"]
    missing = await shop.call("POST", f"/api/sessions/{action}", {"newer": 1})
    assert [item["field"] for item in missing.json()["errors"]] == ["sessionId"]
