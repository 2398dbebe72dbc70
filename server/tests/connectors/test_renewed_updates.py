"""Prices that renew the updates of a license instead of its term."""

from datetime import timedelta

from connectors.factories import make_policy, open_stall
from connectors.simulation import BEGIN, World, policy
from connectors.test_orders import instant
from connectors.tills import Till
from licenses.factories import make_product
from licenses.test_coverage import PERPETUAL
from msgspec.structs import replace
from testkit import FakeClock, Owner

from licet_server.connectors.rules.changing import changed_license
from licet_server.connectors.rules.licensing import LicenseState, Plan
from licet_server.connectors.rules.model import ConnectorKind, Renewal, SaleRule
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.traits import LicenseType

STUDIO = policy(31, 5, LicenseType.PERPETUAL)
POLICIES = {STUDIO.id: STUDIO}
UPDATES = SaleRule(price="base", policy_id=STUDIO.id, renews=Renewal.UPDATES)


def sold(*rules: SaleRule, extra: bool = False) -> tuple[Till, World]:
    till = Till(ConnectorKind.STRIPE, BEGIN)
    till.buy(1, extra=extra)
    world = World(ConnectorKind.STRIPE, rules=rules, policies=POLICIES)
    return till, world


def plans(till: Till, world: World) -> list[tuple[LicenseState, Plan]]:
    for item in till.sent:
        world.receive(item, till.at)
    [licenses] = world.held.values()
    return [(item.state, item.plan) for item in licenses]


def test_a_maintenance_price_renews_the_updates_and_no_term() -> None:
    till, world = sold(UPDATES)
    [(_, first)] = plans(till, world)
    till.renew("base", 0)
    [(state, second)] = plans(till, world)
    assert first.updates_until is not None
    assert second.updates_until is not None
    assert second.updates_until > first.updates_until
    assert (first.ends_at, second.ends_at, state) == (None, None, LicenseState.ACTIVE)


def test_maintenance_beside_the_license_is_no_second_license() -> None:
    rules = (
        SaleRule(price="base", policy_id=STUDIO.id),
        SaleRule(price="extra", policy_id=STUDIO.id, renews=Renewal.UPDATES),
    )
    till, world = sold(*rules, extra=True)
    [(_, plan)] = plans(till, world)
    assert plan.sold is not None
    assert (plan.sold[1], plan.updates_until is None) == ("base", False)
    assert plan.ends_at is not None


def test_an_operator_may_give_longer_updates_and_a_refund_takes_what_was_paid_for() -> None:
    till, world = sold(UPDATES)
    [(_, before)] = plans(till, world)
    end = before.updates_until
    assert end is not None
    license_ = replace(
        PERPETUAL, product_id=STUDIO.product_id, issued_to=before.issued_to, updates_until=end
    )
    year = timedelta(days=365)
    after = replace(before, updates_until=end + year)
    renewed = changed_license(license_, before, after, STUDIO)
    assert renewed.updates_until == end + year
    generous = replace(license_, updates_until=end + 2 * year)
    assert changed_license(generous, before, after, STUDIO).updates_until == end + 2 * year
    refunded = changed_license(license_, before, replace(before, updates_until=None), STUDIO)
    assert refunded.updates_until == license_.created_at


async def test_a_failed_maintenance_payment_suspends_no_perpetual_license(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    product = await make_product(owner, name="Borealis")
    studio = await make_policy(owner, product, name="Studio", type="Perpetual")
    rule = {"match": {"price": "price_basic"}, "policyId": studio["id"], "renews": "Updates"}
    stall = await open_stall(owner, platform, clock, rules=[rule])
    assert stall.connector["rules"] == [
        {"match": {"product": None, "price": "price_basic"}, "policyId": studio["id"],
         "quantityAs": "Licenses", "renews": "Updates"}
    ]  # fmt: skip
    shop = stall.shop()
    shop.buy()
    [sold_one] = await stall.licenses(await stall.sell(shop))
    assert instant(sold_one["updatesUntil"]) == shop.period_end
    assert sold_one["expirationDate"] is None
    clock.advance(days=30, minutes=5)
    shop.fail()
    await owner.sign_in()
    order = await stall.sell(shop)
    clock.advance(days=30)
    await owner.sign_in()
    await stall.work_off()
    [license_] = await stall.licenses(order)
    assert (license_["status"], license_["updatesUntil"]) == ("Active", sold_one["updatesUntil"])
    shop.wait(days=31)
    shop.renew()
    [license_] = await stall.licenses(await stall.sell(shop))
    assert instant(license_["updatesUntil"]) == shop.period_end
