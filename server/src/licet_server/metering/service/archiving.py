"""Archiving of old ledger entries."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.archives.rules.erasing import Erasure, LineEraser
from licet_server.archives.rules.model import ROWS_PER_ARCHIVE, ArchivedRow, ArchiveKind
from licet_server.archives.service.archiving import ArchiveSource, archive_rows
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.metering.rules.archiving import archivable, openings_after
from licet_server.metering.storage import archiving as storage


async def _fetch(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivedRow]:
    found = await storage.fetch_old(db, institution_id, before, limit)
    until = before.date()
    return [ArchivedRow((item, until), item.at, item.line) for item in archivable(found)]


async def _remove(db: Connection, institution_id: UUID, rows: Sequence[ArchivedRow]) -> list[str]:
    entries = [row.key[0] for row in rows]
    openings = openings_after(entries, rows[0].key[1])
    await storage.save_openings(db, institution_id, openings.values())
    return await storage.delete_entries(db, institution_id, entries)


def _eraser(erasure: Erasure, _secret: bytes) -> LineEraser:
    return storage.LINES.eraser(erasure.traces.license_ids)


LEDGER = ArchiveSource(
    ArchiveKind.LEDGER, ROWS_PER_ARCHIVE, storage.find_due, _fetch, _remove, _eraser
)


async def delete_orphaned_entries(platform: Platform, institution_ids: Sequence[UUID]) -> int:
    """Delete the entries of institutions that are gone, in bounded steps; return how many."""
    total, deleted = 0, ROWS_PER_ARCHIVE
    while institution_ids and deleted == ROWS_PER_ARCHIVE:
        async with platform.database.transaction() as db:
            deleted = await storage.delete_orphans(db, institution_ids, ROWS_PER_ARCHIVE)
        total += deleted
    return total


async def archive_ledger(platform: Platform) -> int:
    """Archive old entries of ledgers, and refusals of charges; return how many."""
    return await archive_rows(platform, LEDGER, platform.settings.keep_ledger)
