"""Background jobs of upgrades."""

from licet_server.kit.platform import Platform
from licet_server.upgrades.service import check_feed


async def check_for_upgrade(platform: Platform) -> int:
    """Ask the operator's feed, if there is one, for a newer release; returns 1 if there is."""
    return await check_feed(platform)
