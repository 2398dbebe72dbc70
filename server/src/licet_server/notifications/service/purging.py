"""Deletion of old notifications."""

from datetime import timedelta

from licet_server.kit.platform import Platform
from licet_server.notifications.storage import notifications as storage

KEPT_FOR = timedelta(days=180)
DELETED_AT_ONCE = 5_000


async def purge_notifications(platform: Platform) -> int:
    """Delete old notifications, read or unread, in bounded steps; returns how many."""
    total, deleted = 0, DELETED_AT_ONCE
    while deleted == DELETED_AT_ONCE:
        async with platform.database.reading() as db:
            deleted = await storage.delete_notifications(
                db, platform.clock() - KEPT_FOR, DELETED_AT_ONCE
            )
        total += deleted
    return total
