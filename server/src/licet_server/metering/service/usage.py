"""Usage in figures, for statistics."""

from datetime import datetime

from licet_server.kit.database import Connection
from licet_server.kit.sight import Sight
from licet_server.metering.rules.usage import LowBalance, Usage, ask
from licet_server.metering.storage import usage as storage


async def sum_usage(
    db: Connection,
    sight: Sight,
    since: datetime,
    until: datetime,
    limit: int,
) -> Usage:
    """What was used from `since` to before `until`, and what is left now, to the last unit.

    `limit` is how many licenses and features of each mode are named. `db` is a snapshot, so that
    the figures agree.
    """
    asked = ask(sight, since, until)
    return Usage(
        balances=await storage.sum_balances(db, sight),
        days=await storage.sum_days(db, asked),
        licenses=await storage.rank_licenses(db, asked, limit),
        features=await storage.rank_features(db, asked, limit),
    )


async def find_low(db: Connection, sight: Sight, limit: int) -> list[LowBalance]:
    """Wallets at their threshold or below, and empty ones, the emptiest first."""
    return await storage.find_low(db, sight, limit)
