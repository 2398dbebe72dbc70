"""Gives licenses new keys; the old ones work for as long as asked."""

from datetime import timedelta
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules import transitions
from licet_server.licenses.rules.keys import new_license_key
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.lifecycle import save_change
from licet_server.licenses.service.reading import lock_license
from licet_server.licenses.storage.former_keys import delete_expired_keys, keep_former_key


async def rekey(
    work: UnitOfWork, operator: Operator, license_id: UUID, *, grace_days: int
) -> License:
    """Give a license a new key; the one that it had works for `grace_days` more.

    Everything else stays: devices, sessions, balance and term. Keys that were replaced earlier end
    by then, too, so that a rekey without grace leaves one key that works.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    current = await lock_license(work.db, operator, license_id)
    changed = transitions.rekeyed(current, new_license_key())
    await keep_former_key(work.db, current, work.now + timedelta(days=grace_days))
    return await save_change(
        work, EventKind.LICENSE_REKEYED, before=current, after=changed, reason=None
    )


async def purge_former_keys(platform: Platform) -> int:
    """Delete former keys that no longer work; return how many."""
    async with platform.database.reading() as db:
        return await delete_expired_keys(db, platform.clock())
