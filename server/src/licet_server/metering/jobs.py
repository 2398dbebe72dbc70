"""The background work of metering."""

from licet_server.kit.platform import Platform
from licet_server.metering.service import rollups


async def roll_up(platform: Platform) -> int:
    """Add new ledger entries to the sums by day; answers how many."""
    return await rollups.roll_up(platform)
