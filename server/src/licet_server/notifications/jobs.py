"""The background work of notifications."""

from licet_server.kit.platform import Platform
from licet_server.notifications.service import forgetting


async def forget_notifications(platform: Platform) -> int:
    """Delete what was told long ago; answers how many."""
    return await forgetting.forget(platform)
