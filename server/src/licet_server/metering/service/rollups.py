"""Keeps the daily totals up to date with the ledger."""

from licet_server.kit.platform import Platform
from licet_server.metering.rules.usage import counting_steps
from licet_server.metering.storage import rollups

WALLETS_PER_STEP = 500
ENTRIES_PER_STEP = 100_000


async def roll_up(platform: Platform) -> int:
    """Add new entries to the daily totals, in bounded steps; return how many were added.

    Only the speed of statistics depends on it: these read the remaining entries themselves.
    """
    total = 0
    while True:
        async with platform.database.transaction() as db:
            found = await rollups.claim_uncounted(db, WALLETS_PER_STEP)
            steps = counting_steps(found, ENTRIES_PER_STEP)
            await rollups.count_entries(db, steps)
        added = sum(until - item.counted for item, until in steps)
        total += added
        if len(found) < WALLETS_PER_STEP and added < ENTRIES_PER_STEP:
            return total
