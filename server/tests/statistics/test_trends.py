"""Statistics that compare: with the period before, by version, with seats, and of renewals."""

from typing import Any

import pytest
from licenses.factories import FUTURE
from testkit import FakeClock, Owner
from world import Vendor, World

from licet_server.kit.platform import Platform
from licet_server.sessions.service.reading import keep_peaks


@pytest.fixture
def pool(world: World) -> Vendor:
    """The same product, whose applications connect."""
    return Vendor(world.owner, world.product, world.key)


async def read(vendor: Any, kind: str, **query: Any) -> dict[str, Any]:
    return dict(await vendor.owner.ok("GET", f"/api/statistics/{kind}", params=query))


@pytest.mark.specification("find.trends")
async def test_period_is_compared_with_the_one_before(world: World) -> None:
    metered = await world.issue("MeteredCount", initialMeterBalance=100)
    await world.consumed(metered, quantity=7)
    trial = await world.issue("Trial", expirationDate="2030-01-20T00:00:00Z")
    world.clock.advance(days=2)
    await world.owner.sign_in()
    await world.consumed(metered, quantity=5)
    await world.owner.ok("PUT", f"/api/licenses/{trial['id']}", {"expirationDate": FUTURE})
    await world.owner.ok("POST", f"/api/licenses/{metered['id']}/revoke")
    answer = await read(world, "comparison", **{"from": "2030-01-16", "to": "2030-01-17"})
    assert answer["from"] == answer["previousTo"] == "2030-01-16T00:00:00Z"
    assert answer["previousFrom"] == "2030-01-14T00:00:00Z"
    figures = {item["name"]: (item["value"], item["previous"]) for item in answer["figures"]}
    assert {name: both for name, both in figures.items() if any(both)} == {
        "LicensesIssued": (0, 2),
        "LicensesRenewed": (1, 0),
        "LicensesRevoked": (1, 0),
        "Consumption": (5, 7),
    }
    assert len(figures) == 11
    none = {"from": "2030-01-18", "to": "2030-01-18"}
    assert {item["value"] for item in (await read(world, "comparison", **none))["figures"]} == {0}


@pytest.mark.specification("find.trends")
async def test_devices_and_sessions_are_counted_by_version(world: World, pool: Vendor) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=9)
    await world.activate(made, "old", appVersion="1.0")
    world.clock.advance(days=40)
    await world.owner.sign_in()
    for machine, version in (("a", "1.0"), ("b", "2.0"), ("c", "2.0"), ("d", None)):
        await world.activate(made, machine, appVersion=version)
    blocked = (await world.activate(made, "e", appVersion="3.0")).json()
    await world.operate(blocked["activationId"], "block")
    offline = await world.issue("Concurrent", activationMode="Offline", maxActiveUsersCount=1)
    await world.activate(offline, "h", appVersion="3.0")
    assert (await world.file(offline, "h")).status_code == 200
    await world.deactivate(offline, "h")  # its seat is free when its file has ended
    floating = await world.issue("Floating")
    await pool.connected(floating, "f", appVersion="2.0")
    gone = await pool.connected(floating, "g", appVersion="3.0")
    await pool.disconnect(gone)
    answer = await read(world, "versions")
    assert (answer["devices"], answer["sessions"], answer["others"]) == (5, 1, 0)
    assert [
        (item["appVersion"], item["devices"], item["seen"], item["sessions"])
        for item in answer["versions"]
    ] == [("2.0", 2, 2, 1), ("1.0", 2, 1, 0), (None, 1, 1, 0)]
    assert {item["productName"] for item in answer["versions"]} == {"Aurora"}


@pytest.mark.specification("find.trends")
async def test_peaks_are_reported_with_seats(
    pool: Vendor, clock: FakeClock, platform: Platform
) -> None:
    small = await pool.issue("Floating", licenseName="Small", maxActiveUsersCount=2)
    large = await pool.issue("Floating", licenseName="Large", maxActiveUsersCount=10)
    await pool.issue("Concurrent", maxActiveUsersCount=50)
    live = [await pool.connected(large, f"machine-{n}") for n in range(4)]
    for session in live[1:]:
        await pool.disconnect(session)
    await pool.connected(large, "machine-5")
    clock.advance(days=1)
    await pool.owner.sign_in()
    await pool.connected(small, "a", instanceId="1")
    await pool.connected(small, "a", instanceId="1")
    await pool.connected(small, "b")
    assert (await pool.connect(small, "c")).status_code == 409
    answer = await read(pool, "concurrency")
    assert (answer["seats"], answer["peak"]) == (12, 4)
    days = {day["date"]: day["peak"] for day in answer["dailyTrend"] if day["peak"]}
    assert days == {"2030-01-15": 4, "2030-01-16": 2}
    assert [
        (item["licenseName"], item["peak"], item["seatsTotal"], item["peakOn"])
        for item in answer["topLicenses"]
    ] == [("Small", 2, 2, "2030-01-16"), ("Large", 4, 10, "2030-01-15")]
    only = {"from": "2030-01-16", "to": "2030-01-16", "productId": pool.product["id"]}
    assert (await read(pool, "concurrency", **only))["peak"] == 2


