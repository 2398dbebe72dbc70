"""Deletion of old deliveries."""

from datetime import timedelta

from licet_server.kit.platform import Platform
from licet_server.webhooks.storage.deliveries import delete_settled

KEPT_FOR = timedelta(days=30)


async def purge_deliveries(platform: Platform) -> int:
    """Delete settled deliveries older than 30 days, in bounded steps; returns how many."""
    total, created_before = 0, platform.clock() - KEPT_FOR
    while True:
        async with platform.database.reading() as db:
            deleted = await delete_settled(db, created_before)
        total += deleted
        if not deleted:
            return total
