"""Finds, reads and verifies archives.

An archive that was listed may have been rewritten since then. Its rows are then those of the new
file.
"""

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from licet_server.archives import storage
from licet_server.archives.rules import EVIDENCE, Archive, ArchiveKind
from licet_server.archives.service import files
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform


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
            return await files.read_content(platform.files, archive)
        except files.ArchiveMissing:
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
    return await files.lines_of(archive, await read_content(platform, archive))


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
            except files.ArchiveMissing:
                yield f"missing {name}"
            except files.ArchiveChanged:
                yield f"changed {name}"
    for name in await list_unknown(platform):
        yield f"extra {name}"


async def list_unknown(platform: Platform) -> list[str]:
    """List the objects in the area of archives that no archive refers to.

    A crash while an archive was being stored leaves one; so does a backup that was restored.

    Raises:
        FilesUnavailable: when the object store does not respond.
    """
    objects = await files.list_objects(platform.files)
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
    await files.delete_objects(platform.files, names)


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
        await files.delete(platform.files, item)
        await files.delete_replaced(platform.files, item)
    async with platform.database.transaction() as db:
        await storage.delete_archives(db, found)
    return len(found)
