"""The home page: what waits with what settles it, and figures with their change."""

from datetime import timedelta
from typing import Any

import pytest
from catalog.factories import join
from connectors.factories import Stall, open_stall
from connectors.shops import Shop
from offline.machine import APPROVAL, Machine
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import Vendor, World

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.identity.rules.memberships import Role
from licet_server.kit.ids import new_id
from licet_server.kit.platform import Platform
from licet_server.upgrades import storage as upgrades
from licet_server.upgrades.rules import ServiceRelease

ADMINS = {
    "AccessAttempt": 0,
    "FailingWebhook": 0,
    "FailingConnector": 0,
    "OfflineRequest": 0,
    "UnmatchedOrder": 0,
    "DisputedOrder": 0,
}
EVERYBODY = {"PendingDevice": 0, "LowBalance": 0, "FullLicense": 0, "ExpiringLicense": 0}


async def home(user: Owner, institution: Owner | None = None) -> dict[str, Any]:
    of = (institution or user).institution_id
    return dict(await user.ok("GET", f"/api/institutions/{of}/home"))


def items(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The first item of each kind."""
    return {item["kind"]: item for item in reversed(answer["waiting"]["items"])}


async def something_of_each(vendor: Vendor, platform: Platform, clock: FakeClock) -> None:
    owned = await vendor.issue("NodeLocked", deviceBindingMode="OwnerApproval", licenseName="Owned")
    await vendor.activate(owned, "machine-1", deviceName="Studio PC")
    bound = await vendor.issue("NodeLocked", licenseName="Bound")
    await vendor.validate(bound, "own")
    clock.advance(seconds=1)
    await vendor.validate(bound, "foreign")
    await vendor.issue("Trial", licenseName="Trial", expirationDate="2030-01-20T00:00:00Z")
    empty = await vendor.issue("MeteredCount", licenseName="Empty", initialMeterBalance=1)
    await vendor.consumed(empty)
    pool = await vendor.issue("Concurrent", licenseName="Pool", maxActiveUsersCount=1)
    for machine in ("machine-1", "machine-2"):
        await vendor.activate(pool, machine)
    hook = {"url": "https://hooks.example.com/secret", "eventTypes": ["*"], "description": "CRM"}
    made = await vendor.owner.ok("POST", "/api/webhooks", hook)
    await vendor.owner.ok("POST", "/api/webhooks", {**hook, "description": "Works"})
    async with platform.database.transaction() as db:
        failing = "UPDATE webhooks SET last_status = 'Failed', failing_since = :now WHERE id = :id"
        await db.execute(text(failing), {"now": clock() - timedelta(days=1), "id": made["id"]})


async def test_home_without_tasks_is_empty(world: World) -> None:
    answer = await home(world.owner)
    assert answer["asOf"] == "2030-01-15T12:00:00Z"
    assert answer["waiting"] == {"total": 0, "counts": {**EVERYBODY, **ADMINS}, "items": []}
    assert answer["toTry"] == []
    assert answer["now"] == {
        "products": 1,
        "licenses": 0,
        "activeLicenses": 0,
        "expiringIn30Days": 0,
        "activations": 0,
        "pendingActivations": 0,
        "blockedActivations": 0,
        "liveSessions": 0,
        "unreviewedAccessAttempts": 0,
    }


@pytest.mark.specification("find.home")
async def test_each_item_names_the_action_that_settles_it(world: World) -> None:
    await something_of_each(world, world.platform, world.clock)
    answer = await home(world.owner)
    waiting = answer["waiting"]
    assert waiting["counts"] == {
        **dict.fromkeys([*EVERYBODY, *ADMINS], 1),
        "FailingConnector": 0,
        "OfflineRequest": 0,
        "UnmatchedOrder": 0,
        "DisputedOrder": 0,
    }
    assert waiting["total"] == len(waiting["items"]) == 6
    found = items(answer)
    assert {kind: (item["action"], item["title"]) for kind, item in found.items()} == {
        "AccessAttempt": ("Acknowledge", "Bound"),
        "PendingDevice": ("Approve", "Studio PC"),
        "FailingWebhook": ("Repair", "CRM"),
        "ExpiringLicense": ("Extend", "Trial"),
        "LowBalance": ("Grant", "Empty"),
        "FullLicense": ("Read", "Pool"),
    }
    assert [item["kind"] for item in waiting["items"]] == [
        "PendingDevice", "AccessAttempt", "LowBalance", "FullLicense", "ExpiringLicense",
        "FailingWebhook",
    ]  # fmt: skip
    assert [item["since"] for item in waiting["items"]] == [
        "2030-01-15T12:00:00Z",
        "2030-01-15T12:00:01Z",
        None,
        "2030-01-15T12:00:01Z",
        "2029-12-21T00:00:00Z",
        "2030-01-14T12:00:01Z",
    ]
    assert all(item["mayAct"] for item in waiting["items"])
    device = found["PendingDevice"]
    assert (device["licenseName"], device["productName"]) == ("Owned", "Aurora")
    await world.owner.ok("POST", f"/api/activations/{device['id']}/approve")
    assert found["ExpiringLicense"]["expirationDate"] == "2030-01-20T00:00:00Z"
    extension = {"expirationDate": "2031-01-20T00:00:00Z"}
    await world.owner.ok("PUT", f"/api/licenses/{found['ExpiringLicense']['id']}", extension)
    more = {"maxActiveUsersCount": 2}
    await world.owner.ok("PUT", f"/api/licenses/{found['FullLicense']['id']}", more)
    grant = {"licenseId": found["LowBalance"]["id"], "amount": 10}
    await world.owner.ok("POST", "/api/meter/grant", grant)
    assert found["FailingWebhook"]["reason"] == "Failed"
    await world.owner.ok("DELETE", f"/api/webhooks/{found['FailingWebhook']['id']}")
    left = (await home(world.owner))["waiting"]
    assert left["counts"] == {**EVERYBODY, **ADMINS, "AccessAttempt": 1}


async def test_most_urgent_item_of_each_kind_is_first(world: World) -> None:
    for day in (30, 17, 25):
        end = f"2030-01-{day}T00:00:00Z"
        await world.issue("Trial", licenseName=f"Until {day}", expirationDate=end)
    for name in ("First", "Second"):
        owned = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval", licenseName=name)
        await world.activate(owned, name, deviceName=name)
        world.clock.advance(seconds=1)
    found = (await home(world.owner))["waiting"]["items"]
    titles = ["First", "Second", "Until 17", "Until 25", "Until 30"]
    assert [item["title"] for item in found] == titles


async def test_offline_requests_wait_for_admins_until_they_are_approved(
    world: World, stranger: Owner
) -> None:
    owned = await world.issue("Concurrent", licenseName="Press room", **APPROVAL)
    asked = await Machine(world, owned).ask()
    assert asked.status_code == 202
    answer = (await home(world.owner))["waiting"]
    assert answer["counts"]["OfflineRequest"] == 1
    [item] = answer["items"]
    assert (item["kind"], item["action"], item["mayAct"]) == ("OfflineRequest", "Approve", True)
    assert (item["title"], item["licenseName"]) == ("Press 7", "Press room")
    assert item["customerName"] == "customer@example.com"
    assert (await home(stranger))["waiting"]["counts"]["OfflineRequest"] == 0
    await world.owner.ok("POST", f"/api/offline/requests/{item['id']}/approve")
    assert (await home(world.owner))["waiting"]["total"] == 0


@pytest.mark.parametrize(("stop", "end"), [("revoke", "restore"), ("suspend", "reinstate")])
async def test_offline_requests_of_a_stopped_license_wait_again_once_it_works(
    world: World, stop: str, end: str
) -> None:
    made = await world.issue("Concurrent", **APPROVAL)
    await Machine(world, made).ask()
    for act, count in ((stop, 0), (end, 1)):
        await world.owner.ok("POST", f"/api/licenses/{made['id']}/{act}")
        waiting = (await home(world.owner))["waiting"]
        assert (waiting["counts"]["OfflineRequest"], len(waiting["items"])) == (count, count)


async def test_unmatched_orders_are_listed(
    owner: Owner, platform: Platform, clock: FakeClock, stranger: Owner
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC, rules=[])
    sold = _bought(stall)
    order = await stall.sell(sold)
    answer = await home(owner)
    assert answer["waiting"]["counts"] == {**EVERYBODY, **ADMINS, "UnmatchedOrder": 1}
    found = items(answer)["UnmatchedOrder"]
    assert (found["id"], found["title"], found["action"]) == (order["id"], sold.name, "Repair")
    assert (found["issuedTo"], found["reason"]) == (None, "price_basic")
    assert found["customerName"] == "Jane Doe"
    await join(platform, owner, stranger, Role.VIEWER)
    assert (await home(stranger, owner))["waiting"]["counts"] == EVERYBODY
    rule = {"match": {"price": "price_basic"}, "policyId": stall.policies["basic"]["id"]}
    await owner.ok("POST", f"/api/connectors/{stall.connector['id']}/rules", rule)
    await stall.work_off()
    assert (await home(owner))["waiting"]["counts"]["UnmatchedOrder"] == 0


async def test_a_connector_waits_until_it_accepts_a_message_again(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    [message, *_] = _bought(stall).sent
    assert (await stall.post(message.raw, {})).status_code == 401
    found = items(await home(owner))["FailingConnector"]
    assert (found["id"], found["title"]) == (stall.connector["id"], stall.connector["name"])
    assert (found["action"], found["since"]) == ("Repair", "2030-01-15T12:00:00Z")
    assert "has no signature" in found["reason"]
    clock.advance(seconds=1)
    await stall.deliver(message)
    assert (await home(owner))["waiting"]["counts"]["FailingConnector"] == 0
    clock.advance(minutes=2)
    assert (await stall.post(message.raw, {})).status_code == 401
    for days, count in ((6, 1), (2, 0)):
        clock.advance(days=days)
        await owner.sign_in()
        assert (await home(owner))["waiting"]["counts"]["FailingConnector"] == count


async def test_disputed_orders_wait_unless_that_is_long_ago(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    sold = _bought(stall)
    sold.dispute()
    order = await stall.sell(sold)
    found = items(await home(owner))["DisputedOrder"]
    assert (found["id"], found["title"], found["action"]) == (order["id"], sold.name, "Read")
    assert (found["since"], found["customerName"]) == (order["disputedAt"], "Jane Doe")
    assert (found["amount"], found["currency"]) == (order["amount"], order["currency"])
    async with platform.database.transaction() as db:
        await db.execute(text("UPDATE orders SET disputed_at = disputed_at - interval '91 days'"))
    assert (await home(owner))["waiting"]["counts"]["DisputedOrder"] == 0


def _bought(stall: Stall) -> Shop:
    vendor = stall.shop()
    vendor.buy()
    return vendor


async def test_viewers_see_only_items_for_their_role(world: World, stranger: Owner) -> None:
    await something_of_each(world, world.platform, world.clock)
    await world.join(stranger, Role.VIEWER)
    answer = await home(stranger, world.owner)
    assert answer["waiting"]["counts"] == dict.fromkeys(EVERYBODY, 1)
    assert set(items(answer)) == {"ExpiringLicense", "FullLicense", "LowBalance"}
    assert not any(item["mayAct"] for item in answer["waiting"]["items"])
    path = f"/api/institutions/{world.owner.institution_id}/members/{stranger.user_id}"
    await world.owner.ok("PUT", path, {"role": "Member", "productIds": []})
    empty = await home(stranger, world.owner)
    assert empty["waiting"]["counts"] == EVERYBODY
    assert empty["now"]["licenses"] == 0
    assert {figure["value"] for figure in empty["period"]["figures"]} == {0}


async def test_system_admins_see_items_of_the_instance(world: World, admin: Owner) -> None:
    async with world.platform.database.transaction() as db:
        for age, subject in ((1, "Welcome"), (8, "Old")):
            statement = (
                "INSERT INTO mails (id, recipient, subject, status, created_at, due_at) "
                "VALUES (:id, 'ada@example.com', :subject, 'Failed', :at, :at)"
            )
            at = world.clock() - timedelta(days=age)
            await db.execute(text(statement), {"id": new_id(at), "subject": subject, "at": at})
        await upgrades.claim_check(db, world.clock(), timedelta(days=1))
        release = ServiceRelease("99.0.0", world.clock(), "https://licet.example/notes")
        await upgrades.store_available(db, release)
    answer = await home(admin, world.owner)
    try:
        found = items(answer)
        assert (found["Upgrade"]["title"], found["Upgrade"]["url"], found["Upgrade"]["id"]) == (
            "99.0.0",
            "https://licet.example/notes",
            None,
        )
        assert (found["FailedMail"]["title"], found["FailedMail"]["issuedTo"]) == (
            "Welcome",
            "ada@example.com",
        )
        assert answer["waiting"]["counts"]["FailedMail"] == 1
        assert "FailedMail" not in (await home(world.owner))["waiting"]["counts"]
    finally:
        async with world.platform.database.transaction() as db:
            await db.execute(text("DELETE FROM mails WHERE recipient = 'ada@example.com'"))
            await upgrades.forget_check(db)


async def test_figures_are_compared_with_the_period_before(world: World) -> None:
    await world.issue("Perpetual")
    world.clock.advance(days=30)
    await world.owner.sign_in()
    await world.issue("Perpetual")
    await world.issue("Perpetual")
    answer = await home(world.owner)
    assert answer["now"]["activeLicenses"] == 3
    period = answer["period"]
    assert (period["from"], period["previousTo"]) == ("2030-01-16T00:00:00Z",) * 2
    figures = {item["name"]: (item["value"], item["previous"]) for item in period["figures"]}
    assert figures["LicensesIssued"] == (2, 1)
    assert figures["SessionsStarted"] == (0, 0)
