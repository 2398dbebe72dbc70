"""Usage of metered licenses, for statistics."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from licet_server.catalog.reading import find_spellings
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection, Database
from licet_server.kit.platform import Platform
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.metering.rules.usage import FeatureUsage, Usage, counting_steps, usage_query
from licet_server.metering.service.moved import MovedWallets
from licet_server.metering.storage import rollups
from licet_server.metering.storage import usage as storage
from licet_server.metering.storage.rollups import estimate_uncounted

NEWEST_ENTRIES = 100_000
"""How many entries of a license are read to rank its features, which no daily total separates."""


async def sum_usage(
    db: Connection, visibility: Visibility, *, since: datetime, until: datetime, limit: int
) -> Usage:
    """Sum the usage from `since` to before `until`, exactly, and the present balances.

    Ranks up to `limit` licenses and features of each mode. `db` must be a snapshot, so that the
    figures agree.
    """
    if not _shows_products(visibility):
        return Usage(balances={}, days=[], licenses=[], features=[])
    query = usage_query(visibility, since, until)
    return Usage(
        balances=await storage.sum_balances(db, query),
        days=await storage.sum_days(db, query),
        licenses=await storage.rank_licenses(db, query, limit),
        features=await _spelled(db, visibility, await storage.rank_features(db, query, limit)),
    )


async def sum_consumption(
    db: Connection, visibility: Visibility, *, since: datetime, until: datetime
) -> Decimal:
    """Sum what was consumed from `since` to before `until`, in both modes."""
    if not _shows_products(visibility):
        return Decimal(0)
    days = await storage.sum_days(db, usage_query(visibility, since, until))
    return sum((item.consumed for item in days), Decimal(0))


async def sum_usage_of(
    db: Connection, license_id: LicenseId, *, since: datetime, until: datetime, limit: int
) -> Usage:
    """Sum the usage of one license; its features are ranked by its newest 100,000 entries."""
    query = usage_query(Visibility((license_id[0],)), since, until, license_id=license_id[1])
    return Usage(
        balances=await storage.sum_balances(db, query),
        days=await storage.sum_days(db, query),
        licenses=await storage.rank_licenses(db, query, limit),
        features=await _spelled(
            db,
            query.visibility,
            await storage.rank_features_of(
                db, license_id, since, until, newest=NEWEST_ENTRIES, limit=limit
            ),
        ),
    )


def _shows_products(visibility: Visibility) -> bool:
    """Return whether there can be usage to see, which goes by product."""
    return bool(visibility.institutions or visibility.products)


async def _spelled(
    db: Connection, visibility: Visibility, used: Sequence[FeatureUsage]
) -> list[FeatureUsage]:
    """Return the features as their vendor spells them; other names as they were first used."""
    names = {item.feature_name for item in used}
    spellings = await find_spellings(db, visibility, sorted(names))
    return [
        replace(item, feature_name=spellings.get(item.feature_name, item.feature_name))
        for item in used
    ]


WALLETS_PER_ROUND = 100_000
WALLETS_PER_STEP = 500
ENTRIES_PER_STEP = 100_000


async def roll_up(platform: Platform) -> int:
    """Add new entries of all wallets to the daily totals; return how many were added.

    Only the speed of statistics depends on it: these read the remaining entries themselves. It
    reads every wallet to find those with new entries.
    """
    total = 0
    while True:
        async with platform.database.reading() as db:
            waiting = await rollups.list_uncounted(db, WALLETS_PER_ROUND)
        added = await _count_in_steps(platform.database, waiting)
        total += added
        if added == 0 or len(waiting) < WALLETS_PER_ROUND:
            return total


async def roll_up_moved(platform: Platform) -> int:
    """Add new entries of the wallets that this process has charged; return how many were added."""
    with platform.shared.of(MovedWallets).taken() as wallets:
        return await _count_in_steps(platform.database, wallets)


async def _count_in_steps(database: Database, wallets: Sequence[LicenseId]) -> int:
    steps = range(0, len(wallets), WALLETS_PER_STEP)
    return sum([await _count(database, wallets[at : at + WALLETS_PER_STEP]) for at in steps])


async def _count(database: Database, wallets: Sequence[LicenseId]) -> int:
    """Count the new entries of these wallets, unless another process does; return how many."""
    total = 0
    while True:
        async with database.transaction() as db:
            found = await rollups.claim_uncounted(db, wallets)
            steps = counting_steps(found, ENTRIES_PER_STEP)
            await rollups.count_entries(db, steps)
        added = sum(until - item.counted for item, until in steps)
        total += added
        if added < ENTRIES_PER_STEP:
            return total


async def measure_uncounted(db: Connection, _now: datetime) -> Backlog:
    """Estimate how many entries wait to be added."""
    return await estimate_uncounted(db)
