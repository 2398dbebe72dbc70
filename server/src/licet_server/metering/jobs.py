"""Background jobs of metering."""

from collections.abc import Sequence
from uuid import UUID

from licet_server.archives.service.archiving import archive_rows
from licet_server.kit.platform import Platform
from licet_server.metering.service import rollups
from licet_server.metering.service.archiving import LEDGER, delete_orphans


async def roll_up(platform: Platform) -> int:
    """Add new ledger entries to the daily totals; return how many were added."""
    return await rollups.roll_up(platform)


async def archive_ledger(platform: Platform) -> int:
    """Archive old entries of ledgers, and refusals of charges; return how many."""
    return await archive_rows(platform, LEDGER, platform.settings.keep_ledger)


async def delete_orphaned_entries(platform: Platform, gone: Sequence[UUID]) -> int:
    """Delete the ledgers of institutions that are gone; return how many entries."""
    return await delete_orphans(platform.database, gone)
