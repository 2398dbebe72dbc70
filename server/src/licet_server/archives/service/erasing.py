"""Erases people from archives by replacing files, which the audit log records.

A request never reads an archive, so a job does this after the request that erased the person from
the tables. One transaction replaces one archive; the file that it replaces is deleted after that,
and its row remembers it until then. After a crash, the next run goes on.
"""

import asyncio
import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

import msgspec
import structlog
from anyio import to_thread

from licet_server.archives import storage
from licet_server.archives.rules import Archive, ArchiveKind, Eraser, Erasure, LineEraser
from licet_server.archives.service import files
from licet_server.archives.service.archiving import ArchiveSource
from licet_server.archives.service.files import ArchiveChanged, ArchiveMissing
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE, UNREADABLE
from licet_server.events.rules.personal_data import Traces
from licet_server.events.service.recording import record_event
from licet_server.events.service.sealing import fetch_secret
from licet_server.kit.database import Connection
from licet_server.kit.keyring import Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

_log = structlog.get_logger("licet.archives")
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Traces)


async def request_erasure(work: UnitOfWork, institution_id: UUID, traces: Traces) -> None:
    """Queue the erasure of a person from the archives of an institution."""
    erasure = Erasure(institution_id, work.new_id(), traces)
    sealed = _sealed(work.keyring, erasure)
    await storage.insert_erasure(work.db, institution_id, erasure.id, sealed, work.now)


async def list_erasures(platform: Platform) -> list[Erasure]:
    """List the queued erasures, oldest first.

    Raises:
        CannotOpen: when the master key is not the one that encrypted them.
    """
    async with platform.database.reading() as db:
        found = await storage.list_erasures(db)
    return [
        Erasure(institution_id, erasure_id, _opened(platform.keyring, erasure_id, sealed))
        for institution_id, erasure_id, sealed in found
    ]


async def claim_erasure(work: UnitOfWork, erasure: Erasure) -> bool:
    """Lock an erasure until the transaction ends; `False` if another process has, or it is done."""
    return await storage.lock_erasure(work.db, erasure.institution_id, erasure.id)


async def extend_erasure(work: UnitOfWork, erasure: Erasure) -> None:
    """Store further traces that identify the person."""
    sealed = _sealed(work.keyring, erasure)
    await storage.save_traces(work.db, erasure.institution_id, erasure.id, sealed)


async def erase(platform: Platform, erasure: Erasure, sources: Sequence[ArchiveSource]) -> bool:
    """Erase a person from all archives; `False` if another process does, or has done so.

    Raises:
        ArchiveMissing, ArchiveChanged: at the end, if an archive could not be read; the person is
            erased from all others, and the next run tries again.
        FilesUnavailable: when the object store does not respond.
    """
    erasers = {source.kind: source.eraser for source in sources}
    unreadable: ArchiveMissing | ArchiveChanged | None = None
    for archive in await _concerned(platform, erasure):
        began = time.perf_counter()
        try:
            if not await _erase_from(platform, erasure, archive, erasers):
                return False
        except (ArchiveMissing, ArchiveChanged) as fault:
            unreadable = fault
            place = {"institution_id": str(archive.institution_id), "number": archive.number}
            _log.error("archive_unreadable", kind=archive.kind.value, **place)
        # As long again, so that half of the time is for requests.
        await asyncio.sleep(time.perf_counter() - began)
    if unreadable is not None:
        raise unreadable
    async with platform.unit_of_work(Origin()) as work:
        is_mine = await claim_erasure(work, erasure)
        if is_mine:
            await storage.delete_erasure(work.db, erasure.institution_id, erasure.id)
    return is_mine


async def _concerned(platform: Platform, erasure: Erasure) -> list[Archive]:
    """List the archives of the institution, and those with the events of the instance."""
    async with platform.database.reading() as db:
        return [
            *await storage.fetch_archives(db, erasure.institution_id),
            *await storage.fetch_archives(db, INSTANCE, ArchiveKind.EVENTS),
        ]


async def _erase_from(
    platform: Platform,
    erasure: Erasure,
    archive: Archive,
    erasers: Mapping[ArchiveKind, Eraser],
) -> bool:
    place = (archive.institution_id, archive.kind, archive.number)
    async with platform.unit_of_work(Origin()) as work:
        if not await claim_erasure(work, erasure):
            return False
        current = await storage.lock_archive(work.db, *place)
        if current is None:
            return True
        current = await _delete_replaced(platform, work.db, current)
        secret = await fetch_secret(work.db, work.keyring, current.institution_id) or b""
        lines = await files.read_stored_lines(platform.files, current)
        erase_line = erasers[current.kind](erasure, secret)
        left = await to_thread.run_sync(_without, lines, erase_line)
        if left == lines:
            return True
        rewritten = await _replace(platform, work, current, left)
    async with platform.database.transaction() as db:
        await _delete_replaced(platform, db, rewritten)
    return True


def _without(lines: Sequence[bytes], erase_line: LineEraser) -> list[bytes]:
    try:
        return [erase_line(line) for line in lines]
    except UNREADABLE:
        raise ArchiveChanged("A line of an archive is not one that Licet wrote.") from None


async def _replace(
    platform: Platform, work: UnitOfWork, current: Archive, lines: Sequence[bytes]
) -> Archive:
    content = await files.compress([line.decode() for line in lines])
    rewritten = replace(
        current,
        id=work.new_id(),
        size=len(content),
        sha256=hashlib.sha256(content).digest(),
        replaced_id=current.id,
        replaced_size=current.size,
    )
    await files.store(platform.files, rewritten, content)
    await storage.update_archive(work.db, current, rewritten)
    await record_event(
        work,
        EventKind.ARCHIVE_REWRITTEN,
        institution_id=rewritten.institution_id,
        subject_id=rewritten.id,
        data=rewritten.data,
    )
    _log.info("archive_rewritten", **rewritten.data, institution_id=str(rewritten.institution_id))
    return rewritten


async def _delete_replaced(platform: Platform, db: Connection, archive: Archive) -> Archive:
    """Delete the file that an archive has replaced, and record that."""
    if archive.replaced_id is None:
        return archive
    await files.delete_replaced(platform.files, archive)
    done = replace(archive, replaced_id=None, replaced_size=None)
    await storage.update_archive(db, archive, done)
    return done


def _sealed(keyring: Keyring, erasure: Erasure) -> bytes:
    return keyring.seal(_encoder.encode(erasure.traces), _place(erasure.id))


def _opened(keyring: Keyring, erasure_id: UUID, sealed: bytes) -> Traces:
    return _decoder.decode(keyring.open(sealed, _place(erasure_id)))


def _place(erasure_id: UUID) -> str:
    return f"erasures.traces:{erasure_id}"
