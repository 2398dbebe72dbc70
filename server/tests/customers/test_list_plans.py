"""Among many customers, what a page of their list says is found by indexes."""

from datetime import datetime
from uuid import UUID

import pytest
from connectors.factories import open_stall
from connectors.test_sales import sell
from plans import Question, explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried
from volumes import is_long

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform

CUSTOMERS = 100_000 if is_long() else 5_000
# Two indexes of devices begin alike, and either is as good.
INDEXES = {
    "licenses": {"licenses_of_customer_idx"},
    "activations": {
        "licenses_of_customer_idx",
        "activations_license_idx",
        "activations_device_key",
    },
    "orders": {"orders_customer_idx", "order_payments_pkey"},
}
_COPIES = {
    "customers": {"id": "item.customer", "email": "item.number || '@example.com'"},
    "licenses": {"id": "item.license", "customer_id": "item.customer", "normal_key": "item.number"},
    "orders": {"id": "item.sale", "customer_id": "item.customer"},
    "order_payments": {"order_id": "item.sale"},
}
_DEVICES = """
INSERT INTO activations
    (institution_id, id, license_id, product_id, hardware_id, holds_seat, bound, created_at,
     last_seen_at)
SELECT base.institution_id, uuidv7(), item.license, base.product_id, 'one', false, false, :now,
    :now
FROM filled item, (SELECT * FROM licenses WHERE institution_id = :of LIMIT 1) base
"""


async def _copy(db: Connection, of: UUID, table: str, changed: dict[str, str]) -> None:
    """Copy the only row of an institution for every customer, apart from these columns."""
    names = await db.execute(
        text(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_name = :table AND is_generated = 'NEVER'"
        ),
        {"table": table},
    )
    columns = list(names.scalars())
    values = ", ".join(changed.get(name, f'base."{name}"') for name in columns)
    into = ", ".join(f'"{name}"' for name in columns)
    await db.execute(
        text(
            f"INSERT INTO {table} ({into}) SELECT {values}"
            f" FROM filled item, (SELECT * FROM {table} WHERE institution_id = :of LIMIT 1) base"
        ),
        {"of": of},
    )


async def _fill(platform: Platform, of: UUID, now: datetime) -> None:
    async with unhurried(platform) as db:
        await db.execute(
            text(
                "CREATE TEMP TABLE filled AS SELECT number::text, uuidv7() AS customer,"
                " uuidv7() AS license, uuidv7() AS sale"
                " FROM generate_series(1, :customers) AS number"
            ),
            {"customers": CUSTOMERS},
        )
        for table, changed in _COPIES.items():
            await _copy(db, of, table, changed)
        await db.execute(text(_DEVICES), {"of": of, "now": now})
        await db.execute(text(f"ANALYZE {', '.join(_COPIES)}, activations"))


@pytest.mark.undivided  # the pages are those of whole indexes
async def test_a_page_reads_what_its_customers_have_and_no_more(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 1, amount="10")
    await _fill(platform, UUID(stall.connector["institutionId"]), clock.now)
    with taken_down("unnest") as taken:
        page = await owner.ok("GET", "/api/customers?pageSize=25")
    assert [item["activeLicenses"] for item in page["items"]] == [1] * 25
    assert all(item["paid"] for item in page["items"])
    for table, indexes in INDEXES.items():
        found = await explain(platform, _about(taken, table))
        assert found.scanned <= indexes, found


def _about(taken: list[Question], table: str) -> Question:
    [question] = [
        item
        for item in taken
        if f"FROM {table}" in item.statement or f"JOIN {table}" in item.statement
        if table != "licenses" or "activations" not in item.statement
    ]
    return question
