"""Archives: lines of JSON, compressed with gzip, in files of the object store.

An archive that was listed may have been rewritten since then. Its rows are then those of the new
file.
"""

import gzip
import hashlib
import io
import zlib
from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from anyio import to_thread

from licet_server.archives import storage
from licet_server.archives.rules import EVIDENCE, Archive, ArchiveKind
from licet_server.kit.database import Connection
from licet_server.kit.files import FileChanged, FileMissing, Files
from licet_server.kit.platform import Platform

_LEVEL = 6
MOST_BYTES = 1024**3
"""No archive is larger when it is unpacked."""


class ArchiveMissing(Exception):
    """The file of an archive does not exist."""


class ArchiveChanged(Exception):
    """The file of an archive is not the one that was stored."""


async def compress(lines: Sequence[str]) -> bytes:
    """Return the content of an archive with these lines."""
    return await to_thread.run_sync(_compressed, lines)


async def store(files: Files, archive: Archive, content: bytes) -> None:
    """Store the file of an archive, and read it back.

    Raises:
        ArchiveChanged, ArchiveMissing: when the store does not return what was stored.
        FilesUnavailable: when it does not respond, or is full.
    """
    await _area(files).write((archive.institution_id, archive.id), _once(content))
    await read_stored_content(files, archive)


async def read_stored_content(files: Files, archive: Archive) -> bytes:
    """Read the compressed file of an archive.

    Raises:
        ArchiveMissing: when it does not exist.
        ArchiveChanged: when it is another one.
        FilesUnavailable: when the store does not respond.
    """
    key = (archive.institution_id, archive.id)
    content = b""
    try:
        if archive.size <= MOST_BYTES:
            content = b"".join([part async for part in _area(files).read(key, 0, archive.size)])
    except FileMissing:
        raise ArchiveMissing(f"The file of {_named(archive)} does not exist.") from None
    except FileChanged:
        content = b""
    if hashlib.sha256(content).digest() != archive.sha256:
        raise ArchiveChanged(f"The file of {_named(archive)} is not the one that was stored.")
    return content


async def read_stored_lines(files: Files, archive: Archive) -> list[bytes]:
    """Read the rows of an archive, each as a line of JSON.

    Raises:
        ArchiveMissing: when it does not exist.
        ArchiveChanged: when it is another one.
        FilesUnavailable: when the store does not respond.
    """
    return await lines_of(archive, await read_stored_content(files, archive))


async def lines_of(archive: Archive, content: bytes) -> list[bytes]:
    """Return the lines in the content of an archive.

    Raises:
        ArchiveChanged: when it is no content that the service wrote, whatever its row says.
    """
    try:
        unpacked = await to_thread.run_sync(_unpacked, content)
    except (OSError, EOFError, zlib.error):
        unpacked = None
    if unpacked is None or unpacked.count(b"\n") != archive.rows:
        raise ArchiveChanged(f"The file of {_named(archive)} is not one that Licet wrote.")
    return unpacked.splitlines()


async def delete(files: Files, archive: Archive) -> None:
    """Delete the file of an archive, if it exists.

    Raises:
        FilesUnavailable: when the store does not respond.
    """
    await _area(files).delete((archive.institution_id, archive.id), archive.size)


async def delete_replaced(files: Files, archive: Archive) -> None:
    """Delete the file that an archive has replaced, if that is still to be done.

    Raises:
        FilesUnavailable: when the store does not respond.
    """
    if archive.replaced_id is not None and archive.replaced_size is not None:
        key = (archive.institution_id, archive.replaced_id)
        await _area(files).delete(key, archive.replaced_size)


def _named(archive: Archive) -> str:
    return f"archive {archive.number} of {archive.kind} of institution {archive.institution_id}"


def _area(files: Files) -> Files:
    return files.within("archives")


def _compressed(lines: Sequence[str]) -> bytes:
    content = "\n".join([*lines, ""]).encode()
    return gzip.compress(content, _LEVEL, mtime=0)


