"""What needs attention: the most urgent first, how many there are, and who sees them."""

from datetime import datetime
from typing import Any

import pytest
from catalog.factories import refusal
from identity.test_reset_and_api_keys import make_key
from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried
from world import Vendor, World, open_vendor

from licet_server.identity.rules.memberships import Role

PATH = "/api/statistics/attention"
MANY = 20_000


async def read(user: Owner, **query: Any) -> dict[str, Any]:
    return dict(await user.ok("GET", PATH, params=query))


async def waiting(vendor: Vendor, clock: FakeClock, name: str = "Waits") -> dict[str, Any]:
    """A license with one machine that is bound, one that waits and one that is foreign to it."""
    made = await vendor.issue("NodeLocked", deviceBindingMode="OwnerApproval", licenseName=name)
    await vendor.activate(made, f"{name}-1", deviceName="Studio PC")
    clock.advance(seconds=1)
    return made


async def test_nothing_needs_attention(world: World) -> None:
    await world.issue("Perpetual")
    await world.issue("MeteredCount", initialMeterBalance=5)
    assert await read(world.owner) == {
        "pendingActivations": {"count": 0, "items": []},
        "accessAttempts": {"count": 0, "items": []},
        "expiringLicenses": {"count": 0, "items": []},
        "lowBalances": {"count": 0, "items": []},
        "fullLicenses": {"count": 0, "items": []},
    }


async def test_devices_that_have_waited_longest_come_first(world: World) -> None:
    made = [await waiting(world, world.clock, f"No {number}") for number in range(6)]
    other = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    answer = (await world.activate(other, "machine-1")).json()
    assert (await world.operate(answer["activationId"], "approve")).status_code == 200
    blocked = await waiting(world, world.clock, "Blocked")
    [device] = await world.devices(blocked)
    assert (await world.operate(device, "block")).status_code == 200
    pending = (await read(world.owner))["pendingActivations"]
    assert pending["count"] == 6
    assert [item["licenseName"] for item in pending["items"]] == [f"No {n}" for n in range(5)]
    [first] = await world.devices(made[0])
    assert pending["items"][0] == {
        "licenseId": made[0]["id"],
        "licenseName": "No 0",
        "customerName": "customer@example.com",
        "productId": world.product["id"],
        "productName": "Aurora",
        "activationId": first["id"],
        "deviceName": "Studio PC",
        "createdAt": "2030-01-15T12:00:00Z",
    }


@pytest.mark.parametrize(("stop", "end"), [("revoke", "restore"), ("suspend", "reinstate")])
async def test_devices_of_a_stopped_license_wait_again_once_it_works(
    world: World, stop: str, end: str
) -> None:
    made = await waiting(world, world.clock, "Stopped")
    for act, count in ((stop, 0), (end, 1)):
        await world.owner.ok("POST", f"/api/licenses/{made['id']}/{act}")
        found = await read(world.owner)
        assert found["pendingActivations"]["count"] == count
        assert len(found["pendingActivations"]["items"]) == count
        assert counts(found)["pendingActivations"] == count


async def test_devices_of_an_expired_license_wait_again_once_it_is_extended(world: World) -> None:
    term = {"expirationDate": "2030-01-16T00:00:00Z", "graceDays": 1}
    made = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval", **term)
    await world.activate(made, "machine-1")
    by_time = {"2030-01-16T12:00:00Z": 1, "2030-01-18T12:00:00Z": 0}
    for at, count in by_time.items():
        world.clock.now = datetime.fromisoformat(at)
        await world.owner.sign_in()
        assert counts(await read(world.owner))["pendingActivations"] == count
        figures = await world.owner.ok("GET", "/api/statistics/activations")
        assert (figures["total"], figures["pending"]) == (1, count)
    later = {"expirationDate": "2031-01-16T00:00:00Z"}
    await world.owner.ok("PUT", f"/api/licenses/{made['id']}", later)
    assert counts(await read(world.owner))["pendingActivations"] == 1


async def test_attempts_count_machines_and_the_latest_come_first(world: World) -> None:
    bound = [await world.issue("NodeLocked", licenseName=name) for name in ("Old", "New")]
    for license_ in bound:
        await world.validate(license_, "own")
    for license_, machine in ((bound[0], "a"), (bound[1], "a"), (bound[1], "b"), (bound[1], "a")):
        world.clock.advance(seconds=1)
        await world.validate(license_, machine)
    attempts = (await read(world.owner))["accessAttempts"]
    assert attempts["count"] == 3
    assert [
        (item["licenseName"], item["attempts"], item["lastSeenAt"]) for item in attempts["items"]
    ] == [("New", 2, "2030-01-15T12:00:04Z"), ("Old", 1, "2030-01-15T12:00:01Z")]
    [attempt] = await world.attempts(bound[0])
    path = f"/api/licenses/{bound[0]['id']}/access-attempts/{attempt['id']}"
    await world.owner.ok("POST", f"{path}/acknowledge")
    attempts = (await read(world.owner))["accessAttempts"]
    assert (attempts["count"], len(attempts["items"])) == (2, 1)


