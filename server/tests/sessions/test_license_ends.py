"""A license that is revoked, deleted or past its term has no live session and no used seat."""

import asyncio
from typing import Any

import pytest
from catalog.factories import events_of, refusal
from world import Vendor, World, open_vendor

from licet_server.kit.platform import Platform
from licet_server.licenses.service.reminders import remind_of_expiry
from licet_server.sessions.service.ending import SessionLicenseHooks, end_expired_sessions

SOON = "2030-01-15T12:01:00Z"


async def seats_used(vendor: Vendor, made: dict[str, Any]) -> int:
    return int((await vendor.owner.ok("GET", f"/api/licenses/{made['id']}"))["seatsUsed"])


async def ends(vendor: Vendor, made: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    found = await vendor.sessions(made, status="Ended")
    return [(item["endReason"], item["endedAt"], item["expiresAt"]) for item in found]


async def reasons_told(platform: Platform, session: dict[str, Any]) -> list[str]:
    told = await events_of(platform, session["sessionId"])
    return [item["data"]["reason"] for item in told if item["kind"] == "session.ended"]


async def live_in_statistics(vendor: Vendor) -> tuple[int, int]:
    overview = await vendor.owner.ok("GET", "/api/statistics/overview")
    sessions = await vendor.owner.ok("GET", "/api/statistics/sessions")
    return overview["liveSessions"], sessions["live"]


@pytest.mark.specification("mission-bug-revoked-session")
async def test_revoking_ends_live_sessions_at_once(world: World) -> None:
    made, other = [await world.issue("Floating", maxActiveUsersCount=5) for _ in range(2)]
    sessions = [await world.connected(made, f"m-{n}") for n in range(3)]
    kept = await world.connected(other)
    revoked = await world.owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
    assert (revoked["status"], revoked["seatsUsed"]) == ("Revoked", 0)
    assert await world.sessions(made) == []
    assert await ends(world, made) == [("LicenseRevoked", "2030-01-15T12:00:00Z", None)] * 3
    for session in sessions:
        assert await reasons_told(world.platform, session) == ["LicenseRevoked"]
        assert refusal(await world.heartbeat(session)) == (400, "LicenseInvalid")
        assert refusal(await world.disconnect(session)) == (400, "LicenseInvalid")
        assert refusal(await world.force_disconnect(session)) == (409, "Conflict")
    assert not any(slot["session_id"] for slot in await world.slots_of(made))
    assert await live_in_statistics(world) == (1, 1)
    assert (await world.heartbeat(kept)).status_code == 200
    sibling = await open_vendor(world.owner, name="Sibling")
    assert refusal(await sibling.heartbeat(sessions[0])) == (404, "SessionNotFound")


async def test_a_license_past_its_term_shows_no_session_before_any_job_has_run(
    world: World,
) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=5, expirationDate=SOON)
    early = await world.connected(made, "m-1")
    world.clock.advance(seconds=30)
    late = await world.connected(made, "m-2")
    assert (await seats_used(world, made), len(await world.sessions(made))) == (2, 2)
    world.clock.advance(seconds=30)
    listed = [("LicenseExpired", SOON, None)] * 2
    assert (await seats_used(world, made), await world.sessions(made)) == (0, [])
    assert await ends(world, made) == listed
    assert await live_in_statistics(world) == (0, 0)
    assert refusal(await world.heartbeat(late)) == (400, "LicenseExpired")
    assert refusal(await world.force_disconnect(late)) == (409, "Conflict")
    world.clock.advance(seconds=31)
    assert await end_expired_sessions(world.platform) >= 1, (
        "the reaper may come before the job of the licenses"
    )
    assert await ends(world, made) == listed
    await remind_of_expiry(world.platform, SessionLicenseHooks())
    assert await ends(world, made) == listed
    for session in (early, late):
        assert await reasons_told(world.platform, session) == ["LicenseExpired"]
        assert refusal(await world.heartbeat(session)) == (400, "LicenseExpired")


