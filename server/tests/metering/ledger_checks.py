"""Reads what metering stores, and checks its invariants."""

from decimal import Decimal
from itertools import accumulate
from operator import itemgetter
from typing import Any

from sqlalchemy import Table, select
from world import Vendor

from licet_server.events.tables import events
from licet_server.kit.platform import Platform
from licet_server.licenses.tables import licenses
from licet_server.metering.tables import feature_prices, meter_entries, meter_wallets

TABLES: tuple[Table, ...] = (licenses, meter_wallets, meter_entries, feature_prices, events)


async def rows_of(platform: Platform, table: Table, **owner: Any) -> list[dict[str, Any]]:
    """The rows of one table that belong to an owner, such as `license_id=...`, in a fixed order."""
    statement = select(table).filter_by(**owner).order_by(*table.primary_key.columns)
    async with platform.database.reading() as db:
        return [dict(row) for row in (await db.execute(statement)).mappings()]


async def state_of(platform: Platform, vendor: Vendor) -> dict[str, list[dict[str, Any]]]:
    """Every row of the institution's licenses, metering and events."""
    owner = vendor.owner.institution_id
    return {table.name: await rows_of(platform, table, institution_id=owner) for table in TABLES}


async def assert_ledger_matches(platform: Platform, license_: dict[str, Any]) -> Decimal:
    """Check that the ledger adds up to the balance without a gap; return the balance."""
    [wallet] = await rows_of(platform, meter_wallets, license_id=license_["id"])
    entries = await rows_of(platform, meter_entries, license_id=license_["id"])
    numbered = [item for item in entries if item["sequence"] is not None]
    moved = sorted(numbered, key=itemgetter("sequence"))
    assert [item["sequence"] for item in moved] == list(range(1, wallet["version"] + 1))
    sums = list(accumulate(item["amount"] for item in moved))
    assert [item["balance_after"] for item in moved] == sums
    assert wallet["balance"] == sums[-1]
    return Decimal(wallet["balance"])