async def test_active_licenses_that_end_within_30_days_are_listed(world: World) -> None:
    ends = {
        "Soon": "2030-01-15T12:00:01Z",
        "Later": "2030-02-14T12:00:00Z",
        "Too late": "2030-02-14T12:00:01Z",
        "Held": "2030-01-20T00:00:00Z",
        "Gone": "2030-01-20T00:00:00Z",
    }
    made = {
        name: await world.issue("Subscription", licenseName=name, expirationDate=end)
        for name, end in reversed(ends.items())
    }
    await world.owner.ok("POST", f"/api/licenses/{made['Held']['id']}/suspend")
    await world.owner.ok("POST", f"/api/licenses/{made['Gone']['id']}/revoke")
    customer = await world.owner.ok("GET", f"/api/customers/{made['Soon']['customerId']}")
    await world.owner.ok("PUT", f"/api/customers/{customer['id']}", {"name": "Ben Adler"})
    expiring = (await read(world.owner))["expiringLicenses"]
    assert expiring["count"] == 2
    assert [item["licenseName"] for item in expiring["items"]] == ["Soon", "Later"]
    first = expiring["items"][0]
    assert (first["type"], first["customerName"], first["issuedTo"], first["expirationDate"]) == (
        "Subscription",
        "Ben Adler",
        "customer@example.com",
        "2030-01-15T12:00:01Z",
    )
    overview = await world.owner.ok("GET", "/api/statistics/overview")
    assert overview["expiringIn30Days"] == expiring["count"]


async def test_licenses_in_their_grace_expire_first(world: World) -> None:
    end = "2030-01-20T00:00:00Z"
    for name, days in (("Graced", 7), ("Over", 2), ("Ended", 0)):
        await world.issue("Subscription", licenseName=name, expirationDate=end, graceDays=days)
    await world.issue("Subscription", licenseName="Soon", expirationDate="2030-01-25T00:00:00Z")
    world.clock.advance(days=8)
    await world.owner.sign_in()
    expiring = (await read(world.owner))["expiringLicenses"]
    assert expiring["count"] == 2
    assert [(item["licenseName"], item["inGraceUntil"]) for item in expiring["items"]] == [
        ("Graced", "2030-01-27T00:00:00Z"),
        ("Soon", None),
    ]
    figures = await world.owner.ok("GET", "/api/statistics/licenses")
    assert figures["expiringIn30Days"] == 2
    assert (figures["byStatus"]["Active"], figures["byStatus"]["Expired"]) == (2, 2)


async def test_low_balances_of_active_licenses_are_listed(world: World) -> None:
    low = await world.issue("MeteredCount", initialMeterBalance=3, licenseName="Low")
    await world.warn_at(low, 4)
    empty = await world.issue("MeteredCount", initialMeterBalance=1, licenseName="Empty")
    revoked = await world.issue("MeteredCount", initialMeterBalance=1, licenseName="Revoked")
    for license_ in (empty, revoked):
        await world.consumed(license_)
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    found = (await read(world.owner))["lowBalances"]
    assert found["count"] == 2
    assert [
        (item["licenseName"], item["balance"], item["lowBalanceThreshold"])
        for item in found["items"]
    ] == [("Empty", 0, None), ("Low", 3, 4)]


async def test_full_licenses_that_rejected_a_device_of_late_are_listed(world: World) -> None:
    full = await world.issue("Concurrent", maxActiveUsersCount=2, licenseName="Full")
    freed = await world.issue("Concurrent", maxActiveUsersCount=1, licenseName="Freed")
    await world.issue("Concurrent", maxActiveUsersCount=1, licenseName="Not asked")
    for machine in ("1", "2", "3"):
        rejected = await world.activate(full, f"machine-{machine}")
    assert refusal(rejected) == (409, "MaxActivationsReached")
    for machine in ("1", "2"):
        await world.activate(freed, f"machine-{machine}")
    await world.deactivate(freed, "machine-1")
    found = (await read(world.owner))["fullLicenses"]
    assert [(item["licenseName"], item["seats"]) for item in found["items"]] == [("Full", 2)]
    assert found["count"] == 1
    world.clock.advance(days=1, seconds=1)
    await world.owner.sign_in()
    assert (await read(world.owner))["fullLicenses"]["count"] == 0


async def something_of_all(vendor: Vendor, clock: FakeClock) -> None:
    await waiting(vendor, clock)
    bound = await vendor.issue("NodeLocked", licenseName="Bound")
    await vendor.validate(bound, "own")
    await vendor.validate(bound, "foreign")
    await vendor.issue("Trial", expirationDate="2030-01-20T00:00:00Z")
    await vendor.consumed(await vendor.issue("MeteredCount", initialMeterBalance=1))
    pool = await vendor.issue("Concurrent", maxActiveUsersCount=1)
    for machine in ("machine-1", "machine-2"):
        await vendor.activate(pool, machine)


