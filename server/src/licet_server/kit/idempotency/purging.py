"""Deletes expired records in the background, so that no request pays for it."""

from licet_server.kit.idempotency.storage import delete_expired
from licet_server.kit.platform import Platform

BATCH_SIZE = 1_000
_BATCHES_PER_RUN = 50


async def purge_idempotency_keys(platform: Platform) -> int:
    """Delete records that are no longer kept, up to a limit per run; returns their number."""
    now, total = platform.clock(), 0
    for _ in range(_BATCHES_PER_RUN):
        async with platform.database.transaction() as db:
            deleted = await delete_expired(db, now, BATCH_SIZE)
        total += deleted
        if deleted < BATCH_SIZE:
            break
    return total
