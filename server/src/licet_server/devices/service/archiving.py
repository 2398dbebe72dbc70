"""Archiving of old access attempts."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.archives.rules.erasing import Erasure, LineEraser
from licet_server.archives.rules.model import ArchivedRow, ArchiveKind
from licet_server.archives.service.archiving import ArchiveSource, archive_rows
from licet_server.devices.storage import counters
from licet_server.devices.storage.archiving import LINES, delete_attempts, unseen_attempts
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform


async def _fetch(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivedRow]:
    found = await unseen_attempts.fetch(db, institution_id, before, limit)
    return [ArchivedRow((row.license_id, row.id), row.last_seen_at, row.line) for row in found]


async def _remove(db: Connection, institution_id: UUID, rows: Sequence[ArchivedRow]) -> list[str]:
    """Remove attempts under the lock of the counters, as recording and reviewing do."""
    license_ids = {(institution_id, row.key[0]) for row in rows}
    await counters.lock_existing(db, sorted(license_ids))
    gone = await delete_attempts(db, institution_id, [row.key[1] for row in rows])
    unreviewed = Counter(
        (institution_id, row.license_id) for row in gone if row.reviewed_at is None
    )
    await counters.subtract_unreviewed(db, unreviewed)
    return [row.line for row in gone]


def _eraser(erasure: Erasure, _secret: bytes) -> LineEraser:
    return LINES.eraser(erasure.traces.license_ids)


# Few at a time, since denials of the same licenses wait for the counters meanwhile.
ATTEMPTS = ArchiveSource(
    ArchiveKind.ACCESS_ATTEMPTS, 1_000, unseen_attempts.find_due, _fetch, _remove, _eraser
)


async def archive_attempts(platform: Platform) -> int:
    """Archive old access attempts; return how many."""
    return await archive_rows(platform, ATTEMPTS, platform.settings.keep_attempts)
