"""Orders are found by the words of what their rows show."""

from typing import Any

import pytest
from connectors.factories import open_stall
from connectors.test_sales import PAID_UNTIL, sell
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform


@pytest.fixture
async def sold(owner: Owner, platform: Platform, clock: FakeClock) -> Owner:
    """Two customers, of whom one has a company, with an order each."""
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    basic, pro = (
        {"product": product, "price": price, "periodEnd": PAID_UNTIL}
        for product, price in (("flow-suite", "price_basic"), ("flow-suite", "price_pro"))
    )
    for number, name, price in ((4711, "Carla Ruiz", basic), (4712, "Ömer Demir", pro)):
        email = f"{name.split()[0].lower().replace('ö', 'o')}@example.com"
        await sell(stall, number, customer={"email": email, "name": name}, lines=[price])
    [carla] = (await owner.ok("GET", "/api/customers?search=carla"))["items"]
    company = {"name": carla["name"], "email": carla["email"], "company": "Granite Pictures"}
    await owner.ok("PUT", f"/api/customers/{carla['id']}", company)
    return owner


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("granite", ["4711"]),
        ("RUIZ", ["4711"]),
        ("carla@exa", ["4711"]),
        ("471", ["4711", "4712"]),
        ("ömer", ["4712"]),
        ("flow suite", ["4711", "4712"]),
        ("demir flow-suite price_pro", ["4712"]),  # of the customer, and of the line
        ("ruiz price_pro", []),
        ("picture basic", ["4711"]),
        ("null", []),
        ("@", []),
        ("' | !", []),
    ],
)
async def test_orders_are_found_by_what_their_rows_show(
    sold: Owner, search: str, found: list[str]
) -> None:
    async def asked(path: str) -> Any:
        answer = await sold.send("GET", path, params={"search": search})
        assert answer.status_code == 200, answer.text
        return answer.json()

    listed = await asked("/api/orders")
    assert sorted(it["externalId"] for it in listed["items"]) == found
    assert listed["totalCount"] == len(found)
    sums = (await asked("/api/orders/sums"))["sums"]
    assert sum(it["orders"] for it in sums) == 0  # these have no amounts
