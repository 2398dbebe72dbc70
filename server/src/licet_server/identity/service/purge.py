"""Forgets sign-ins that are long over, in batches, while the service goes on.

Two things need old rows. An address counts as known where somebody has used a sign-in from it
within `KNOWN_FOR`, so that a sign-in stays for that long, over or not. And a refresh token that is
used after its rotation ends the whole sign-in, so that a rotated one stays for as long as an honest
client may still hold it: its cookie dies `SESSION_DAYS` after it was set, which was before it was
rotated. Whoever brings an older one is refused like anybody with an unknown token.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from licet_server.identity.rules.people import SESSION_DAYS
from licet_server.identity.service.throttling import KNOWN_FOR
from licet_server.identity.storage.sessions import delete_rotated_tokens, delete_sign_ins
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform

KEPT_WHEN_OVER = timedelta(days=30)
AT_A_TIME = 500
_ROUNDS = 20


async def forget_sign_ins(platform: Platform) -> int:
    """Delete what nothing needs any more, a bounded number a run; answers how many rows.

    Tokens go first, so that few are left to go with their sign-ins. Several may do so at once:
    each skips what another one holds.
    """
    now = platform.clock()
    unused_since, over_since = now - KNOWN_FOR, now - KEPT_WHEN_OVER
    rotated_before = now - timedelta(days=SESSION_DAYS)
    tokens, all_gone = await _in_batches(
        platform, lambda db: delete_rotated_tokens(db, rotated_before, AT_A_TIME)
    )
    if not all_gone:
        return tokens
    sign_ins, _ = await _in_batches(
        platform, lambda db: delete_sign_ins(db, unused_since, over_since, AT_A_TIME)
    )
    return tokens + sign_ins


async def _in_batches(
    platform: Platform, delete: Callable[[Connection], Awaitable[int]]
) -> tuple[int, bool]:
    """How many were deleted, a transaction a batch, and whether that was all."""
    count = 0
    for _ in range(_ROUNDS):
        async with platform.database.transaction() as db:
            deleted = await delete(db)
        count += deleted
        if deleted < AT_A_TIME:
            return count, True
    return count, False
