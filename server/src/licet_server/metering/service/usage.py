"""Usage in figures, for statistics."""

from datetime import datetime

from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.metering.rules.usage import LowBalance, Usage, ask
from licet_server.metering.storage import usage as storage

NEWEST_ENTRIES = 100_000
"""So many entries of a license are read for its features, which no sum tells apart."""


async def sum_usage(
    db: Connection,
    visibility: Visibility,
    since: datetime,
    until: datetime,
    limit: int,
) -> Usage:
    """What was used from `since` to before `until`, and what is left now, to the last unit.

    `limit` is how many licenses and features of each mode are named. `db` is a snapshot, so that
    the figures agree.
    """
    asked = ask(visibility, since, until)
    return Usage(
        balances=await storage.sum_balances(db, asked),
        days=await storage.sum_days(db, asked),
        licenses=await storage.rank_licenses(db, asked, limit),
        features=await storage.rank_features(db, asked, limit),
    )


async def sum_usage_of(
    db: Connection, license_id: LicenseId, since: datetime, until: datetime, limit: int
) -> Usage:
    """The same of one license, whose features are ranked by the newest 100,000 of its entries."""
    asked = ask(Visibility((license_id[0],)), since, until, license_id[1])
    return Usage(
        balances=await storage.sum_balances(db, asked),
        days=await storage.sum_days(db, asked),
        licenses=await storage.rank_licenses(db, asked, limit),
        features=await storage.rank_features_of(
            db, license_id, since, until, newest=NEWEST_ENTRIES, limit=limit
        ),
    )


async def find_low(db: Connection, visibility: Visibility, limit: int) -> list[LowBalance]:
    """Wallets at their threshold or below, and empty ones, the emptiest first."""
    return await storage.find_low(db, visibility, limit)


async def find_low_of(db: Connection, license_id: LicenseId) -> list[LowBalance]:
    """The wallet of a license, if it is low."""
    return await storage.find_low_of(db, license_id)
