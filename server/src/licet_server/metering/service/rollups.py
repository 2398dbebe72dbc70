"""Updates of the daily totals from the ledger."""

from collections.abc import Sequence
from datetime import datetime

from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection, Database
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import LicenseId
from licet_server.metering.rules.usage import counting_steps
from licet_server.metering.storage import rollups
from licet_server.metering.storage.backlog import estimate_uncounted

WALLETS_PER_ROUND = 100_000
WALLETS_PER_STEP = 500
ENTRIES_PER_STEP = 100_000


async def roll_up(platform: Platform) -> int:
    """Add new entries to the daily totals, in bounded steps; return how many were added.

    Only the speed of statistics depends on it: these read the remaining entries themselves.
    """
    total = 0
    while True:
        async with platform.database.reading() as db:
            waiting = await rollups.list_uncounted(db, WALLETS_PER_ROUND)
        added = 0
        for start in range(0, len(waiting), WALLETS_PER_STEP):
            added += await _count(platform.database, waiting[start : start + WALLETS_PER_STEP])
        total += added
        if added == 0 or len(waiting) < WALLETS_PER_ROUND:
            return total


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
