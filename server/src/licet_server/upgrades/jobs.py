"""Background jobs of upgrades."""

from licet_server.kit.platform import Platform
from licet_server.upgrades.service import check_feed


async def check_for_upgrade(platform: Platform) -> int:
    """Ask the operator's feed for a newer release if a check is due; returns 1 if there is one."""
    return await check_feed(platform)
