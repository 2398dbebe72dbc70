"""What operators change on a license stays when the shop changes its plan."""

from dataclasses import dataclass
from typing import Any

from connectors.factories import Stall, make_policy, open_stall
from licenses.factories import make_product
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform
from licet_server.kit.text import MAX_PAIRS


@dataclass
class Plans:
    """A generic connector that sells two policies of one product."""

    stall: Stall
    basic: dict[str, Any]
    pro: dict[str, Any]

    async def tell(self, kind: str, price: str, quantity: int = 1) -> dict[str, Any]:
        """Deliver a payment for a plan, and return the license of the order."""
        order = await self.deliver(kind, price, quantity)
        assert (order["status"], order["problem"]) == ("Fulfilled", None)
        [license_] = await self.stall.licenses(order)
        return license_

    async def deliver(self, kind: str, price: str, quantity: int = 1) -> dict[str, Any]:
        """Deliver a payment for a plan, and return the order."""
        line = {"product": "app", "price": price, "quantity": quantity}
        data = {"id": "77", "customer": {"email": "buyer@example.com"}, "lines": [line]}
        body = {"type": kind, "timestamp": self.stall.clock().isoformat(), "data": data}
        assert (await self.stall.tell(body)).status_code == 200
        await self.stall.work_off()
        [order] = await self.stall.orders()
        return order


async def open_plans(
    owner: Owner,
    platform: Platform,
    clock: FakeClock,
    basic: dict[str, Any],
    pro: dict[str, Any],
    **rule: Any,
) -> Plans:
    product = await make_product(owner, name="Borealis")
    policies = [
        await make_policy(owner, product, **{"type": "Concurrent", **fields})
        for fields in ({"name": "Basic", **basic}, {"name": "Pro", **pro})
    ]
    rules = [
        {"match": {"price": price}, "policyId": policy["id"], **rule}
        for price, policy in zip(("basic", "pro"), policies, strict=True)
    ]
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC, rules=rules)
    return Plans(stall, *policies)


async def make_set(owner: Owner, policy: dict[str, Any], name: str) -> str:
    path = f"/api/products/{policy['productId']}/entitlement-sets"
    return str((await owner.ok("POST", path, {"name": name, "entries": []}))["id"])


async def test_changed_plan_leaves_what_its_policy_does_not_name(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    plans = await open_plans(
        owner,
        platform,
        clock,
        {"metadata": {"plan": "basic"}, "maxActiveUsersCount": 1},
        {"metadata": {"plan": "pro"}},
    )
    license_ = await plans.tell("order.paid", "basic")
    own = {
        "metadata": {"plan": "basic", "crmId": "SF-001"},
        "entitlementSetId": await make_set(owner, plans.pro, "VIP"),
        "activationMode": "Offline",
        "maxActiveUsersCount": 7,
        "licenseName": "Ours",
        "graceDays": 30,
        "notes": "Met at the fair.",
    }
    await owner.ok("PUT", f"/api/licenses/{license_['id']}", own)
    apply = {"licenseIds": [license_["id"]]}
    expected = await owner.ok("POST", f"/api/policies/{plans.pro['id']}/apply", apply)
    clock.advance(minutes=1)
    before = await owner.ok("GET", f"/api/licenses/{license_['id']}")
    after = await plans.tell("order.renewed", "pro")
    changed = {name for name in after if after[name] != before[name]} - {"updatedAt"}
    assert {name: [before[name], after[name]] for name in changed} == {
        **expected["changed"][0]["changes"]
    }
    assert changed == {"policyId", "metadata"}
    assert after["metadata"] == {"plan": "pro", "crmId": "SF-001"}


async def test_changed_plan_leaves_the_seats_that_an_operator_gave(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    """The shop sold as many seats as before; it says nothing against the two that were given."""
    plans = await open_plans(owner, platform, clock, {}, {}, quantityAs="Seats")
    license_ = await plans.tell("order.paid", "basic", 5)
    await owner.ok("PUT", f"/api/licenses/{license_['id']}", {"maxActiveUsersCount": 7})
    clock.advance(minutes=1)
    assert (await plans.tell("order.renewed", "pro", 5))["maxActiveUsersCount"] == 7
    clock.advance(minutes=1)
    assert (await plans.tell("order.renewed", "pro", 6))["maxActiveUsersCount"] == 6


async def test_changed_policy_changes_no_license_that_was_sold_under_it(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    plans = await open_plans(
        owner, platform, clock, {"durationDays": 365, "maxActiveUsersCount": 1}, {}
    )
    license_ = await plans.tell("order.paid", "basic")
    change = {"durationDays": 30, "graceDays": 3, "maxActiveUsersCount": 9}
    await owner.ok("PUT", f"/api/policies/{plans.basic['id']}", change)
    clock.advance(minutes=1)
    buyer = {"email": "buyer@example.com"}
    for kind in ("order.disputed", "order.dispute_won"):
        clock.advance(minutes=1)
        body = {
            "type": kind,
            "timestamp": clock().isoformat(),
            "data": {"id": "77", "customer": buyer},
        }
        assert (await plans.stall.tell(body)).status_code == 200
        await plans.stall.work_off()
    after = await owner.ok("GET", f"/api/licenses/{license_['id']}")
    assert after == {**license_, "updatedAt": after["updatedAt"]}


async def test_changed_plan_that_failed_is_tried_again_when_the_connector_is_saved(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    """Not only after the next pause, as an operator expects who has mended the license.

    Until then the order is among those that need something.
    """
    seats = {"maxActiveUsersCount": 1}
    plans = await open_plans(owner, platform, clock, seats, {"metadata": {"plan": "pro"}})
    path = f"/api/licenses/{(await plans.tell('order.paid', 'basic'))['id']}"
    await owner.ok("PUT", path, {"metadata": {f"key {number}": "" for number in range(MAX_PAIRS)}})
    clock.advance(minutes=1)
    failed = await plans.deliver("order.renewed", "pro")
    assert (failed["status"], "more than 50 pairs" in failed["problem"]) == ("Open", True)
    assert [item["id"] for item in await plans.stall.orders("hasProblem=true")] == [failed["id"]]
    assert await plans.stall.orders("hasProblem=false") == []
    await owner.ok("PUT", path, {"metadata": {}})
    await owner.ok("PUT", f"/api/connectors/{failed['connectorId']}", {"name": "The same shop"})
    await plans.stall.work_off()
    [order] = await plans.stall.orders()
    assert (order["status"], order["problem"]) == ("Fulfilled", None)
    assert (await owner.ok("GET", path))["policyId"] == plans.pro["id"]


async def test_converted_license_keeps_its_model_when_the_plan_changes(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    """The policy of the new plan is for the model that was sold; the order goes on without it."""
    trial = {"type": "Trial", "durationDays": 30}
    plans = await open_plans(owner, platform, clock, trial, {**trial, "metadata": {"plan": "pro"}})
    license_ = await plans.tell("order.paid", "basic")
    path = f"/api/licenses/{license_['id']}"
    converted = await owner.ok("POST", f"{path}/convert", {"type": "Perpetual"})
    clock.advance(minutes=1)
    after = await plans.tell("order.renewed", "pro")
    kept = ("type", "policyId", "metadata", "activationMode", "deviceBindingMode")
    assert [after[name] for name in kept] == [converted[name] for name in kept]
