"""Maintenance and fallback over HTTP: verdicts, updates, devices, sessions and meters."""

from datetime import timedelta
from typing import Any

from catalog.factories import bad_fields, refusal
from statements import sent_statements
from world import Vendor, World

RENEW = {"renewUrl": "https://a.example"}
EXPIRED = (400, "LicenseExpired")
YEAR = {"durationMonths": 12, "graceDays": 7}


async def released(vendor: Vendor, version: str, **fields: Any) -> dict[str, Any]:
    body = {"version": version, "status": "Published", **fields}
    path = f"/api/products/{vendor.product['id']}/releases"
    return dict(await vendor.owner.ok("POST", path, body))


async def under(vendor: Vendor, model: str, **terms: Any) -> dict[str, Any]:
    """A license under a policy with these terms."""
    body = {"productId": vendor.product["id"], "name": f"{model}{terms}", "type": model, **terms}
    policy = await vendor.owner.ok("POST", "/api/policies", body)
    wanted = {"policyId": policy["id"], "issuedTo": "customer@example.com"}
    return dict(await vendor.owner.ok("POST", "/api/licenses", wanted))


async def travel(world: World, **by: float) -> None:
    world.clock.advance(**by)
    await world.owner.sign_in()


async def judged(world: World, license_: dict[str, Any], version: str) -> str:
    return str((await world.validate(license_, appVersion=version))["status"])


async def latest(vendor: Vendor, license_: dict[str, Any], version: str) -> dict[str, Any]:
    query = {"licenseKey": license_["licenseKey"], "currentVersion": version}
    answer = await vendor.owner.client.get("/api/updates/latest", params=query, headers=vendor.key)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_year_of_updates_ends_and_what_was_covered_stays(world: World) -> None:
    made = await under(world, "Perpetual", updatesDays=365, metadata=RENEW)
    await released(world, "3.0.0")
    assert await judged(world, made, "3.0.0") == "Valid", "the date decides, not the major version"
    await travel(world, days=365)
    last = await released(world, "3.1.0")
    assert last["firstPublishedAt"] == made["updatesUntil"]
    await travel(world, days=1)
    late = await released(world, "3.2.0")
    fix = await released(world, "3.0.1", coverage="Everyone")
    assert (late["coverage"], fix["coverage"]) == ("Licensed", "Everyone")
    for version in ("3.0.0", "3.1.0", "3.1", "3.0.1"):
        assert await judged(world, made, version) == "Valid", version
    refused = await world.validate(made, appVersion="3.2.0")
    assert (refused["status"], refused["license"]["status"]) == ("ReleaseNotAllowed", "Active")
    assert "expire" not in refused["message"]
    assert refused["license"]["updatesUntil"] == made["updatesUntil"]
    beyond = {"version": "3.2.0", "reason": "MaintenanceEnded", **RENEW}
    told = await latest(world, made, "3.1.0")
    assert (told["updateAvailable"], told["version"], told["newer"]) == (False, "3.1.0", beyond)
    older = await latest(world, made, "3.0.0")
    assert (older["updateAvailable"], older["version"], older["newer"]) == (True, "3.1.0", beyond)
    assert "newer" not in await latest(world, made, "3.2.0")
    # Yanked and published again, it keeps its date.
    for status in ("Yanked", "Published"):
        again = await world.owner.ok("PUT", f"/api/releases/{late['id']}", {"status": status})
        assert again["firstPublishedAt"] == late["firstPublishedAt"]
    assert await judged(world, made, "3.2.0") == "ReleaseNotAllowed"
    # A renewal until the very instant includes the release.
    until = {"updatesUntil": late["firstPublishedAt"]}
    await world.owner.ok("PUT", f"/api/licenses/{made['id']}", until)
    assert await judged(world, made, "3.2.0") == "Valid"
    assert (await latest(world, made, "3.1.0"))["version"] == "3.2.0"


async def test_a_lapsed_subscription_keeps_what_was_paid_for(world: World) -> None:
    await released(world, "2.5.0")
    made = await under(world, "Subscription", **YEAR, fallback="ReleaseAtTermEnd")
    plain = await under(world, "Subscription", **YEAR)
    assert (made["fallbackUntil"], made["inFallback"]) == (made["expirationDate"], False)
    await travel(world, days=371)
    await released(world, "2.6.0")
    before = await world.validate(made, appVersion="2.6.0")
    assert (before["valid"], before["license"]["inFallback"]) == (True, False), "in its grace"
    await travel(world, days=1)
    assert await judged(world, plain, "2.5.0") == "Expired"
    told = await world.validate(made, appVersion="2.5.0", signed=True, nonce="n")
    license_ = told["license"]
    assert (told["valid"], license_["status"], license_["inFallback"]) == (True, "Active", True)
    assert (license_["fallbackUntil"], license_["expirationDate"]) == (made["fallbackUntil"], None)
    assert (await world.claims_of(told["token"]))["license"] == license_
    assert "expire" not in told["message"]
    assert await judged(world, made, "2.6.0") == "ReleaseNotAllowed"
    unknown = await world.validate(made, appVersion="2.5.7")
    assert (unknown["status"], unknown["warnings"]) == ("Valid", ["VersionNotComparable"])
    stored = await world.read(made)
    assert (stored["status"], stored["inFallback"]) == ("Active", True)
    for status, found in (("Active", [made["id"]]), ("Expired", [plain["id"]])):
        listed = await world.owner.ok("GET", f"/api/licenses?status={status}")
        assert [item["id"] for item in listed["items"]] == found
    assert "newer" in await latest(world, made, "2.5.0")
    file = await world.file(made)
    claims = (await world.claims_of(file.text))["license"]
    assert (claims["fallbackUntil"], claims["inFallback"]) == (made["fallbackUntil"], True)
    renewed = await world.owner.ok(
        "POST", "/api/licenses/bulk", {"ids": [made["id"]], "action": "extend", "days": 30}
    )
    assert renewed["done"] == 1
    stored = await world.read(made)
    assert (stored["inFallback"], stored["fallbackUntil"]) == (False, None), "paid for since today"
    assert await judged(world, made, "2.6.0") == "Valid"


