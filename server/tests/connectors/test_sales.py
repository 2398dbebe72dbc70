"""What orders brought in, by month, product and customer."""

from typing import Any

import pytest
from connectors.factories import Stall, make_policy, open_stall
from identity.test_reset_and_api_keys import make_key
from licenses.factories import make_product
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform

PAID_UNTIL = "2031-01-01T00:00:00Z"


async def sell(
    stall: Stall,
    number: int,
    kind: str = "order.paid",
    *,
    timestamp: str | None = None,
    **data: Any,
) -> None:
    body = {
        "type": kind,
        "timestamp": timestamp or stall.clock().isoformat(),
        "data": {
            "id": str(number),
            "customer": {"email": "ada@example.com"},
            "lines": [{"product": "app", "price": "price_basic", "periodEnd": PAID_UNTIL}],
            "currency": "EUR",
            **data,
        },
    }
    assert (await stall.tell(body)).status_code == 200
    await stall.work_off()


async def open_shop_of_two(
    owner: Owner, platform: Platform, clock: FakeClock
) -> tuple[Stall, dict[str, Any]]:
    """Open a stall, and sell each of two products alone, then both at once; return the other."""
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    other = await make_product(owner, name="Borealis")
    policy = await make_policy(owner, other, name="Plan")
    rule = {"match": {"price": "else"}, "policyId": policy["id"], "quantityAs": "Licenses"}
    await owner.ok("POST", f"/api/connectors/{stall.connector['id']}/rules", rule)
    own, foreign = (
        {"product": "app", "price": price, "periodEnd": PAID_UNTIL}
        for price in ("price_basic", "else")
    )
    await sell(stall, 1, amount="1")
    await sell(stall, 2, amount="2", lines=[foreign], customer={"email": "bob@example.com"})
    await sell(stall, 3, amount="4", lines=[own, foreign])
    await sell(stall, 4, amount="8", testMode=True)
    await sell(stall, 5, amount="16", lines=[{"product": "nothing"}])
    await sell(stall, 6, amount="32", currency="USD")
    return stall, other


@pytest.mark.usefixtures("clock")
async def test_sales_are_summed_exactly_without_refunds_and_tests(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 1, amount="0.10")
    await sell(stall, 2, amount="0.20", customer={"email": "bob@example.com"})
    await sell(stall, 3, amount="5", testMode=True)
    clock.advance(days=31)
    await owner.sign_in()
    await sell(stall, 4, amount="1000.05", lines=[{"product": "other"}])
    await sell(stall, 4, "order.refunded", amount="0.05", lines=[{"product": "other"}])
    await sell(stall, 5, amount="7", currency="USD")
    found = await owner.ok("GET", "/api/statistics/sales?to=2030-12-31T00:00:00Z")
    assert [
        (it["month"], it["currency"], it["orders"], it["amount"], it["refunded"], it["net"])
        for it in found["byMonth"]
    ] == [
        ("2030-01", "EUR", 2, 0.3, 0, 0.3),
        ("2030-02", "EUR", 1, 1000.05, 0.05, 1000),
        ("2030-02", "USD", 1, 7, 0, 7),
    ]
    assert [(it["productName"], it["net"]) for it in found["byProduct"]] == [
        (None, 1000),
        ("Aurora", 0.3),
        ("Aurora", 7),
    ]
    assert [(it["month"], it["productName"], it["net"]) for it in found["byMonthAndProduct"]] == [
        ("2030-01", "Aurora", 0.3),
        ("2030-02", None, 1000),
        ("2030-02", "Aurora", 7),
    ]
    assert [(it["customerName"], it["net"]) for it in found["byCustomer"]] == [
        ("ada@example.com", 1000.1),
        ("bob@example.com", 0.2),
        ("ada@example.com", 7),
    ]
    period = "?from=2030-01-01T00:00:00Z&to=2030-02-01T00:00:00Z"
    assert len((await owner.ok("GET", f"/api/statistics/sales{period}"))["byMonth"]) == 1


