"""What happens in Test products is in no figure, limit or notification of the institution."""

from datetime import timedelta
from typing import Any

import pytest
from institutions.test_plans import FULL, MADE, new_license, outcome, set_plan
from notifications.inbox import Inbox
from telemetry.factories import event
from testkit import FakeClock, Owner
from world import Vendor, World, open_vendor

from licet_server.app import Application
from licet_server.sessions.service.reading import keep_peaks

OF_THE_INSTITUTION = ("home", "overview")
OF_ORDERS = {"/api/statistics/sales", "/api/statistics/retention"}
"""About orders, which say themselves whether they are tests."""
LOG = "recentActivity"
"""No figure: what was done last, wherever that was."""


def statistics_of(app: Application) -> list[str]:
    """Return the paths of all statistics, so that a new one is walked, too."""
    paths = {path for route in app.litestar.routes for path in [route.path]} - OF_ORDERS
    return sorted(path for path in paths if path.startswith("/api/statistics/"))


async def figures_of(app: Application, owner: Owner, **query: str) -> dict[str, Any]:
    own = f"/api/institutions/{owner.institution_id}"
    found = {path: await owner.ok("GET", path, params=query) for path in statistics_of(app)}
    for name in OF_THE_INSTITUTION:
        found[name] = await owner.ok("GET", f"{own}/{name}")
        found[name].pop(LOG, None)
    return found


async def fill(vendor: Vendor) -> None:
    """Give a product something of everything that is counted."""
    now = "2030-01-15T12:00:00Z"
    await vendor.priced("export")
    feature = await vendor.feature("colors")
    path = f"/api/products/{vendor.product['id']}/entitlement-sets"
    entries = [{"featureName": feature["name"]}]
    granted = await vendor.owner.ok("POST", path, {"name": "Pro", "entries": entries})
    await vendor.issue("Perpetual", entitlementSetId=granted["id"])
    trial = await vendor.issue("Trial", expirationDate="2030-01-20T00:00:00Z")
    await vendor.owner.ok(
        "PUT", f"/api/licenses/{trial['id']}", {"expirationDate": "2030-01-25T00:00:00Z"}
    )
    revoked = await vendor.issue("Subscription")
    await vendor.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    pool = await vendor.issue("Floating", maxActiveUsersCount=1)
    await vendor.connected(pool, "machine-1", appVersion="2.1.0")
    assert (await vendor.connect(pool, "machine-2")).status_code == 409
    many = await vendor.issue("Concurrent", maxActiveUsersCount=1)
    await vendor.activate(many, "machine-1", appVersion="2.1.0")
    assert (await vendor.activate(many, "machine-2")).status_code == 409
    bound = await vendor.issue("NodeLocked")
    await vendor.validate(bound, "machine-1")
    await vendor.validate(bound, "machine-2")
    pending = await vendor.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    await vendor.validate(pending, "machine-1")
    wallet = await vendor.issue("MeteredToken", initialMeterBalance=20)
    await vendor.consumed(wallet, "export")
    await vendor.warn_at(wallet, 100)
    sent = {"events": [event("opened", now)]}
    assert (await vendor.call("POST", "/api/telemetry", sent)).status_code == 202


@pytest.mark.parametrize("mode", ["Test", "Live"])
async def test_no_figure_counts_a_test_product(
    application: Application, world: World, mode: str
) -> None:
    await fill(world)
    await keep_peaks(world.platform)
    before = await figures_of(application, world.owner)
    other = await open_vendor(world.owner, name="Aurora tests", mode=mode)
    await fill(other)
    await keep_peaks(world.platform)
    after = await figures_of(application, world.owner)
    moved = {name for name, figures in before.items() if after[name] != figures}
    assert moved == (set() if mode == "Test" else set(before)), "a Live product moves them all"


async def test_figures_of_a_test_product_are_shown_when_it_is_named(world: World) -> None:
    test = await open_vendor(world.owner, name="Aurora tests", mode="Test")
    await test.issue()
    query = {"productId": test.product["id"]}
    assert (await world.owner.ok("GET", "/api/statistics/overview", params=query))["licenses"] == 1
    assert (await world.owner.ok("GET", "/api/statistics/overview"))["licenses"] == 0


async def test_plans_do_not_limit_tests(world: World, admin: Owner) -> None:
    await set_plan(admin, world.owner, "Free", products=1, licenses=1)
    test = await open_vendor(world.owner, name="Aurora tests", mode="Test")
    for _ in range(2):
        await test.issue()
    assert [await new_license(world.owner, world.product) for _ in range(2)] == [MADE, FULL]
    body = {"name": "Second", "initialVersion": "1"}
    assert outcome(await world.owner.send("POST", "/api/products", body)) == FULL


@pytest.mark.parametrize("mode", ["Test", "Live"])
async def test_nobody_is_notified_of_tests(world: World, mode: str) -> None:
    vendor = await open_vendor(world.owner, name="Aurora 2", mode=mode)
    bound = await vendor.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    await vendor.validate(bound, "machine-1")
    notified = await Inbox(world.owner, world.platform).notifications()
    assert bool(notified) is (mode == "Live")


@pytest.mark.parametrize("which", ["all", "live", "test"])
async def test_the_list_behind_each_figure_has_as_many_licenses(
    world: World, clock: FakeClock, which: str
) -> None:
    test = await open_vendor(world.owner, name="Aurora tests", mode="Test")
    for vendor in (world, test):
        await fill(vendor)
        await vendor.issue("Subscription", expirationDate="2030-01-16T00:00:00Z", graceDays=9)
        await vendor.issue("Subscription", expirationDate="2030-01-16T00:00:00Z")
    clock.advance(days=2)
    await world.owner.sign_in()
    product = {"all": None, "live": world.product["id"], "test": test.product["id"]}[which]
    # As `countedLicensesPath` of the page has it.
    scope = {"test": "false"} if product is None else {"productId": product}

    async def listed(**filters: str) -> int:
        query = {**scope, **filters, "pageSize": "1"}
        found = await world.owner.ok("GET", "/api/licenses", params=query)
        return int(found["totalCount"])

    asked = {} if product is None else {"productId": product}
    figures = await world.owner.ok("GET", "/api/statistics/licenses", params=asked)
    soon = (clock() + timedelta(days=30)).isoformat()
    assert figures["total"] == await listed() > 0
    assert figures["expiringIn30Days"] == await listed(status="Active", expiringBefore=soon) > 0
    for status, count in figures["byStatus"].items():
        assert count == await listed(status=status), status
    for model, count in figures["byType"].items():
        assert count == await listed(type=model), model
    for row in figures["byProduct"]:
        query = {"productId": row["productId"]}
        found = await world.owner.ok("GET", "/api/licenses", params=query)
        assert found["totalCount"] == row["total"]
    meters = await world.owner.ok("GET", "/api/statistics/meter-usage", params=asked)
    assert meters["meteredTokenLicenseCount"] == await listed(type="MeteredToken") > 0
    if product is None:
        path = f"/api/institutions/{world.owner.institution_id}/overview"
        home = await world.owner.ok("GET", path)
        assert home["activeLicenses"] == await listed(status="Active")
