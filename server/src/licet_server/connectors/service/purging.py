"""Deletes the payloads of old events; their facts are kept."""

from datetime import timedelta

from licet_server.connectors.storage import inbox
from licet_server.kit.platform import Platform

BODIES_KEPT = timedelta(days=90)


async def purge_bodies(platform: Platform) -> int:
    """Delete the payloads of events that are older than 90 days; return how many."""
    async with platform.database.reading() as db:
        return await inbox.delete_bodies_before(db, platform.clock() - BODIES_KEPT)