async def test_renewals_and_refunds_count_in_the_month_that_the_shop_says(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)

    async def tell(kind: str, at: str, amount: str) -> None:
        lines = [{"product": "app", "price": "price_basic", "periodEnd": PAID_UNTIL}]
        await sell(stall, 1, kind, amount=amount, lines=lines, timestamp=at)

    await tell("order.paid", "2028-11-30T22:00:00Z", "130.10")  # told more than a year later
    await tell("order.renewed", "2029-11-27T12:00:00Z", "130.20")
    await tell("order.refunded", "2029-12-02T12:00:00Z", "130.20")

    async def months(query: str) -> list[tuple[Any, ...]]:
        found = await owner.ok("GET", f"/api/statistics/sales?{query}")
        names = ("month", "orders", "amount", "renewals", "refunded", "net")
        return [tuple(it[name] for name in names) for it in found["byMonth"]]

    paid = ("2028-11", 1, 130.1, 0, 0, 130.1)
    renewed = ("2029-11", 1, 130.2, 130.2, 0, 130.2)
    refunded = ("2029-12", 0, 0, 0, 130.2, -130.2)
    assert await months("from=2028-01-01T00:00:00Z&to=2030-06-01T00:00:00Z") == [
        paid, renewed, refunded,
    ]  # fmt: skip
    assert await months("from=2029-11-01T00:00:00Z&to=2029-12-01T00:00:00Z") == [renewed]

    async def of_period(since: str, until: str) -> tuple[list[Any], list[str]]:
        period = f"from={since}T00:00:00Z&to={until}T00:00:00Z"
        sums = (await owner.ok("GET", f"/api/orders/sums?{period}"))["sums"]
        listed = (await owner.ok("GET", f"/api/orders?{period}"))["items"]
        return [(it["orders"], it["net"]) for it in sums], [it["externalId"] for it in listed]

    assert await of_period("2029-11-01", "2029-12-01") == ([(1, 130.2)], ["1"])
    assert await of_period("2029-12-01", "2030-01-01") == ([(0, -130.2)], ["1"])
    assert await of_period("2030-01-01", "2030-02-01") == ([], [])  # only told in this month
    [order] = (await owner.ok("GET", "/api/orders"))["items"]
    details = await owner.ok("GET", f"/api/orders/{order['id']}")
    assert [(it["kind"], it["happenedAt"], it["amount"]) for it in details["payments"]] == [
        ("New", "2028-11-30T22:00:00Z", 130.1),
        ("Renewal", "2029-11-27T12:00:00Z", 130.2),
        ("Refund", "2029-12-02T12:00:00Z", 130.2),
    ]


async def test_sales_of_a_product_are_without_those_of_others(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    _, other = await open_shop_of_two(owner, platform, clock)
    path = f"/api/statistics/sales?to=2030-12-31T00:00:00Z&productId={other['id']}"
    found = await owner.ok("GET", path)
    assert [(it["month"], it["net"]) for it in found["byMonth"]] == [("2030-01", 2)]
    assert [(it["productName"], it["net"]) for it in found["byProduct"]] == [("Borealis", 2)]
    assert [(it["customerName"], it["net"]) for it in found["byCustomer"]] == [
        ("bob@example.com", 2)
    ]


async def test_orders_of_a_filter_are_summed_without_tests_unless_it_asks_for_them(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 1, amount="0.10")
    await sell(stall, 2, amount="0.20", customer={"email": "bob@example.com"})
    await sell(stall, 2, "order.refunded", amount="0.05", customer={"email": "bob@example.com"})
    await sell(stall, 3, amount="7", currency="USD")
    await sell(stall, 4, amount="5", testMode=True)

    async def sums(query: str) -> list[tuple[str, int, float, float]]:
        found = await owner.ok("GET", f"/api/orders/sums?{query}")
        return [(it["currency"], it["orders"], it["amount"], it["net"]) for it in found["sums"]]

    assert await sums("") == [("EUR", 2, 0.3, 0.25), ("USD", 1, 7, 7)]
    assert await sums("search=bob@") == [("EUR", 1, 0.2, 0.15)]
    assert await sums("testMode=true") == [("EUR", 1, 5, 5)]
    assert await sums("to=2029-01-01T00:00:00Z") == []


@pytest.mark.parametrize("more", [[], ["Customers.Read"]])
async def test_keys_see_sales_by_customer_only_if_they_see_customers(
    owner: Owner, platform: Platform, clock: FakeClock, more: list[str]
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 1, amount="1")
    key = await make_key(owner, scopes=["Statistics.Read", *more])
    headers = {"x-api-key": key["secret"]}
    path = "/api/statistics/sales?to=2030-12-31T00:00:00Z"
    found = (await owner.client.get(path, headers=headers)).json()
    assert [len(found[name]) for name in ("byMonth", "byProduct")] == [1, 1]
    assert [item["customerName"] for item in found["byCustomer"]] == ["ada@example.com"] * len(more)