async def test_sessions_that_last_for_days_count_on_each(
    pool: Vendor, clock: FakeClock, platform: Platform
) -> None:
    settings = {"settings": {"sessionTimeoutSeconds": 86_400}}
    await pool.owner.ok("PUT", f"/api/products/{pool.product['id']}", settings)
    made = await pool.issue("Floating")
    await pool.connected(made, "a")
    await pool.connected(made, "b")
    clock.advance(hours=13)
    await pool.owner.sign_in()
    assert await keep_peaks(platform) >= 1
    days = {day["date"]: day["peak"] for day in (await read(pool, "concurrency"))["dailyTrend"]}
    assert (days["2030-01-15"], days["2030-01-16"]) == (2, 2)
    await pool.connected(made, "c")
    await keep_peaks(platform)
    days = {day["date"]: day["peak"] for day in (await read(pool, "concurrency"))["dailyTrend"]}
    assert days["2030-01-16"] == 3
    clock.advance(days=801)
    assert await keep_peaks(platform) >= 2
    await pool.owner.sign_in()
    old = await read(pool, "concurrency", **{"from": "2030-01-15", "to": "2030-01-16"})
    assert old["peak"] == 0


@pytest.mark.specification("find.trends")
async def test_renewals_and_churn_are_counted(world: World) -> None:
    ends = {"expirationDate": "2030-01-20T00:00:00Z"}
    renewed = await world.issue("Subscription", **ends)
    revoked = await world.issue("Subscription", **ends)
    maintained = await world.issue("Perpetual", updatesUntil="2030-01-20T00:00:00Z")
    for _ in range(2):
        await world.issue("Subscription", **ends)
    await world.issue("Trial", expirationDate="2030-01-25T00:00:00Z")
    await world.owner.ok("PUT", f"/api/licenses/{renewed['id']}", {"expirationDate": FUTURE})
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    path = f"/api/licenses/{maintained['id']}"
    await world.owner.ok("PUT", path, {"updatesUntil": "2031-01-20T00:00:00Z"})
    await world.owner.ok("PUT", path, {"updatesUntil": "2030-06-20T00:00:00Z"})  # shorter again
    world.clock.advance(days=7)
    await world.owner.sign_in()
    answer = await read(world, "renewals")
    none = {
        "issued": 0,
        "renewed": 0,
        "renewedByKind": {"Term": 0, "Updates": 0},
        "lapsed": 0,
        "revoked": 0,
        "churned": 0,
        "renewalRate": None,
    }
    some = {
        "issued": 6,
        "renewed": 1,
        "renewedByKind": {"Term": 1, "Updates": 1},
        "lapsed": 2,
        "revoked": 1,
        "churned": 3,
        "renewalRate": 0.3333,
    }
    assert {name: answer[name] for name in some} == some
    assert answer["previous"] == none
    days = {day.pop("date"): day for day in answer["dailyTrend"]}
    assert days["2030-01-15"] == {"issued": 6, "renewed": 1, "lapsed": 0, "revoked": 1}
    assert days["2030-01-20"] == {"issued": 0, "renewed": 0, "lapsed": 2, "revoked": 0}
    later = await read(world, "renewals", **{"from": "2030-01-21", "to": "2030-01-26"})
    assert {name: later[name] for name in none} == none
    assert {name: later["previous"][name] for name in ("issued", "lapsed")} == {
        "issued": 6,
        "lapsed": 2,
    }


async def test_what_was_taken_back_does_not_count(world: World) -> None:
    ends = {"expirationDate": "2030-03-20T00:00:00Z", "updatesUntil": "2030-03-20T00:00:00Z"}
    license_ = await world.issue("Perpetual", updatesUntil=ends["updatesUntil"])
    term = await world.issue("Subscription", expirationDate=ends["expirationDate"])
    for made, field in ((license_, "updatesUntil"), (term, "expirationDate")):
        path = f"/api/licenses/{made['id']}"
        await world.owner.ok("PUT", path, {field: FUTURE})
        await world.owner.ok("PUT", path, {field: ends[field]})
    await world.owner.ok("POST", "/api/licenses/bulk", {"ids": [term["id"]], "action": "revoke"})
    world.clock.advance(hours=20)
    await world.owner.sign_in()
    await world.owner.ok("POST", f"{path}/restore")
    answer = await read(world, "renewals")
    assert answer["renewedByKind"] == {"Term": 0, "Updates": 0}
    assert (answer["revoked"], answer["churned"], answer["renewalRate"]) == (0, 0, None)
    assert {day["renewed"] + day["revoked"] for day in answer["dailyTrend"]} == {0}
    await world.owner.ok("PUT", path, {"expirationDate": FUTURE})
    await world.owner.ok("POST", f"{path}/revoke")
    again = await read(world, "renewals")
    assert (again["renewed"], again["revoked"]) == (1, 1)


@pytest.mark.parametrize("kind", ["comparison", "versions", "concurrency", "renewals"])
async def test_trends_cover_what_the_caller_sees(world: World, stranger: Owner, kind: str) -> None:
    await world.issue("Perpetual")
    institution = {"institutionId": world.owner.institution_id}
    for query in (institution, {"productId": world.product["id"]}):
        assert await read(world, kind, **query)
    assert "Aurora" not in str(await read(Asked(stranger), kind))


class Asked:
    """Somebody who asks without a product."""

    def __init__(self, owner: Owner) -> None:
        self.owner = owner