async def test_a_session_that_timed_out_before_the_term_ended_says_so(world: World) -> None:
    made = await world.issue(
        "Floating", maxActiveUsersCount=5, expirationDate="2030-01-15T12:05:00Z"
    )
    session = await world.connected(made)
    world.clock.advance(minutes=10)
    timed_out = [("TimedOut", "2030-01-15T12:01:30Z", "2030-01-15T12:01:30Z")]
    assert await ends(world, made) == timed_out
    await remind_of_expiry(world.platform, SessionLicenseHooks())
    assert await ends(world, made) == timed_out
    assert await reasons_told(world.platform, session) == ["TimedOut"]


@pytest.mark.parametrize("way", ["renew", "days", "convert"])
async def test_sessions_of_the_old_term_do_not_come_back_with_a_new_one(
    world: World, way: str
) -> None:
    made = await world.issue("Trial", expirationDate=SOON)
    session = await world.connected(made)
    world.clock.advance(seconds=61)
    path = f"/api/licenses/{made['id']}"
    if way == "renew":
        await world.owner.ok("PUT", path, {"expirationDate": "2031-01-01T00:00:00Z"})
    elif way == "days":
        body = {"ids": [made["id"]], "action": "extend", "days": 30}
        assert (await world.owner.ok("POST", "/api/licenses/bulk", body))["done"] == 1
    else:
        await world.owner.ok(
            "POST", f"{path}/convert", {"type": "Floating", "maxActiveUsersCount": 1}
        )
    assert await world.sessions(made) == []
    assert await ends(world, made) == [("LicenseExpired", SOON, None)]
    assert await reasons_told(world.platform, session) == ["LicenseExpired"]
    assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")
    await world.connected(made)


async def test_a_renewal_in_time_disturbs_no_session(world: World) -> None:
    made = await world.issue("Floating", expirationDate=SOON)
    session = await world.connected(made)
    world.clock.advance(seconds=59)
    body = {"expirationDate": "2031-01-01T00:00:00Z"}
    await world.owner.ok("PUT", f"/api/licenses/{made['id']}", body)
    world.clock.advance(seconds=20)
    assert (await world.heartbeat(session)).status_code == 200


async def test_deleting_a_license_records_that_its_sessions_ended(world: World) -> None:
    made = await world.issue("Floating")
    session = await world.connected(made)
    assert (await world.owner.send("DELETE", f"/api/licenses/{made['id']}")).status_code == 204
    assert await reasons_told(world.platform, session) == ["LicenseDeleted"]
    assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")


async def test_a_suspension_that_is_lifted_soon_ends_no_session(world: World) -> None:
    made = await world.issue("Floating")
    session = await world.connected(made)
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/suspend")
    assert refusal(await world.heartbeat(session)) == (400, "LicenseInvalid")
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/reinstate")
    assert (await world.heartbeat(session)).status_code == 200


@pytest.mark.parametrize("bulk", [False, True])
async def test_no_session_survives_a_revocation_that_it_races_with(
    world: World, bulk: bool
) -> None:
    """Each connect comes before the revocation, which ends it, or after, and is refused."""
    for _ in range(4):
        made = [await world.issue("Floating", maxActiveUsersCount=40) for _ in range(2)]
        connects = [world.connect(item, f"m-{n}") for n in range(12) for item in made]
        if bulk:
            body = {"ids": [item["id"] for item in made], "action": "revoke"}
            revoking = [world.owner.send("POST", "/api/licenses/bulk", body)]
        else:
            paths = [f"/api/licenses/{item['id']}/revoke" for item in made]
            revoking = [world.owner.send("POST", path) for path in paths]
        answers = await asyncio.gather(*connects[:12], *revoking, *connects[12:])
        assert {answer.status_code for answer in answers} <= {200, 201, 400}
        for item in made:
            assert await world.sessions(item) == []
            assert not any(slot["session_id"] for slot in await world.slots_of(item))


async def test_without_the_hook_a_revoked_license_keeps_its_seats(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control."""

    async def leave(*_: object) -> None:
        pass

    monkeypatch.setattr(SessionLicenseHooks, "licenses_ended", leave)
    made = await world.issue("Floating")
    await world.connected(made)
    revoked = await world.owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
    assert revoked["seatsUsed"] == 1
    assert len(await world.sessions(made)) == 1
