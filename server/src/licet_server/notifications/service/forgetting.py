"""Forgets what was told long ago."""

from datetime import timedelta

from licet_server.kit.platform import Platform
from licet_server.notifications.storage import notifications as storage

KEPT_FOR = timedelta(days=180)
AT_A_TIME = 5_000


async def forget(platform: Platform) -> int:
    """Delete old notifications, read or not, in bounded steps; answers how many."""
    total, forgotten = 0, AT_A_TIME
    while forgotten == AT_A_TIME:
        async with platform.database.reading() as db:
            forgotten = await storage.forget(db, platform.clock() - KEPT_FOR, AT_A_TIME)
        total += forgotten
    return total
