"""Archiving of old ledger entries."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

import msgspec
from anyio import to_thread

from licet_server.archives.rules import (
    ROWS_PER_ARCHIVE,
    Archive,
    ArchivedRow,
    ArchiveKind,
    Erasure,
    LineEraser,
)
from licet_server.archives.service import files
from licet_server.archives.service.archiving import ArchiveSource, archive_rows
from licet_server.archives.service.files import ArchiveChanged, ArchiveMissing
from licet_server.events.rules.model import UNREADABLE
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.metering.rules.archiving import (
    ArchivedEntry,
    ArchivedLedger,
    archivable,
    mismatch_of_archived,
    openings_after,
)
from licet_server.metering.rules.reconciling import LedgerMismatch
from licet_server.metering.storage import archiving as storage
from licet_server.metering.storage.archiving import fetch_openings, list_opened


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


_decoder = msgspec.json.Decoder(ArchivedEntry)


async def reconcile_archives(
    platform: Platform, license_id: UUID | None = None
) -> list[LedgerMismatch]:
    """Check the archived entries of every wallet, or of that of one license.

    Raises:
        FilesUnavailable: when the object store does not respond.
    """
    async with platform.database.reading() as db:
        institution_ids = {
            *await files.list_institutions(db, ArchiveKind.LEDGER),
            *await list_opened(db, license_id),
        }
    return [
        mismatch
        for institution_id in sorted(institution_ids)
        for mismatch in await _check(platform, institution_id, license_id)
    ]


async def _check(
    platform: Platform, institution_id: UUID, license_id: UUID | None
) -> list[LedgerMismatch]:
    async with platform.database.snapshot() as db:
        openings = await fetch_openings(db, institution_id, license_id)
        archives = await files.list_archives(db, institution_id, ArchiveKind.LEDGER)
    if license_id is not None and not openings:
        return []
    ledgers = await _read(platform, archives, license_id)
    found = [
        mismatch_of_archived(institution_id, key, ledgers[key], openings.get(key))
        for key in sorted({*ledgers, *openings})
    ]
    return [item for item in found if item is not None]


async def _read(
    platform: Platform, archives: Sequence[Archive], license_id: UUID | None
) -> defaultdict[UUID, ArchivedLedger]:
    ledgers: defaultdict[UUID, ArchivedLedger] = defaultdict(ArchivedLedger)
    for archive in archives:
        with suppress(ArchiveMissing, ArchiveChanged, *UNREADABLE):
            lines = await files.read_lines(platform, archive)
            await to_thread.run_sync(_add, ledgers, lines, license_id)
    return ledgers


def _add(
    ledgers: defaultdict[UUID, ArchivedLedger], lines: Sequence[bytes], license_id: UUID | None
) -> None:
    entries = [entry for entry in map(_decoder.decode, lines) if entry.sequence is not None]
    for entry in sorted(entries, key=lambda entry: entry.sequence or 0):
        if license_id in {None, entry.license_id}:
            ledgers[entry.license_id].add(entry)