async def test_devices_and_sessions_go_on_in_the_fallback_and_meters_stop(world: World) -> None:
    terms = {"durationDays": 30, "fallback": "ReleaseAtTermEnd", "fallbackAfterMonths": 1}
    concurrent = await under(world, "Concurrent", **terms, maxActiveUsersCount=2)
    floating = await under(world, "Floating", **terms, maxActiveUsersCount=2)
    await world.feature()
    metered = await under(world, "MeteredCount", **terms, initialMeterBalance=10)
    gone = await under(world, "Floating", durationDays=30, maxActiveUsersCount=2)
    await world.consumed(metered)
    await travel(world, days=31)
    assert (await world.activate(concurrent, "m-1")).status_code == 201
    assert (await world.connect(floating)).status_code == 201
    assert refusal(await world.connect(gone)) == EXPIRED
    assert (await world.validate(metered))["valid"]
    assert refusal(await world.consume(metered, idempotencyKey="again")) == EXPIRED
    session = await world.connected(floating)
    await world.owner.ok("PUT", f"/api/licenses/{floating['id']}", {"fallback": "None"})
    assert (await world.heartbeat(session)).status_code == 400


async def test_only_licenses_with_a_window_cost_another_statement(world: World) -> None:
    await released(world, "1.0.1")
    plain = await under(world, "Subscription", **YEAR)
    kept = await under(world, "Subscription", **YEAR, fallback="ReleaseAtTermStart")
    maintained = await under(world, "Perpetual", updatesDays=30)
    sent = []
    for license_ in (plain, kept, maintained):
        await world.validate(license_, appVersion="1.0.1")
        with sent_statements() as taken:
            assert (await world.validate(license_, appVersion="1.0.1"))["valid"]
        sent.append(len(taken))
    assert sent == [sent[0], sent[0], sent[0] + 1]


async def test_a_day_of_maintenance_lasts_until_its_end_in_the_zone(world: World) -> None:
    path = f"/api/institutions/{world.owner.institution_id}/settings"
    await world.owner.ok("PUT", path, {"timeZone": "Europe/Berlin"})
    made = await world.issue("Perpetual", updatesUntil="2031-01-31")
    assert made["updatesUntil"] == "2031-01-31T22:59:59.999999Z"
    changed = await world.owner.ok(
        "PUT", f"/api/licenses/{made['id']}", {"updatesUntil": "2031-07-31"}
    )
    assert changed["updatesUntil"] == "2031-07-31T21:59:59.999999Z"
    cleared = await world.owner.ok("PUT", f"/api/licenses/{made['id']}", {"updatesUntil": None})
    assert cleared["updatesUntil"] is None
    far = await world.issue("Perpetual", updatesUntil="9999-12-31")
    assert far["updatesUntil"] is None
    past = await world.issue("Perpetual", updatesUntil="2020-01-01")
    assert past["status"] == "Active"


async def test_bad_windows_are_refused(world: World) -> None:
    base = {"productId": world.product["id"], "licenseName": "L", "issuedTo": "a@example.com"}
    year = world.clock() + timedelta(days=365)
    ends = {"expirationDate": year.isoformat()}
    for bad, fields in (
        ({"type": "Perpetual", "updatesUntil": "1969-12-31"}, ["updatesUntil"]),
        ({"type": "Perpetual", "updatesUntil": "soon"}, ["updatesUntil"]),
        ({"type": "Perpetual", "fallback": "Always"}, ["fallback"]),
        ({"type": "Perpetual", "fallbackAfterMonths": -1}, ["fallbackAfterMonths"]),
        ({"type": "Trial", "fallback": "ReleaseAtTermEnd", **ends}, ["fallback"]),
    ):
        answer = await world.owner.send("POST", "/api/licenses", {**base, **bad})
        assert bad_fields(answer) == fields, bad
    policy = {"productId": world.product["id"], "name": "P", "type": "Trial"}
    for bad in ({"fallback": "ReleaseAtTermEnd"}, {"updatesDays": 0}):
        answer = await world.owner.send("POST", "/api/policies", {**policy, **bad})
        assert bad_fields(answer) == list(bad), bad
    answer = await world.owner.send(
        "POST", f"/api/products/{world.product['id']}/releases",
        {"version": "3", "coverage": "Nobody"},
    )  # fmt: skip
    assert bad_fields(answer) == ["coverage"]
