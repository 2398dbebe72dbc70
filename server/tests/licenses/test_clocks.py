"""Test clocks: licenses, devices and sessions of a Test product go by it, and nothing else does."""

import asyncio
from typing import Any

import pytest
from catalog.factories import make_product, refusal
from licenses.clocks import Clocked
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from testkit import FakeClock, Owner
from world import open_vendor

from licet_server.catalog.service.clocks import advance_clocks
from licet_server.kit.platform import Platform
from licet_server.licenses.service.reminders import remind_of_expiry
from licet_server.sessions.service.ending import SessionLicenseHooks, end_expired_sessions
from licet_server.worker import TIMED

START = "2030-01-15T12:00:00Z"


@pytest.fixture
async def clocked(owner: Owner, platform: Platform, clock: FakeClock) -> Clocked:
    return await Clocked.of(owner, platform, clock)


async def test_a_clock_starts_at_the_present_and_stands_still(clocked: Clocked) -> None:
    made = await clocked.stands()
    assert (made["now"], made["status"], made["target"]) == (START, "Ready", None)
    clocked.real.advance(minutes=5)
    assert await clocked.stands() == made
    listed = await clocked.owner.ok("GET", "/api/test-clocks")
    assert listed["items"] == [made]
    of_product = {"productId": clocked.product["id"]}
    assert (await clocked.owner.ok("GET", "/api/test-clocks", params=of_product))["items"] == [made]


async def test_only_a_test_product_has_a_clock_and_only_one(
    owner: Owner, platform: Platform
) -> None:
    live = await make_product(owner)
    refused = await owner.send("POST", "/api/test-clocks", {"productId": live["id"]})
    assert refusal(refused) == (400, "InvalidRequest")
    test = await make_product(owner, "Tests", mode="Test")
    body = {"productId": test["id"]}
    early = await owner.send("POST", "/api/test-clocks", {**body, "now": "2029-01-01T00:00:00Z"})
    assert refusal(early) == (400, "InvalidRequest")
    made = await owner.ok("POST", "/api/test-clocks", {**body, "now": "2030-02-01T00:00:00Z"})
    assert (made["status"], made["now"]) == ("Advancing", START)
    assert refusal(await owner.send("POST", "/api/test-clocks", body)) == (409, "Conflict")
    await advance_clocks(platform, TIMED)
    there = await owner.ok("GET", f"/api/test-clocks/{made['id']}")
    assert (there["status"], there["now"]) == ("Ready", "2030-02-01T00:00:00Z")
    with pytest.raises(IntegrityError):
        async with platform.database.reading() as db:
            await db.execute(
                text("UPDATE test_clocks SET product_id = :live"), {"live": live["id"]}
            )


async def test_a_clock_only_moves_forward(clocked: Clocked) -> None:
    there = await clocked.advance(days=10)
    assert (there["now"], there["status"]) == ("2030-01-25T12:00:00Z", "Ready")
    again = await clocked.advance(to=there["now"])
    assert again == there
    path = f"{clocked.path}/advance"
    for body in ({"to": START}, {"to": "2050-01-01T00:00:00Z"}, {}, {"days": 1, "to": START}):
        assert refusal(await clocked.owner.send("POST", path, body)) == (400, "InvalidRequest")
    await clocked.owner.ok("POST", path, {"days": 1})
    moving = await clocked.owner.send("POST", path, {"days": 2})
    assert refusal(moving) == (409, "Conflict")
    assert (await clocked.owner.send("POST", path, {"days": 1})).status_code == 202


async def test_a_trial_ends_by_the_clock_of_its_product_alone(
    clocked: Clocked, platform: Platform
) -> None:
    live = await open_vendor(clocked.owner, name="Live")
    ends = "2030-02-14T12:00:00Z"
    made = await clocked.issue("Trial", expirationDate=ends)
    sold = await live.issue("Trial", expirationDate=ends)
    await clocked.advance(to="2030-02-14T11:59:59Z")
    assert (await clocked.validate(made))["valid"] is True
    await clocked.advance(to=ends)
    verdict = await clocked.validate(made)
    assert (verdict["status"], verdict["serverTime"]) == ("Expired", ends)
    assert refusal(await clocked.activate(made, "m-1")) == (400, "LicenseExpired")
    assert refusal(await clocked.consume(made)) == (400, "NotMeteredLicense")
    assert (await clocked.read(made))["status"] == "Expired"
    assert (await live.validate(sold))["valid"] is True
    assert (await live.read(sold))["status"] == "Active"
    told = await clocked.told()
    assert ("2030-02-14T12:00:00Z", "license.expired") in told
    assert [at for at, _ in told] == sorted(at for at, _ in told)


