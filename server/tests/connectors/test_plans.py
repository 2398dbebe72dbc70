"""Among the orders of years, those of a period are found by an index."""

from datetime import timedelta
from uuid import UUID

from connectors.factories import make_connector
from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried

from licet_server.connectors.rules.model import ConnectorKind, OrderFilter, PoliciesOfProduct
from licet_server.connectors.storage.order_lists import list_orders
from licet_server.connectors.storage.retention import count_renewers
from licet_server.connectors.storage.sales import (
    sums_by_customer,
    sums_by_month,
    sums_of_matching,
)
from licet_server.kit.paging import Paging
from licet_server.kit.platform import Platform

DAYS, EACH = 2_000, 5
_FILL = f"""
INSERT INTO orders (institution_id, id, connector_id, external_id, customer_id, amount, currency,
    status, lines, created_at, updated_at)
SELECT institution_id, uuidv7(), id, n, uuidv7(), 1, 'EUR', 'Fulfilled', '[]', at, at
FROM connectors, generate_series(1, {DAYS * EACH}) AS n,
    LATERAL (SELECT CAST(:now AS timestamptz) - n * interval '1 day' / {EACH} AS at)
WHERE id = :connector
"""
_PAY = """
INSERT INTO order_payments (institution_id, order_id, place, kind, happened_at, amount, currency)
SELECT institution_id, id, 0, 'New', created_at, amount, currency FROM orders
WHERE connector_id = :connector
"""

ALLOWED = {
    "order_payments_happened_idx",
    "order_payments_pkey",
    "orders_created_at_idx",
    "orders_pkey",
}


async def test_orders_of_a_period_are_found_by_an_index(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    connector = await make_connector(owner, ConnectorKind.GENERIC)
    async with unhurried(platform) as db:
        await db.execute(text(_FILL), {"connector": UUID(connector["id"]), "now": clock()})
        await db.execute(text(_PAY), {"connector": UUID(connector["id"])})
        await db.execute(text("ANALYZE orders, order_payments"))
    until = clock() - timedelta(days=DAYS // 2)
    mine, since = [UUID(owner.institution_id)], until - timedelta(days=5)
    period = OrderFilter(since=since, until=until)
    with taken_down("order_payments") as taken:
        async with platform.database.reading() as db:
            [(_, _, months)] = await sums_by_month(db, mine, since, until)
            assert len(await sums_by_customer(db, mine, since, until, 100)) == months.orders
            of_product = PoliciesOfProduct(["mine"], ["others"])
            assert await sums_by_customer(db, mine, since, until, 100, of_product) == []
            [matching] = await sums_of_matching(db, mine, period)
            listing = await list_orders(db, mine, period, Paging())
    assert months.orders == matching.orders == len(listing.items) == 5 * EACH
    for question in taken:
        explained = await explain(platform, question)
        assert "order_payments_happened_idx" in explained.scanned, (question, explained)
        assert explained.scanned <= ALLOWED, (question, explained)
        assert explained.pages < 500, (question, explained)


async def test_customers_of_years_are_counted_once_over_what_one_institution_was_paid(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    connector = await make_connector(owner, ConnectorKind.GENERIC)
    mine = UUID(owner.institution_id)
    async with unhurried(platform) as db:
        await db.execute(text(_FILL), {"connector": UUID(connector["id"]), "now": clock()})
        await db.execute(text(_PAY), {"connector": UUID(connector["id"])})
        await db.execute(text("ANALYZE orders, order_payments"))
    with taken_down("order_payments") as taken:
        async with platform.database.reading() as db:
            found = await count_renewers(db, mine, 0, clock(), None)
            assert await count_renewers(db, mine, 0, clock(), ["none"]) == []
    assert sum(item.customers for item in found) == DAYS * EACH
    pages = [(await explain(platform, question)).pages for question in taken]
    assert max(pages) < 1_500, pages  # each table once: not a page or more for each customer
