"""A license with a grace stays active past the end of its term, and everybody is told."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from joserfc import jws
from joserfc.jwk import RSAKey
from licenses.reminder_log import remind
from testkit import FakeClock
from world import Vendor, World

from licet_server.app import Application
from licet_server.licenses.service.reminders import remind_of_expiry
from licet_server.sessions.service.ending import SessionLicenseHooks

GRACE = 7


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """Its own database, because reminders are sent for all institutions at once."""
    return fresh_application


async def graced(vendor: Vendor, model: str = "Subscription", **fields: Any) -> dict[str, Any]:
    """A license for 30 days and a grace of seven, if nothing else is given."""
    terms = {"name": model, "type": model, "durationDays": 30, "graceDays": GRACE, **fields}
    policy = await vendor.owner.ok(
        "POST", "/api/policies", {"productId": vendor.product["id"], **terms}
    )
    body = {"policyId": policy["id"], "issuedTo": "customer@example.com"}
    made = dict(await vendor.owner.ok("POST", "/api/licenses", body))
    assert (made["graceDays"], made["inGraceUntil"]) == (terms["graceDays"], None)
    return made


async def travel(vendor: Vendor, clock: FakeClock, **by: float) -> None:
    clock.advance(**by)
    await vendor.owner.sign_in()


def wire(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")


async def test_a_license_stays_active_until_its_grace_ends(world: World) -> None:
    made = await graced(world)
    term_end = world.clock() + timedelta(days=30)
    end = wire(term_end + timedelta(days=GRACE))
    before = await world.validate(made)
    assert (before["license"]["expirationDate"], before["license"]["inGraceUntil"]) == (end, None)
    await travel(world, world.clock, days=30)
    stored = await world.read(made)
    assert stored == {**made, "inGraceUntil": end}
    assert (stored["status"], stored["expirationDate"]) == ("Active", wire(term_end))
    told = await world.validate(made)
    assert (told["valid"], told["status"], told["license"]["status"]) == (True, "Valid", "Active")
    assert (told["license"]["expirationDate"], told["license"]["inGraceUntil"]) == (end, end)
    assert "although its term has ended" in told["message"]
    path = f"/api/licenses/{made['id']}/explain"
    explained = await world.owner.ok("POST", path, {})
    assert explained["status"] == "Valid"
    assert "although its term has ended" in json.dumps(explained)
    await travel(world, world.clock, days=GRACE)
    stored = await world.read(made)
    assert (stored["status"], stored["inGraceUntil"]) == ("Expired", None)
    assert (await world.validate(made))["status"] == "Expired"
    assert refusal(await world.activate(made, "machine-1")) == (400, "LicenseExpired")


async def test_a_list_of_active_licenses_has_those_in_their_grace(world: World) -> None:
    made = await graced(world)
    await graced(world, name="Short", graceDays=1)
    await travel(world, world.clock, days=30 + GRACE - 1)
    later = wire(world.clock() + timedelta(days=365)).replace("+", "%2B")
    for query in ("status=Active", f"status=Active&expiringBefore={later}"):
        listing = await world.owner.ok("GET", f"/api/licenses?{query}")
        assert [item["id"] for item in listing["items"]] == [made["id"]]
    await travel(world, world.clock, days=1)
    assert (await world.owner.ok("GET", "/api/licenses?status=Active"))["items"] == []


async def test_what_only_its_fallback_keeps_active_is_not_among_what_will_expire(
    world: World,
) -> None:
    kept = await graced(
        world, graceDays=0, fallback="ReleaseAtTermEnd", fallbackAfterMonths=0, name="Kept"
    )
    ends = await graced(world)
    await travel(world, world.clock, days=31)
    later = wire(world.clock() + timedelta(days=30))
    active = await world.owner.ok("GET", "/api/licenses?status=Active")
    assert {item["id"] for item in active["items"]} == {kept["id"], ends["id"]}
    listing = await world.owner.ok("GET", f"/api/licenses?status=Active&expiringBefore={later}")
    assert [item["id"] for item in listing["items"]] == [ends["id"]]
    counted = await world.owner.ok("GET", "/api/statistics/licenses")
    assert counted["expiringIn30Days"] == 1


async def test_a_metered_license_is_charged_in_its_grace(world: World) -> None:
    made = await graced(world, "MeteredCount", initialMeterBalance=5)
    body = {"licenseKey": made["licenseKey"], "featureName": "export"}
    world.clock.advance(days=30 + GRACE, seconds=-1)
    assert (await world.call("POST", "/api/meter/consume", body)).status_code == 200
    world.clock.advance(seconds=1)
    answer = await world.call("POST", "/api/meter/consume", body)
    assert refusal(answer) == (400, "LicenseInvalid")


async def test_what_is_suspended_or_revoked_is_in_no_grace(world: World) -> None:
    made = await graced(world)
    await travel(world, world.clock, days=31)
    assert (await world.read(made))["inGraceUntil"] is not None
    for action in ("suspend", "revoke"):
        stopped = await world.owner.ok("POST", f"/api/licenses/{made['id']}/{action}")
        assert stopped["inGraceUntil"] is None


async def test_files_and_verdicts_tell_when_the_license_stops_being_valid(world: World) -> None:
    """Every SDK compares `expirationDate` itself, for as long as it keeps what it was told."""
    path = f"/api/products/{world.product['id']}/keys/public/download"
    key = RSAKey.import_key((await world.owner.send("GET", path)).text)
    made = await graced(world, activationMode="Offline")
    end = world.clock() + timedelta(days=30 + GRACE)
    for days, grace_end in ((0, None), (31, wire(end))):
        await travel(world, world.clock, days=days)
        signed = (await world.validate(made, signed=True, nonce="n"))["token"]
        refreshed = (await world.refresh(made)).json()
        assert refreshed["expiresAt"] == wire(end)
        for token in (signed, refreshed["file"], (await world.file(made)).text):
            claims = json.loads(jws.deserialize_compact(token, key, ["RS256"]).payload)
            told = claims["license"]
            assert (told["status"], told["expirationDate"]) == ("Active", wire(end))
            assert told["inGraceUntil"] == grace_end


async def test_sessions_live_through_the_grace_and_end_with_it(world: World) -> None:
    made = await graced(world, "Floating", maxActiveUsersCount=2)
    await travel(world, world.clock, days=30, seconds=1)
    session = await world.connected(made)
    assert (await world.heartbeat(session)).status_code == 200
    assert (await world.read(made))["seatsUsed"] == 1
    overview = await world.owner.ok("GET", "/api/statistics/overview")
    assert overview["liveSessions"] == 1
    await remind_of_expiry(world.platform, SessionLicenseHooks())
    assert [item["id"] for item in await world.sessions(made)] == [session["sessionId"]]
    await travel(world, world.clock, days=GRACE, seconds=-31)
    late = await world.connected(made, "machine-2")
    world.clock.advance(seconds=30)
    assert refusal(await world.heartbeat(late)) == (400, "LicenseExpired")
    assert (await world.read(made))["seatsUsed"] == 0
    await remind_of_expiry(world.platform, SessionLicenseHooks())
    [_, ended] = await world.events_of(late["sessionId"])
    assert (ended["kind"], ended["data"]["reason"]) == ("session.ended", "LicenseExpired")


async def test_reminders_go_out_at_the_end_of_the_term_and_of_the_grace(world: World) -> None:
    made = await graced(world)
    sent: list[tuple[str, int, str | None]] = []
    for _ in range(45):
        world.clock.advance(days=1)
        for _ in range(2):
            await remind(world.platform)
        for item in (await world.events_of(made["id"]))[1 + len(sent) :]:
            data = item["data"]
            sent.append((item["kind"], data["daysLeft"], data.get("inGraceUntil")))
    end = wire(FakeClock.START + timedelta(days=30 + GRACE))
    assert sent == [
        ("license.expiring", 7, None),
        ("license.expiring", 1, None),
        ("license.expiring", 0, end),
        ("license.expired", 0, None),
    ]


async def test_after_downtime_only_the_end_of_the_grace_is_told(world: World) -> None:
    made = await graced(world)
    world.clock.advance(days=60)
    assert await remind(world.platform) == 1
    assert await remind(world.platform) == 0
    told = await world.events_of(made["id"])
    assert [item["kind"] for item in told] == ["license.created", "license.expired"]


async def test_a_renewal_in_the_grace_counts_from_the_end_of_the_term(world: World) -> None:
    late, over = await graced(world), await graced(world, "Trial")
    term_end = world.clock() + timedelta(days=30)
    body = {"action": "extend", "days": 30}
    await travel(world, world.clock, days=33)
    await remind(world.platform)
    await world.owner.ok("POST", "/api/licenses/bulk", {**body, "ids": [late["id"]]})
    renewed = await world.read(late)
    assert renewed["expirationDate"] == wire(term_end + timedelta(days=30))
    assert renewed["inGraceUntil"] is None
    await travel(world, world.clock, days=5)
    await world.owner.ok("POST", "/api/licenses/bulk", {**body, "ids": [over["id"]]})
    assert (await world.read(over))["expirationDate"] == wire(world.clock() + timedelta(days=30))


async def test_what_is_given_wins_over_the_grace_of_the_policy(world: World) -> None:
    made = await graced(world)
    for days in (0, 30):
        body = {"policyId": made["policyId"], "issuedTo": "a@example.com", "graceDays": days}
        assert (await world.owner.ok("POST", "/api/licenses", body))["graceDays"] == days
    own = await world.issue("Subscription", graceDays=3)
    assert (own["policyId"], own["graceDays"]) == (None, 3)
    body = {"policyId": made["policyId"], "issuedTo": "a@example.com", "graceDays": 366}
    assert bad_fields(await world.owner.send("POST", "/api/licenses", body)) == ["graceDays"]


async def test_the_grace_of_one_license_is_changed(world: World) -> None:
    made = await graced(world)
    path = f"/api/licenses/{made['id']}"
    await travel(world, world.clock, days=30 + GRACE)
    assert (await world.validate(made))["status"] == "Expired"
    changed = await world.owner.ok("PUT", path, {"graceDays": GRACE + 3})
    end = wire(world.clock() + timedelta(days=3))
    assert (changed["status"], changed["inGraceUntil"]) == ("Active", end)
    assert (await world.validate(made))["license"]["expirationDate"] == end
    ended = await world.owner.ok("PUT", path, {"graceDays": 1})
    assert (ended["status"], ended["inGraceUntil"]) == ("Expired", None)
    for days in (-1, 366, None):
        assert bad_fields(await world.owner.send("PUT", path, {"graceDays": days})) == ["graceDays"]


async def test_a_new_end_of_the_grace_is_told_again(world: World) -> None:
    made = await graced(world)
    path = f"/api/licenses/{made['id']}"
    world.clock.advance(days=60)
    await remind(world.platform)
    await travel(world, world.clock)
    await world.owner.ok("PUT", path, {"notes": "Asked for more time"})
    assert await remind(world.platform) == 0
    await world.owner.ok("PUT", path, {"graceDays": 90})
    for _ in range(2):
        await remind(world.platform)
    world.clock.advance(days=60)
    for _ in range(2):
        await remind(world.platform)
    told = [item["kind"] for item in await world.events_of(made["id"])]
    assert told == [
        "license.created",
        "license.expired",
        "license.updated",
        "license.updated",
        "license.expiring",
        "license.expired",
    ]


async def test_applying_a_policy_changes_neither_term_nor_grace(world: World) -> None:
    made = await graced(world)
    policy = await world.owner.ok("GET", f"/api/policies/{made['policyId']}")
    change = {"graceDays": 30, "durationDays": 60, "termStarts": "FirstUse"}
    await world.owner.ok("PUT", f"/api/policies/{policy['id']}", change)
    body = {"all": True, "dryRun": False}
    applied = await world.owner.ok("POST", f"/api/policies/{policy['id']}/apply", body)
    assert (applied["changed"], applied["unchanged"]) == ([], 1)
    assert await world.read(made) == made
