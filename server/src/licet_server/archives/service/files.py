"""The files of archives: lines of JSON, compressed with gzip, in the object store."""

import gzip
import hashlib
import io
import zlib
from collections.abc import AsyncIterator, Sequence

from anyio import to_thread

from licet_server.archives.rules import Archive
from licet_server.kit.files import FileChanged, FileKey, FileMissing, Files

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
    await read_content(files, archive)


async def read_content(files: Files, archive: Archive) -> bytes:
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


async def read_lines(files: Files, archive: Archive) -> list[bytes]:
    """Read the rows of an archive, each as a line of JSON.

    Raises:
        ArchiveMissing: when it does not exist.
        ArchiveChanged: when it is another one.
        FilesUnavailable: when the store does not respond.
    """
    return await lines_of(archive, await read_content(files, archive))


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


async def list_objects(files: Files) -> list[tuple[FileKey, str]]:
    """List the objects of all archives, each with its institution and ID.

    Raises:
        FilesUnavailable: when the store does not respond.
    """
    return [item async for item in _area(files).objects()]


async def delete_objects(files: Files, names: Sequence[str]) -> None:
    """Delete objects that were listed.

    Raises:
        FilesUnavailable: when the store does not respond.
    """
    await _area(files).delete_objects(names)


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