def counts(answer: dict[str, Any]) -> dict[str, int | None]:
    return {name: None if part is None else part["count"] for name, part in answer.items()}


ALL = dict.fromkeys(
    ["pendingActivations", "accessAttempts", "expiringLicenses", "lowBalances", "fullLicenses"], 1
)
NONE = dict.fromkeys(ALL, 0)


async def test_attention_narrows_to_a_product_and_an_institution(
    world: World, stranger: Owner
) -> None:
    await something_of_all(world, world.clock)
    other = await open_vendor(world.owner, name="Borealis")
    institution = {"institutionId": world.owner.institution_id}
    assert counts(await read(world.owner)) == counts(await read(world.owner, **institution)) == ALL
    assert counts(await read(world.owner, productId=world.product["id"])) == ALL
    assert counts(await read(world.owner, productId=other.product["id"])) == NONE
    assert counts(await read(stranger)) == NONE


async def test_viewers_and_members_do_not_see_attempts(world: World, stranger: Owner) -> None:
    await something_of_all(world, world.clock)
    theirs = {"institutionId": world.owner.institution_id}
    await world.join(stranger, Role.VIEWER)
    told = {**ALL, "accessAttempts": None}
    assert counts(await read(stranger, **theirs)) == told
    # In their own institution they are Owner, and nothing needs attention.
    assert counts(await read(stranger)) == {**ALL, "accessAttempts": 0}
    assert counts(await read(stranger, productId=world.product["id"])) == told
    await open_vendor(world.owner, name="Borealis")
    await world.owner.ok(
        "PUT",
        f"/api/institutions/{world.owner.institution_id}/members/{stranger.user_id}",
        {"role": "Member", "productIds": [world.product["id"]]},
    )
    assert counts(await read(stranger, **theirs)) == told
    await world.owner.ok(
        "PUT",
        f"/api/institutions/{world.owner.institution_id}/members/{stranger.user_id}",
        {"productIds": []},
    )
    assert counts(await read(stranger, **theirs)) == {**NONE, "accessAttempts": None}


async def test_keys_see_of_holders_and_devices_what_their_scopes_let_them(world: World) -> None:
    await something_of_all(world, world.clock)
    for more, sees in (
        ([], set()),
        (["Licenses.Read"], {"issuedTo"}),
        (["Customers.Read"], {"customerName"}),
        (["Activations.Read"], {"devices"}),
    ):
        key = await make_key(world.owner, scopes=["Statistics.Read", *more])
        headers = {"x-api-key": key["secret"]}
        found = (await world.owner.client.get(PATH, headers=headers)).json()
        for field in ("issuedTo", "customerName"):
            holders = [item[field] is not None for item in found["expiringLicenses"]["items"]]
            assert set(holders) == {field in sees}
        assert bool(found["pendingActivations"]["items"]) is ("devices" in sees)
        assert (found["accessAttempts"] is not None) is ("devices" in sees)


async def test_members_who_see_no_customers_are_told_no_names(
    world: World, stranger: Owner
) -> None:
    await something_of_all(world, world.clock)
    await world.join(stranger, Role.MEMBER)
    member = f"/api/institutions/{world.owner.institution_id}/members/{stranger.user_id}"
    await world.owner.ok("PUT", member, {"productIds": [world.product["id"]]})
    found = await read(stranger)
    assert found["expiringLicenses"]["items"][0]["issuedTo"] == "customer@example.com"
    for kind in ("expiringLicenses", "lowBalances", "fullLicenses"):
        assert [item["customerName"] for item in found[kind]["items"]] == [None]
    home = await stranger.ok("GET", f"/api/institutions/{world.owner.institution_id}/home")
    assert {item["customerName"] for item in home["waiting"]["items"]} == {None}


_FILL = f"""
INSERT INTO activations (institution_id, id, license_id, product_id, hardware_id, holds_seat,
    bound, created_at, activated_at, last_seen_at)
SELECT institution_id, uuidv7(), license_id, product_id, 'machine-' || n, true, false, now(),
    now(), now()
FROM activations, generate_series(1, {MANY}) n WHERE license_id = :l
"""
_EMPTY = "DELETE FROM activations WHERE license_id = :l"


async def test_pending_devices_are_found_among_many_others(world: World) -> None:
    made = await waiting(world, world.clock)
    async with unhurried(world.platform) as db:
        await db.execute(text(_FILL), {"l": made["id"]})
    async with world.platform.database.reading() as db:
        await db.execute(text("VACUUM ANALYZE activations"))
    try:
        with taken_down("FROM activations") as taken:
            assert counts(await read(world.owner))["pendingActivations"] == 1
        assert len(taken) == 2
        for question in taken:
            plan = await explain(world.platform, question)
            # Of the few licenses of a test, any index finds the one.
            (of_licenses,) = plan.scanned - {"activations_pending_idx"}
            assert of_licenses.startswith("licenses_")
            assert plan.pages < 20
    finally:
        async with world.platform.database.transaction() as db:
            await db.execute(
                text("DELETE FROM activations WHERE license_id = :l"), {"l": made["id"]}
            )
