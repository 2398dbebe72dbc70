"""The background work of notifications."""

from licet_server.kit.platform import Platform
from licet_server.notifications.service import purging


async def purge_notifications(platform: Platform) -> int:
    """Delete old notifications; returns how many."""
    return await purging.purge_notifications(platform)
