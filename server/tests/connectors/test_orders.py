"""Sales become licenses, and what happens to the sale happens to them."""

import csv
import io
from datetime import timedelta
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from connectors.factories import Stall, make_policy, open_stall
from connectors.shops import DISPUTABLE, MONTH, Shop
from licenses.factories import make_product
from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
async def generic(owner: Owner, platform: Platform, clock: FakeClock) -> Stall:
    return await open_stall(owner, platform, clock, ConnectorKind.GENERIC)


def instant(text: str) -> Any:
    from datetime import datetime

    return datetime.fromisoformat(text)


async def test_a_sale_becomes_a_license(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    order = await stall.sell(shop)
    assert (order["status"], order["problem"]) == ("Fulfilled", None)
    [line] = order["lines"]
    assert (line["product"], line["price"], line["quantity"]) == ("prod_app", "price_basic", 1)
    assert line["policyId"] == stall.policies["basic"]["id"]
    sold_as = (line["policyName"], line["productId"], line["productName"])
    assert sold_as == ("Basic", stall.product["id"], stall.product["name"])
    assert line["licenseIds"] == order["licenseIds"]
    [license_] = await stall.licenses(order)
    assert license_["status"] == "Active"
    assert license_["issuedTo"] == shop.email
    assert license_["policyId"] == stall.policies["basic"]["id"]
    assert license_["licenseName"] == "Basic"
    assert instant(license_["expirationDate"]) == shop.period_end
    assert license_["graceDays"] == 7
    customer = await stall.owner.ok("GET", f"/api/customers/{order['customerId']}")
    assert (customer["name"], customer["email"]) == ("Jane Doe", shop.email)
    assert license_["customerId"] == customer["id"]
    assert order["connectorName"] == "Our shop"
    assert order["customerName"] == "Jane Doe"
    details = await stall.owner.ok("GET", f"/api/orders/{order['id']}")
    [named] = details.pop("licenses")
    assert details.pop("payments") == []  # the shops in the tests tell no amounts
    assert details == order
    assert named == {
        name: license_[name]
        for name in ("id", "licenseName", "status", "expirationDate", "termDays", "termMonths")
    }
    await stall.owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    left = await stall.owner.ok("GET", f"/api/orders/{order['id']}")
    assert (left["licenses"], left["licenseIds"]) == ([], order["licenseIds"])
    of_customer = await stall.owner.ok("GET", f"/api/orders?customerId={customer['id']}")
    assert of_customer["items"] == [order]
    assert {item["status"] for item in await stall.events()} == {"Processed"}


async def test_a_renewal_extends_the_license(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    order = await stall.sell(shop)
    stall.clock.advance(days=30)
    shop.renew()
    await stall.owner.sign_in()
    renewed = await stall.sell(shop)
    assert renewed["licenseIds"] == order["licenseIds"]
    [license_] = await stall.licenses(renewed)
    assert instant(license_["expirationDate"]) == shop.period_end


async def test_a_changed_plan_changes_the_policy_of_the_same_license(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    order = await stall.sell(shop)
    stall.clock.advance(days=2)
    shop.wait(days=2)
    shop.change("pro", 1)
    await stall.owner.sign_in()
    changed = await stall.sell(shop)
    assert changed["licenseIds"] == order["licenseIds"]
    [license_] = await stall.licenses(changed)
    assert license_["policyId"] == stall.policies["pro"]["id"]
    assert license_["metadata"] == {"plan": "pro"}


async def test_canceled_order_ends_with_the_paid_term(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    shop.cancel()
    stall.clock.advance(minutes=2)
    order = await stall.sell(shop)
    assert order["status"] == "Canceled"
    [license_] = await stall.licenses(order)
    assert license_["status"] == "Active"
    assert instant(license_["expirationDate"]) == shop.period_end
    assert license_["graceDays"] == 0


async def test_a_refund_revokes_even_if_it_comes_before_the_sale(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    shop.refund()
    *sale, refund = shop.sent
    await stall.deliver(refund)
    await stall.work_off()
    assert [item["status"] for item in await stall.orders()] == ["Open"]
    await stall.deliver(*reversed(sale))
    await stall.work_off()
    [order] = await stall.orders()
    assert order["status"] == "Refunded"
    [license_] = await stall.licenses(order)
    assert license_["status"] == "Revoked"


@pytest.mark.parametrize("kind", DISPUTABLE)
async def test_a_dispute_suspends_until_it_is_won(
    kind: ConnectorKind, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, kind)
    shop = stall.shop()
    shop.buy()
    shop.dispute()
    [license_] = await stall.licenses(await stall.sell(shop))
    assert license_["status"] == "Suspended"
    shop.win()
    [license_] = await stall.licenses(await stall.sell(shop))
    assert license_["status"] == "Active"


async def test_a_failed_payment_suspends_when_the_grace_is_over(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    await stall.sell(shop)
    stall.clock.advance(days=30, minutes=5)
    shop.fail()
    await stall.owner.sign_in()
    order = await stall.sell(shop)
    assert order["nextAttemptAt"] is not None
    [license_] = await stall.licenses(order)
    assert license_["status"] == "Active"
    stall.clock.advance(days=7)
    await stall.owner.sign_in()
    await stall.work_off()
    [license_] = await stall.licenses(order)
    assert license_["status"] == "Suspended"
    shop.wait(days=8)
    shop.renew()
    order = await stall.sell(shop)
    [license_] = await stall.licenses(order)
    assert license_["status"] == "Active"
    assert instant(license_["expirationDate"]) == shop.period_end


async def test_quantities_are_licenses_or_seats_as_the_rule_says(stall: Stall) -> None:
    shop = stall.shop(quantity=3)
    shop.buy()
    order = await stall.sell(shop)
    assert len(order["licenseIds"]) == 3
    shop.wait(days=1)
    stall.clock.advance(days=1)
    await stall.owner.sign_in()
    shop.change("basic", 1)
    fewer = await stall.sell(shop)
    statuses = sorted(item["status"] for item in await stall.licenses(fewer))
    assert statuses == ["Active", "Suspended", "Suspended"]
    shop.wait(minutes=1)
    shop.change("basic", 2)
    more = await stall.sell(shop)
    assert more["licenseIds"] == order["licenseIds"]
    statuses = sorted(item["status"] for item in await stall.licenses(more))
    assert statuses == ["Active", "Active", "Suspended"]


async def test_seats_of_a_license_follow_the_quantity(stall: Stall) -> None:
    shop = stall.shop(plan="team", quantity=5)
    shop.buy()
    [license_] = await stall.licenses(await stall.sell(shop))
    assert license_["maxActiveUsersCount"] == 5
    shop.wait(days=1)
    shop.change("team", 8)
    [license_] = await stall.licenses(await stall.sell(shop))
    assert license_["maxActiveUsersCount"] == 8


async def test_unmatched_order_waits_for_a_rule(stall: Stall) -> None:
    shop = stall.shop(plan="gold")
    shop.buy()
    order = await stall.sell(shop)
    assert (order["status"], order["licenseIds"]) == ("Unmatched", [])
    assert order["problem"] == "No rule matches what was bought."
    shown = await stall.owner.ok("GET", f"/api/connectors/{stall.connector['id']}")
    assert shown["unmatchedOrders"] == 1
    rule = {"match": {"price": "price_gold"}, "policyId": stall.policies["pro"]["id"]}
    path = f"/api/connectors/{stall.connector['id']}/rules"
    await stall.owner.ok("POST", path, rule)
    await stall.work_off()
    [order] = await stall.orders("status=Fulfilled")
    assert len(order["licenseIds"]) == 1
    again = await stall.owner.send("POST", path, rule)
    assert again.status_code == 409
    assert (await stall.orders("status=Unmatched")) == []


async def test_a_rule_without_a_policy_gives_no_license(generic: Stall) -> None:
    rule = {"match": {"product": "prod_app", "price": "price_support"}}
    path = f"/api/connectors/{generic.connector['id']}/rules"
    await generic.owner.ok("POST", path, rule)
    shop = generic.shop(plan="support")
    shop.buy()
    order = await generic.sell(shop)
    assert (order["status"], order["licenseIds"]) == ("Fulfilled", [])


async def test_another_product_gets_another_license(generic: Stall) -> None:
    product = await make_product(generic.owner, name="Borealis")
    policy = await make_policy(generic.owner, product, name="Borealis Basic")
    rule = {"match": {"price": "price_other"}, "policyId": policy["id"]}
    await generic.owner.ok("POST", f"/api/connectors/{generic.connector['id']}/rules", rule)
    shop = generic.shop()
    shop.buy()
    await generic.sell(shop)
    shop.change("other", 1)
    order = await generic.sell(shop)
    found = {item["productId"]: item["status"] for item in await generic.licenses(order)}
    assert found == {generic.product["id"]: "Suspended", product["id"]: "Active"}


async def test_failed_order_stores_the_reason_and_is_retried(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    product = await owner.ok(
        "POST", "/api/products", {"name": "Keyless", "initialVersion": "1.0.0"}
    )
    policy = await make_policy(owner, product, name="Basic")
    rule = {"match": {"price": "price_keyless"}, "policyId": policy["id"]}
    await owner.ok("POST", f"/api/connectors/{stall.connector['id']}/rules", rule)
    shop = stall.shop(plan="keyless")
    shop.buy()
    order = await stall.sell(shop)
    assert (order["status"], order["licenseIds"]) == ("Open", [])
    assert "signing key" in order["problem"]
    assert instant(order["nextAttemptAt"]) == clock() + timedelta(minutes=1)
    await owner.ok("POST", f"/api/products/{product['id']}/keys/generate", {"keySize": 2048})
    assert await stall.work_off() == 0
    clock.advance(minutes=1)
    await stall.work_off()
    [order] = await stall.orders()
    assert (order["status"], order["problem"]) == ("Fulfilled", None)


async def test_an_event_is_replayed_by_hand(generic: Stall) -> None:
    shop = generic.shop()
    shop.buy()
    await generic.sell(shop)
    [event] = await generic.events()
    path = f"/api/connector-events/{event['id']}/replay"
    replayed = await generic.owner.send("POST", path)
    assert replayed.status_code == 202
    assert replayed.json()["status"] == "Pending"
    assert (await generic.owner.send("POST", path)).status_code == 409
    await generic.work_off()
    [order] = await generic.orders()
    assert len(order["licenseIds"]) == 1


async def test_changes_by_operators_are_kept(generic: Stall) -> None:
    shop = generic.shop(quantity=3)
    shop.buy()
    order = await generic.sell(shop)
    suspended, revoked, deleted = order["licenseIds"]
    await generic.owner.ok("POST", f"/api/licenses/{suspended}/suspend", {})
    await generic.owner.ok("POST", f"/api/licenses/{revoked}/revoke", {})
    await generic.owner.ok("DELETE", f"/api/licenses/{deleted}")
    await generic.owner.ok("PUT", f"/api/licenses/{suspended}", {"notes": "Owes us a lunch."})
    shop.dispute()
    shop.win()
    shop.renew()
    generic.clock.advance(days=30)
    await generic.owner.sign_in()
    order = await generic.sell(shop)
    assert order["licenseIds"] == [suspended, revoked, deleted]
    first = await generic.owner.ok("GET", f"/api/licenses/{suspended}")
    assert (first["status"], first["notes"]) == ("Suspended", "Owes us a lunch.")
    assert instant(first["expirationDate"]) == shop.period_end
    second = await generic.owner.ok("GET", f"/api/licenses/{revoked}")
    assert second["status"] == "Revoked"


async def test_the_audit_log_names_the_connector(generic: Stall, platform: Platform) -> None:
    shop = generic.shop()
    shop.buy()
    shop.refund()
    order = await generic.sell(shop)
    path = f"/api/institutions/{generic.owner.institution_id}/audit?pageSize=100"
    found = (await generic.owner.ok("GET", path))["items"]
    made = {item["kind"]: item["actorName"] for item in found if item["actorKind"] == "Connector"}
    assert set(made) == {"customer.created", "license.created", "license.revoked", "order.refunded"}
    assert set(made.values()) == {"Our shop"}
    async with platform.database.reading() as db:
        reason = await db.execute(
            text(
                "SELECT data->>'reason' FROM events WHERE kind = 'license.revoked'"
                " AND subject_id = :id"
            ),
            {"id": order["licenseIds"][0]},
        )
        assert reason.scalar_one() == f"Order {shop.name}"


async def test_a_deleted_connector_leaves_the_licenses(generic: Stall) -> None:
    shop = generic.shop()
    shop.buy()
    order = await generic.sell(shop)
    await generic.owner.ok("DELETE", f"/api/connectors/{generic.connector['id']}")
    assert (await generic.owner.send("GET", f"/api/orders/{order['id']}")).status_code == 404
    [license_] = await generic.licenses(order)
    assert license_["status"] == "Active"


async def test_a_perpetual_sale_with_the_term_of_its_policy(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    policy = await make_policy(owner, stall.product, name="Year", durationDays=365)
    rule = {"match": {"product": "app"}, "policyId": policy["id"]}
    await owner.ok("POST", f"/api/connectors/{stall.connector['id']}/rules", rule)
    data = {"id": "77", "customer": {"email": "a@example.com"}, "lines": [{"product": "app"}]}
    paid_at = clock() - timedelta(days=3)
    body = {"type": "order.paid", "timestamp": paid_at.isoformat(), "data": data}
    assert (await stall.tell(body)).status_code == 200
    await stall.work_off()
    [order] = await stall.orders()
    assert order["externalId"] == "77"
    [license_] = await stall.licenses(order)
    assert instant(license_["expirationDate"]) == paid_at + timedelta(days=365)
    assert license_["graceDays"] == 0


def test_shops_in_tests_sell_months() -> None:
    assert Shop(ConnectorKind.STRIPE, "a", "a@example.com", FakeClock.START).period_end == (
        FakeClock.START + MONTH
    )


async def test_orders_are_found_by_number_address_period_and_mode(generic: Stall) -> None:
    shops = []
    for _ in range(2):
        shops.append(shop := generic.shop())
        shop.buy()
        await generic.deliver(*shop.sent)
        await generic.work_off()
        generic.clock.advance(days=2)
        await generic.owner.sign_in()
    first, second = shops
    later = quote((generic.clock() - timedelta(days=3)).isoformat())

    async def found(query: str) -> list[str]:
        return [item["email"] for item in await generic.orders(query)]

    assert await found("") == [second.email, first.email]
    numbers = {item["email"]: item["externalId"] for item in await generic.orders()}
    assert await found(f"search={quote(numbers[first.email].upper())}") == [first.email]
    assert await found(f"search={second.email.upper()}") == [second.email]
    assert await found("search=%25") == []
    assert await found(f"from={later}") == [second.email]
    assert await found(f"to={later}") == [first.email]
    assert await found("testMode=false") == [second.email, first.email]
    assert await found("testMode=true") == []
    answer = await generic.owner.send(
        "GET", f"/api/orders?from={later}", headers={"accept": "text/csv"}
    )
    assert 'filename="orders.csv"' in answer.headers["content-disposition"]
    [row] = csv.DictReader(io.StringIO(answer.text))
    assert (row["email"], row["status"]) == (second.email, "Fulfilled")


_FILL_ORDERS = """
INSERT INTO orders (institution_id, id, connector_id, external_id, email, status, lines, created_at,
    updated_at)
SELECT :institution, uuidv7(), :connector, 'in_' || n, 'buyer' || n || '@example.com', 'Fulfilled',
    '[]', :now, :now
FROM generate_series(1, 20000) AS n
"""


FOUND_BY = {
    "customers_folded_idx",
    "customers_reference_idx",
    "customers_search_idx",
    "orders_customer_idx",
    "orders_email_start_idx",
    "orders_folded_idx",
    "orders_number_start_idx",
    "orders_search_idx",
}


async def test_an_order_among_many_is_found_by_index(generic: Stall) -> None:
    given = {
        "institution": UUID(generic.owner.institution_id),
        "connector": UUID(generic.connector["id"]),
        "now": generic.clock(),
    }
    async with generic.platform.database.transaction() as db:
        await db.execute(text(_FILL_ORDERS), given)
        await db.execute(text("ANALYZE orders"))
    with taken_down("FROM orders") as taken:
        answer = await generic.owner.ok("GET", "/api/orders?search=IN_1999")
    assert answer["totalCount"] == 11
    for question in taken:
        explained = await explain(generic.platform, question)
        assert explained.scanned <= FOUND_BY, explained
