"""Background jobs of metering."""

from licet_server.kit.platform import Platform
from licet_server.metering.service import rollups


async def roll_up(platform: Platform) -> int:
    """Add new ledger entries to the daily totals; return how many were added."""
    return await rollups.roll_up(platform)
