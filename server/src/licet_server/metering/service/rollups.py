"""Keeps the daily totals up to date with the ledger."""

from datetime import datetime
from uuid import UUID

from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.metering.rules.usage import counting_steps
from licet_server.metering.storage import rollups
from licet_server.metering.storage.backlog import estimate_uncounted

WALLETS_PER_STEP = 500
ENTRIES_PER_STEP = 100_000
_BEFORE_ALL = (UUID(int=0), UUID(int=0))


async def roll_up(platform: Platform) -> int:
    """Add new entries to the daily totals, in bounded steps; return how many were added.

    Only the speed of statistics depends on it: these read the remaining entries themselves.
    """
    total, after = 0, _BEFORE_ALL
    while True:
        async with platform.database.transaction() as db:
            found = await rollups.claim_uncounted(db, after, WALLETS_PER_STEP)
            steps = counting_steps(found, ENTRIES_PER_STEP)
            await rollups.count_entries(db, steps)
        added = sum(until - item.counted for item, until in steps)
        total += added
        if added >= ENTRIES_PER_STEP:  # the last of them has more
            continue
        if len(found) < WALLETS_PER_STEP:
            return total
        after = (found[-1].institution_id, found[-1].license_id)


async def measure_uncounted(db: Connection, _now: datetime) -> Backlog:
    """Estimate how many entries wait to be added."""
    return await estimate_uncounted(db)