async def test_advancing_visits_every_due_instant_in_order(clocked: Clocked) -> None:
    await clocked.issue("Subscription", expirationDate="2030-03-01T00:00:00Z", graceDays=5)
    floating = await clocked.issue("Floating", maxActiveUsersCount=2)
    await clocked.connected(floating)
    await clocked.advance(to="2030-06-01T00:00:00Z")
    told = await clocked.told(**{"from": "2030-01-15T12:00:01Z"})
    assert told[0] == ("2030-01-15T12:01:30Z", "session.ended")
    assert [item for item in told if item[1].startswith("license.")] == [
        ("2030-01-30T00:00:00Z", "license.expiring"),
        ("2030-02-22T00:00:00Z", "license.expiring"),
        ("2030-02-28T00:00:00Z", "license.expiring"),
        ("2030-03-01T00:00:00Z", "license.expiring"),
        ("2030-03-06T00:00:00Z", "license.expired"),
    ]
    part = await clocked.told(**{"from": "2030-02-01T00:00:00Z", "to": "2030-03-01T00:00:00Z"})
    assert {at for at, _ in part} == {"2030-02-22T00:00:00Z", "2030-02-28T00:00:00Z"}


async def test_until_the_next_event_stops_where_something_happens(clocked: Clocked) -> None:
    assert (await clocked.advance(until="NextEvent"))["now"] == START, "nothing is due"
    made = await clocked.issue("Floating", maxActiveUsersCount=2)
    await clocked.connected(made)
    there = await clocked.advance(until="NextEvent")
    assert (there["now"], there["status"]) == ("2030-01-15T12:01:30Z", "Ready")
    assert await clocked.sessions(made) == []
    assert (await clocked.advance(until="NextEvent"))["now"] == there["now"]


async def test_what_is_due_in_real_time_is_not_due_by_the_clock(clocked: Clocked) -> None:
    made = await clocked.issue("Floating", expirationDate="2030-01-20T00:00:00Z")
    session = await clocked.connected(made)
    clocked.real.advance(days=30)
    await clocked.owner.sign_in()
    await end_expired_sessions(clocked.platform)
    await remind_of_expiry(clocked.platform, SessionLicenseHooks())
    assert [kind for _, kind in await clocked.told() if kind.startswith("license.exp")] == []
    assert (await clocked.validate(made))["valid"] is True
    assert (await clocked.heartbeat(session)).status_code == 200
    assert (await clocked.read(made))["seatsUsed"] == 1
    await clocked.advance(to="2030-01-21T00:00:00Z")
    assert (await clocked.read(made))["status"] == "Expired"


async def test_what_operators_do_is_dated_by_the_clock(clocked: Clocked) -> None:
    await clocked.advance(to="2031-01-15T12:00:00Z")
    made = await clocked.issue("Floating", expirationDate="2031-02-15T00:00:00Z")
    assert (made["createdAt"], made["status"]) == ("2031-01-15T12:00:00Z", "Active")
    session = await clocked.connected(made)
    path = f"/api/licenses/{made['id']}"
    revoked = await clocked.owner.ok("POST", f"{path}/revoke")
    assert (revoked["status"], revoked["revokedAt"]) == ("Revoked", "2031-01-15T12:00:00Z")
    [ended] = await clocked.sessions(made, status="Ended")
    assert (ended["id"], ended["endedAt"]) == (session["sessionId"], "2031-01-15T12:00:00Z")
    await clocked.advance(days=2)
    late = await clocked.owner.send("POST", f"{path}/restore")
    assert refusal(late) == (409, "Conflict"), "a revocation can be undone for a day of the clock"


async def test_a_term_begins_and_a_file_is_made_by_the_clock(clocked: Clocked) -> None:
    await clocked.advance(to="2032-01-15T12:00:00Z")
    policy = {
        "productId": clocked.product["id"],
        "name": "Thirty days",
        "type": "Trial",
        "durationDays": 30,
        "termStarts": "FirstUse",
    }
    kept = await clocked.owner.ok("POST", "/api/policies", policy)
    made = await clocked.owner.ok(
        "POST", "/api/licenses", {"policyId": kept["id"], "issuedTo": "somebody@example.com"}
    )
    assert (await clocked.activate(made, "m-1")).is_success
    assert (await clocked.read(made))["expirationDate"] == "2032-02-14T12:00:00Z"
    claims = await clocked.claims_of((await clocked.file(made, "m-1")).text)
    assert claims["iat"] == 1957780800
    verdict = await clocked.validate(made, "m-1", signed=True)
    assert verdict["serverTime"] == "2032-01-15T12:00:00Z"
    claims = await clocked.claims_of(verdict["token"])
    assert (claims["iat"], claims["exp"]) == (1957780800, 1957781100)