def _unpacked(content: bytes) -> bytes | None:
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        unpacked = file.read(MOST_BYTES + 1)
    return unpacked if len(unpacked) <= MOST_BYTES else None


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def list_archives(
    db: Connection, institution_id: UUID, kind: ArchiveKind | None = None
) -> list[Archive]:
    """List the archives of an institution, by kind and number."""
    return await storage.fetch_archives(db, institution_id, kind)


async def list_institutions(db: Connection, *kinds: ArchiveKind) -> list[UUID]:
    """List the institutions that have archives, of these kinds if any are given."""
    return sorted(await storage.find_institutions(db, kinds or tuple(ArchiveKind)))


async def find_next(db: Connection, institution_id: UUID, after: int) -> Archive | None:
    """Find the archive with the first events after a place in the audit log."""
    return await storage.find_next(db, institution_id, after)


async def read_content(platform: Platform, archive: Archive) -> bytes:
    """Read the compressed file of an archive.

    Raises:
        ArchiveMissing, ArchiveChanged, FilesUnavailable: when its file cannot be read.
    """
    while True:
        try:
            return await read_stored_content(platform.files, archive)
        except ArchiveMissing:
            place = (archive.institution_id, archive.kind, archive.number)
            async with platform.database.reading() as db:
                current = await storage.fetch_archive(db, *place)
            if current is None or current.id == archive.id:
                raise
            archive = current


async def read_lines(platform: Platform, archive: Archive) -> list[bytes]:
    """Read the rows of an archive, each as a line of JSON.

    Raises:
        ArchiveMissing, ArchiveChanged, FilesUnavailable: when its file cannot be read.
    """
    return await lines_of(archive, await read_content(platform, archive))


async def verify_archives(platform: Platform) -> AsyncIterator[str]:
    """Yield a line for each archive that is missing or changed, and each object without one.

    Raises:
        FilesUnavailable: when the object store does not respond.
    """
    async with platform.database.reading() as db:
        institution_ids = await list_institutions(db)
    for institution_id in institution_ids:
        async with platform.database.reading() as db:
            found = await list_archives(db, institution_id)
        for archive in found:
            name = f"archives/{institution_id}/{archive.id} {archive.kind} {archive.number}"
            try:
                await read_lines(platform, archive)
            except ArchiveMissing:
                yield f"missing {name}"
            except ArchiveChanged:
                yield f"changed {name}"
    for name in await list_unknown(platform):
        yield f"extra {name}"


async def list_unknown(platform: Platform) -> list[str]:
    """List the objects in the area of archives that no archive refers to.

    A crash while an archive was being stored leaves one; so does a backup that was restored.

    Raises:
        FilesUnavailable: when the object store does not respond.
    """
    objects = [item async for item in _area(platform.files).objects()]
    async with platform.database.reading() as db:
        known = {
            (item.institution_id, item.id)
            for institution_id in await list_institutions(db)
            for item in await storage.fetch_archives(db, institution_id)
        }
    return [name for key, name in objects if key not in known]


async def delete_unknown(platform: Platform, names: Sequence[str]) -> None:
    """Delete objects that `list_unknown` returned.

    Raises:
        FilesUnavailable: when the object store does not respond.
    """
    await _area(platform.files).delete_objects(names)


async def delete_orphans(platform: Platform, gone: Sequence[UUID]) -> int:
    """Delete the archives of institutions that are gone, except for their events.

    Returns how many were deleted.
    """
    async with platform.database.reading() as db:
        found = [
            item
            for institution_id in gone
            for item in await storage.fetch_archives(db, institution_id)
            if item.kind not in EVIDENCE
        ]
    for item in found:
        await delete(platform.files, item)
        await delete_replaced(platform.files, item)
    async with platform.database.transaction() as db:
        await storage.delete_archives(db, found)
    return len(found)
