"""Orders are listed by license, by product, and by the currency that they were paid in."""

from uuid import UUID

from connectors.factories import make_connector, make_policy
from connectors.test_sales import open_shop_of_two, sell
from licenses.factories import make_product
from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform

PERIOD = "from=2030-01-01T00:00:00Z&to=2030-12-31T00:00:00Z"


async def numbers_of(owner: Owner, query: str) -> list[str]:
    listing = await owner.ok("GET", f"/api/orders?{query}")
    found = sorted(it["externalId"] for it in listing["items"])
    assert listing["totalCount"] == len(found)
    return found


async def test_orders_are_listed_by_product_and_by_license(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall, other = await open_shop_of_two(owner, platform, clock)
    stranger = "0190a0a0-0000-7000-8000-000000000000"

    assert await numbers_of(owner, f"productId={stall.product['id']}") == ["1", "3", "6"]
    assert await numbers_of(owner, f"productId={other['id']}") == ["2", "3"]
    alone = f"productId={other['id']}&onlyProduct=true"
    assert await numbers_of(owner, alone) == ["2"]
    assert await numbers_of(owner, f"productId={stranger}") == []
    [bundle] = (await owner.ok("GET", "/api/orders?search=3"))["items"]
    assert len(bundle["licenseIds"]) == 2
    for license_id in bundle["licenseIds"]:
        assert await numbers_of(owner, f"licenseId={license_id}&pageSize=1") == ["3"]
    assert await numbers_of(owner, f"licenseId={stranger}") == []
    answer = await owner.send("GET", f"/api/orders?{alone}", headers={"accept": "text/csv"})
    assert len(answer.text.splitlines()) == 2


async def test_each_figure_of_sales_is_the_number_of_orders_that_its_filter_lists(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall, _ = await open_shop_of_two(owner, platform, clock)
    clock.advance(days=31)
    await owner.sign_in()
    await sell(stall, 1, "order.refunded", amount="1")  # of a payment of the month before
    await sell(stall, 7, amount="64")
    asked = f"{PERIOD}&testMode=false"
    found = await owner.ok("GET", f"/api/statistics/sales?{PERIOD}")

    for row in found["byProduct"]:
        if row["productId"] is not None:
            query = f"productId={row['productId']}&onlyProduct=true&paidIn={row['currency']}"
            assert len(await numbers_of(owner, f"{asked}&{query}")) == row["orders"]
    for row in found["byCustomer"]:
        query = f"customerId={row['customerId']}&paidIn={row['currency']}"
        assert len(await numbers_of(owner, f"{asked}&{query}")) == row["orders"]
    months = {
        "2030-01": "from=2030-01-01T00:00:00Z&to=2030-02-01T00:00:00Z",
        "2030-02": "from=2030-02-01T00:00:00Z&to=2030-03-01T00:00:00Z",
    }
    for row in found["byMonth"]:
        query = f"{months[row['month']]}&testMode=false&paidIn={row['currency']}"
        assert len(await numbers_of(owner, query)) == row["orders"]
        [sums] = (await owner.ok("GET", f"/api/orders/sums?{query}"))["sums"]
        assert sums["orders"] == row["orders"]
    assert [(it["month"], it["orders"]) for it in found["byMonth"]] == [
        ("2030-01", 4), ("2030-01", 1), ("2030-02", 1),
    ]  # fmt: skip


_FILL = """
INSERT INTO orders (institution_id, id, connector_id, external_id, status, lines, created_at,
    updated_at)
SELECT :institution, uuidv7(), :connector, n, 'Fulfilled', jsonb_build_array(jsonb_build_object(
    'product', 'app', 'quantity', 1, 'policyId', CASE WHEN n % 1000 = 0 THEN :policy
    ELSE CAST(uuidv7() AS text) END)), :now, :now
FROM generate_series(1, 20000) AS n
"""
_LINK = """
INSERT INTO order_licenses (institution_id, order_id, license_id, plan, use, is_suspended)
SELECT institution_id, id, uuidv7(), '{}', 'New', false FROM orders WHERE connector_id = :connector
"""


async def test_orders_of_a_product_or_license_among_many_are_found_by_an_index(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    connector = await make_connector(owner, ConnectorKind.GENERIC)
    product = await make_product(owner)
    policy = await make_policy(owner, product, name="Basic")
    given = {
        "institution": UUID(owner.institution_id),
        "connector": UUID(connector["id"]),
        "policy": policy["id"],
        "now": clock(),
    }
    async with unhurried(platform) as db:
        await db.execute(text(_FILL), given)
        await db.execute(text(_LINK), {"connector": given["connector"]})
        [license_id] = (
            await db.execute(
                text("SELECT license_id FROM order_licenses WHERE institution_id = :i LIMIT 1"),
                {"i": given["institution"]},
            )
        ).scalars()
        await db.execute(text("ANALYZE orders, order_licenses"))
    for query, index, count in (
        (f"productId={product['id']}", "orders_policies_idx", 20),
        (f"licenseId={license_id}", "order_licenses_license_idx", 1),
    ):
        with taken_down("FROM orders") as taken:
            answer = await owner.ok("GET", f"/api/orders?{query}")
        assert answer["totalCount"] == count
        for question in taken:
            explained = await explain(platform, question)
            assert index in explained.scanned, (question, explained)
            assert explained.pages < 500, (question, explained)
