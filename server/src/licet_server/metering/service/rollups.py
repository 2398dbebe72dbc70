"""Keeps the sums by day up with the ledger."""

from licet_server.kit.platform import Platform
from licet_server.metering.rules.usage import within
from licet_server.metering.storage import rollups

WALLETS_A_STEP = 500
ENTRIES_A_STEP = 100_000


async def roll_up(platform: Platform) -> int:
    """Add the entries that are not yet in the sums, in bounded steps; answers how many.

    Nothing depends on it but the speed of statistics, which add what is missing by themselves.
    """
    total = 0
    while True:
        async with platform.database.transaction() as db:
            found = await rollups.claim_uncounted(db, WALLETS_A_STEP)
            steps = within(found, ENTRIES_A_STEP)
            await rollups.count_entries(db, steps)
        added = sum(until - item.counted for item, until in steps)
        total += added
        if len(found) < WALLETS_A_STEP and added < ENTRIES_A_STEP:
            return total
