"""Deletion of sign-ins that ended long ago, in batches, while the service is running.

Old rows are needed for two reasons. An IP address counts as known if a sign-in was used from it
within `KNOWN_FOR`, so a sign-in is kept for that long, ended or not. And a refresh token that is
used after its rotation ends the whole session, so a rotated one is kept for as long as a legitimate
client may still have it: its cookie expires at most `UNUSED_SESSION_DAYS` after it was set, which
was before the rotation. An older one is refused like an unknown token.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from licet_server.identity.rules.users import UNUSED_SESSION_DAYS
from licet_server.identity.service.throttling import KNOWN_FOR
from licet_server.identity.storage.passkeys import delete_expired_challenges
from licet_server.identity.storage.sessions import delete_rotated_tokens, delete_sign_ins
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform

KEPT_AFTER_END = timedelta(days=30)
BATCH_SIZE = 500
_BATCHES_PER_RUN = 20


async def forget_sign_ins(platform: Platform) -> int:
    """Delete what is no longer needed, up to a limit per run; returns the number of rows.

    Tokens go first, so that few are left to be deleted with their sign-ins. Several processes may
    run this at once: each skips the rows that another one has locked.
    """
    now = platform.clock()
    unused_since, ended_before = now - KNOWN_FOR, now - KEPT_AFTER_END
    rotated_before = now - timedelta(days=UNUSED_SESSION_DAYS)
    tokens, all_gone = await _in_batches(
        platform, lambda db: delete_rotated_tokens(db, rotated_before, BATCH_SIZE)
    )
    if not all_gone:
        return tokens
    challenges, _ = await _in_batches(
        platform, lambda db: delete_expired_challenges(db, now, BATCH_SIZE)
    )
    sign_ins, _ = await _in_batches(
        platform, lambda db: delete_sign_ins(db, unused_since, ended_before, BATCH_SIZE)
    )
    return tokens + challenges + sign_ins


async def _in_batches(
    platform: Platform, delete: Callable[[Connection], Awaitable[int]]
) -> tuple[int, bool]:
    """Delete one batch per transaction; returns the number of rows, and whether none are left."""
    count = 0
    for _ in range(_BATCHES_PER_RUN):
        async with platform.database.transaction() as db:
            deleted = await delete(db)
        count += deleted
        if deleted < BATCH_SIZE:
            return count, True
    return count, False
