"""The check of archived ledgers: each must lead to the opening of the rest of the ledger.

It only reads, and nothing waits for it. An archive that cannot be read counts as empty, so its
entries are missing.
"""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

import msgspec
from anyio import to_thread

from licet_server.archives.rules.model import Archive, ArchiveKind
from licet_server.archives.service import reading
from licet_server.archives.service.files import ArchiveChanged, ArchiveMissing
from licet_server.events.rules.model import UNREADABLE
from licet_server.kit.platform import Platform
from licet_server.metering.rules.archiving import (
    ArchivedEntry,
    ArchivedLedger,
    mismatch_of_archived,
)
from licet_server.metering.rules.reconciling import LedgerMismatch
from licet_server.metering.storage.archiving import fetch_openings, list_opened

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
            *await reading.list_institutions(db, ArchiveKind.LEDGER),
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
        archives = await reading.list_archives(db, institution_id, ArchiveKind.LEDGER)
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
            lines = await reading.read_lines(platform, archive)
            await to_thread.run_sync(_add, ledgers, lines, license_id)
    return ledgers


def _add(
    ledgers: defaultdict[UUID, ArchivedLedger], lines: Sequence[bytes], license_id: UUID | None
) -> None:
    entries = [entry for entry in map(_decoder.decode, lines) if entry.sequence is not None]
    for entry in sorted(entries, key=lambda entry: entry.sequence or 0):
        if license_id in {None, entry.license_id}:
            ledgers[entry.license_id].add(entry)