async def test_without_its_clock_a_product_goes_by_the_present_again(clocked: Clocked) -> None:
    made = await clocked.issue("Trial", expirationDate="2030-02-14T12:00:00Z")
    await clocked.advance(days=100)
    assert (await clocked.validate(made))["status"] == "Expired"
    assert (await clocked.owner.send("DELETE", clocked.path)).status_code == 204
    assert (await clocked.validate(made))["valid"] is True
    assert (await clocked.owner.send("GET", clocked.path)).status_code == 404


async def test_requests_that_arrive_together_each_go_by_their_own_clock(
    clocked: Clocked, platform: Platform
) -> None:
    other = await Clocked.of(clocked.owner, platform, clocked.real, "Other tests")
    live = await open_vendor(clocked.owner, name="Live")
    vendors: list[Any] = [clocked, other, live]
    made = [await item.issue("Floating", expirationDate="2030-02-14T00:00:00Z") for item in vendors]
    await clocked.advance(to="2030-02-01T00:00:00Z")
    await other.advance(to="2030-03-01T00:00:00Z")
    verdicts = await asyncio.gather(
        *(item.validate(one) for item, one in zip(vendors * 5, made * 5, strict=True))
    )
    assert [item["status"] for item in verdicts] == ["Valid", "Expired", "Valid"] * 5
    answers = await asyncio.gather(
        *(
            vendor.connect(one, f"m-{n}")
            for n in range(2)
            for vendor, one in zip(vendors, made, strict=True)
        )
    )
    assert [item.status_code for item in answers] == [201, 400, 201] * 2
    ends = [answers[n].json()["expiresAt"] for n in (0, 2)]
    assert ends == ["2030-02-01T00:01:30Z", "2030-01-15T12:01:30Z"]


async def test_lists_and_figures_of_a_product_go_by_its_clock(clocked: Clocked) -> None:
    """Those of the institution's other products go by the present meanwhile."""
    live = await open_vendor(clocked.owner, name="Live")
    for vendor in (clocked, live):
        await vendor.issue("Trial", expirationDate="2030-02-14T12:00:00Z")
        await vendor.issue("Subscription", expirationDate="2030-03-05T00:00:00Z", graceDays=20)
        await vendor.issue("Perpetual")
    floating = await clocked.issue("Floating", maxActiveUsersCount=2)
    await clocked.advance(to="2030-03-10T00:00:00Z")
    await clocked.connected(floating)

    async def listed(status: str, **query: Any) -> list[tuple[str, str]]:
        query["status"] = status
        found = await clocked.owner.ok("GET", "/api/licenses", params=query)
        assert all(item["status"] == status for item in found["items"])
        return sorted((item["productId"], item["type"]) for item in found["items"])

    ours, theirs = clocked.product["id"], live.product["id"]
    assert await listed("Expired") == [(ours, "Trial")]
    kept = {"Floating", "Perpetual", "Subscription"}
    assert await listed("Active") == sorted(
        [(ours, kind) for kind in kept]
        + [(theirs, kind) for kind in ("Perpetual", "Subscription", "Trial")]
    )
    of_product = {"productId": ours}
    statistics = "/api/statistics"
    figures = await clocked.owner.ok("GET", f"{statistics}/licenses", params=of_product)
    by_status = figures["byStatus"]
    assert (by_status["Active"], by_status["Expired"], figures["expiringIn30Days"]) == (3, 1, 1)
    sessions = await clocked.owner.ok("GET", f"{statistics}/sessions", params=of_product)
    assert (sessions["live"], sessions["started"]) == (1, 1)
    counts = await clocked.owner.ok("GET", f"/api/licenses/{floating['id']}/counts")
    assert counts["liveSessions"] == 1
    clocked.real.advance(days=200)
    await clocked.owner.sign_in()
    assert await listed("Expired", test="true") == [(ours, "Trial")]
    assert len(await listed("Active", test="true")) == 3, "a clock may be behind the present"
    assert (await listed("Expired", productId=theirs)) == [
        (theirs, "Subscription"),
        (theirs, "Trial"),
    ]
