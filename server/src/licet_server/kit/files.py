"""A store for files of any size, in a folder or a bucket, independent of any feature.

Each file is stored as 8 MiB pieces, each an object that is written completely or not at all. An
interrupted upload is always visible in a listing, memory use stays flat in both directions, and a
slow client never keeps a request to the bucket open.
"""

import asyncio
import hashlib
import os
import stat
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit
from uuid import UUID

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from licet_server.kit.settings import InvalidSetting, Settings


class FileMissing(Exception):
    """No file is stored under the key."""


class FilesUnavailable(Exception):
    """The store does not respond, or is full. The message is for the log."""


class FileChanged(FilesUnavailable):
    """The store has other bytes than those that were stored, or a link in their place."""


_OPTIONS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def read_range(folder: Path, name: str, start: int, length: int | None) -> bytes:
    """Return bytes of a file, fewer if it ends before, and all with no length.

    Raises:
        FileChanged: when it, or a folder on the way, is a link, or it is no regular file.
        FileNotFoundError: when it does not exist.
    """
    require_no_links(folder, name)
    descriptor = os.open(folder / name, _OPTIONS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileChanged(f"{name} in the file store is not a regular file")
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor has no path
        file.seek(start)
        return file.read(-1 if length is None else length)


def require_no_links(folder: Path, name: str) -> None:
    """Check that a file, whether it exists or not, is in the folder and not elsewhere.

    Raises:
        FileChanged: when it, or a folder on the way, is a link.
    """
    for place in (Path(name), *Path(name).parents):
        if place != Path() and (folder / place).is_symlink():
            raise FileChanged(f"{place} in the file store is a link")


@dataclass(frozen=True, slots=True)
class ListedObject:
    """An object that exists: its name, and when it was written by the clock of the store."""

    name: str
    written_at: datetime


class Objects:
    """The objects of a store. `folder` is its location if it is on this machine."""

    def __init__(self, store: ObjectStore, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder

    def write(self, name: str, content: bytes) -> None:
        """Write an object; it survives a power failure when this returns.

        Raises:
            FilesUnavailable: the store does not respond, or is full.
        """
        with _translated_errors():
            if self._folder is not None:
                require_no_links(self._folder, name)
            obstore.put(self._store, name, content, use_multipart=False)
            if self._folder is not None:
                for place in (Path(name), *Path(name).parents):
                    _sync(self._folder / place)

    def read(self, name: str) -> bytes:
        """Return the content of an object.

        Raises:
            FileMissing: it does not exist.
            FilesUnavailable: the store does not respond.
        """
        with _translated_or_missing():
            if self._folder is not None:
                return read_range(self._folder, name, 0, None)
            return bytes(obstore.get(self._store, name).bytes())

    def list_below(self, prefix: str) -> list[ListedObject]:
        """List the objects below a prefix such as `backups`, by name.

        Raises:
            FilesUnavailable: the store does not respond.
        """
        with _translated_errors():
            found = obstore.list(self._store, prefix=prefix).collect()
        listed = [ListedObject(item["path"], item["last_modified"]) for item in found]
        return sorted(listed, key=lambda item: item.name)

    def delete(self, names: Sequence[str]) -> None:
        """Delete objects; those that do not exist are ignored.

        Raises:
            FilesUnavailable: the store does not respond.
        """
        for name in names:
            with _translated_errors():
                try:
                    obstore.delete(self._store, name)
                except FileNotFoundError:
                    continue


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Translate the store's exceptions into this module's."""
    try:
        yield
    except (BaseError, OSError) as error:
        raise FilesUnavailable(str(error).partition("\n")[0]) from None


def _sync(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


STEP_BYTES = 1024 * 1024
_SUM_BYTES = hashlib.sha256().digest_size


class StepSums:
    """Computes the SHA-256 of each megabyte of a file, and of the whole, as its bytes arrive."""

    def __init__(self) -> None:
        self._whole = hashlib.sha256()
        self._step = hashlib.sha256()
        self._filled = 0
        self._sums: list[bytes] = []

    def update(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._whole.update(chunk)
        rest = memoryview(chunk)
        while rest:
            part = rest[: STEP_BYTES - self._filled]
            self._step.update(part)
            self._filled += len(part)
            rest = rest[len(part) :]
            if self._filled == STEP_BYTES:
                self._end_step()

    def whole(self) -> bytes:
        """Return the SHA-256 of all bytes so far."""
        return self._whole.digest()

    def steps(self) -> bytes:
        """Return the checksums of all steps, one after the other; the last step may be shorter."""
        last = [self._step.digest()] if self._filled else []
        return b"".join([*self._sums, *last])

    def _end_step(self) -> None:
        self._sums.append(self._step.digest())
        self._step, self._filled = hashlib.sha256(), 0


def is_step(sums: bytes, number: int, content: bytes) -> bool:
    """Return whether this is the content of a step, counted from 0."""
    expected = sums[number * _SUM_BYTES : (number + 1) * _SUM_BYTES]
    return hashlib.sha256(content).digest() == expected


PIECE_BYTES = 8 * 1024 * 1024

_AT_A_TIME = 1_000
_STAGED = "#"

FileKey = tuple[UUID, UUID]
"""An institution's id, and the id of one of its files."""


class Files:
    """The file store of an instance. `folder` is its location if it is on this machine.

    `area` is what all names begin with, such as `archives/`.
    """

    def __init__(self, store: ObjectStore, folder: Path | None = None, area: str = "") -> None:
        self._store = store
        self._folder = folder
        self._area = area

    def within(self, area: str) -> "Files":
        """Return a part of the store whose files are no files of the store itself."""
        return Files(self._store, self._folder, f"{self._area}{area}/")

    async def write(self, key: FileKey, chunks: AsyncIterable[bytes]) -> int:
        """Store the bytes as they arrive, and return their number.

        When `chunks` raises or the call is cancelled, the pieces stored so far are deleted.

        Raises:
            FilesUnavailable: the store did not accept a piece.
        """
        size = 0
        try:
            async for piece in _pieces(chunks):
                with _translated_errors():
                    name = self._name(key, size // PIECE_BYTES)
                    if self._folder is not None:
                        require_no_links(self._folder, name)
                    await obstore.put_async(self._store, name, piece, use_multipart=False)
                size += len(piece)
            await asyncio.to_thread(self._settle, key, size)
        except BaseException:
            with suppress(FilesUnavailable):
                await asyncio.shield(self.delete(key, size + 1))
            raise
        return size

    async def read(self, key: FileKey, start: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes from `start` (included) to `end` (excluded), at most 1 MiB at a time.

        Raises:
            FileMissing: a piece does not exist.
            FilesUnavailable: the store does not respond.
        """
        while start < end:
            number, offset = divmod(start, PIECE_BYTES)
            step = min(STEP_BYTES, PIECE_BYTES - offset, end - start)
            yield await self._read_range(self._name(key, number), offset, step)
            start += step

    async def read_checked(
        self, key: FileKey, size: int, sums: bytes, start: int, end: int
    ) -> AsyncIterator[bytes]:
        """Yield the bytes of a range of a file of this size, each step after it was compared.

        `sums` are what `StepSums` computed of the whole file.

        Raises:
            FileMissing: a piece does not exist.
            FileChanged: the next bytes are not those that were stored.
            FilesUnavailable: the store does not respond.
        """
        while start < end:
            number = start // STEP_BYTES
            first = number * STEP_BYTES
            [content] = [
                part async for part in self.read(key, first, min(first + STEP_BYTES, size))
            ]
            if not is_step(sums, number, content):
                name = self._name(key, first // PIECE_BYTES)
                raise FileChanged(f"{name} in the file store is not what was stored")
            yield content[start - first : end - first]
            start = first + STEP_BYTES

    async def _read_range(self, name: str, offset: int, length: int) -> bytes:
        with _translated_or_missing():
            if self._folder is not None:
                data = await asyncio.to_thread(read_range, self._folder, name, offset, length)
            else:
                data = bytes(
                    await obstore.get_range_async(self._store, name, start=offset, length=length)
                )
        if len(data) != length:
            raise FileChanged(f"{name} in the file store is shorter than what was stored")
        return data

    async def delete(self, key: FileKey, size: int) -> None:
        """Delete a file of this size; pieces that do not exist are ignored.

        Raises:
            FilesUnavailable: the store does not respond.
        """
        await self.delete_objects([self._name(key, number) for number in range(_count(size))])

    async def delete_objects(self, names: Sequence[str]) -> None:
        """Delete objects that `objects` listed; objects that no longer exist are ignored.

        Raises:
            FilesUnavailable: the store does not respond.
        """
        for first in range(0, len(names), _AT_A_TIME):
            await self._delete(names[first : first + _AT_A_TIME])

    async def objects(self) -> AsyncIterator[tuple[FileKey, str]]:
        """Yield every object with the key of its file, including those a crash left unfinished.

        Objects that do not belong to this store are skipped.

        Raises:
            FilesUnavailable: the store does not respond.
        """
        for name in await asyncio.to_thread(lambda: list(self._staged())):
            if (key := self._key(name)) is not None:
                yield key, name
        listing = obstore.list(self._store, prefix=self._area or None, chunk_size=_AT_A_TIME)
        while True:
            with _translated_errors():
                batch = await anext(aiter(listing), None)
            if batch is None:
                return
            for item in batch:
                if (key := self._key(item["path"])) is not None:
                    yield key, item["path"]

    def _name(self, key: FileKey, number: int) -> str:
        institution_id, file_id = key
        return f"{self._area}{institution_id}/{file_id}.{number:06}"

    def _key(self, name: str) -> FileKey | None:
        folder, _, rest = name.removeprefix(self._area).partition("/")
        try:
            return UUID(folder), UUID(rest.partition(".")[0])
        except ValueError:
            return None

    def _staged(self) -> Iterator[str]:
        """List files whose writer died before finishing; the store's own listing omits them."""
        if self._folder is not None:
            for path in self._folder.glob(f"{self._area}*/*{_STAGED}*"):
                yield str(path.relative_to(self._folder))

    def _settle(self, key: FileKey, size: int) -> None:
        """Flush a folder's pieces to disk; a bucket has done so once it accepts them."""
        if self._folder is not None and size:
            with _translated_errors():
                pieces = [self._folder / self._name(key, number) for number in range(_count(size))]
                for place in (*pieces, *pieces[0].relative_to(self._folder).parents):
                    _sync(self._folder / place)

    async def _delete(self, names: Sequence[str]) -> None:
        objects = [name for name in names if _STAGED not in name]
        try:
            with _translated_or_missing():
                if objects:
                    await obstore.delete_async(self._store, objects)
        except FileMissing:
            for name in objects:
                with suppress(FileMissing), _translated_or_missing():
                    await obstore.delete_async(self._store, name)
        for name in set(names) - set(objects):
            if self._folder is not None:
                (self._folder / name).unlink(missing_ok=True)


async def _pieces(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Regroup the bytes into pieces of equal size; only the last may be smaller."""
    waiting: list[bytes] = []
    held = 0
    async for chunk in chunks:
        start = 0
        while len(chunk) - start + held >= PIECE_BYTES:
            end = start + PIECE_BYTES - held
            yield b"".join([*waiting, chunk[start:end]])
            waiting, held, start = [], 0, end
        if start < len(chunk):
            waiting.append(chunk[start:])
            held += len(chunk) - start
    if held:
        yield b"".join(waiting)


def _count(size: int) -> int:
    return -(-size // PIECE_BYTES)


@contextmanager
def _translated_or_missing() -> Iterator[None]:
    """Translate the store's exceptions; an object that does not exist is `FileMissing`."""
    with _translated_errors():
        try:
            yield
        except FileNotFoundError as error:
            raise FileMissing(str(error).partition("\n")[0]) from None


_REQUEST_TIMEOUT = timedelta(seconds=60)


def open_files(settings: Settings) -> Files:
    """Open the configured file store, by default the folder `files` in the data folder.

    A bucket is not contacted until it is needed, so the service starts while it is unreachable.

    Raises:
        InvalidSetting: when the folder cannot be created, or the URL lacks an account.
    """
    url = settings.storage_url
    if url is None:
        return Files(*_folder("LICET_STORAGE_URL", settings.data_dir / "files"))
    return Files(*_opened("LICET_STORAGE_URL", url, settings))


def open_objects(settings: Settings, url: str) -> Objects:
    """Open the store of backups, at the URL of the settings.

    A bucket is not contacted until it is needed.

    Raises:
        InvalidSetting: when the folder cannot be created, or the URL lacks an account.
    """
    return Objects(*_opened("LICET_BACKUP_URL", url, settings))


def _opened(setting: str, url: str, settings: Settings) -> tuple[ObjectStore, Path | None]:
    if url.startswith("file:"):
        return _folder(setting, Path(unquote(urlsplit(url).path)))
    options = {"allow_http": settings.storage_over_http, "timeout": _REQUEST_TIMEOUT}
    try:
        store = from_url(url, client_options=options)  # type: ignore[call-overload]
    except (BaseError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InvalidSetting(setting, f"names a store that cannot be opened ({reason}).") from None
    return store, None


def _folder(setting: str, place: Path) -> tuple[ObjectStore, Path]:
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return LocalStore(place.resolve()), place.resolve()
    except (OSError, BaseError) as error:
        reason = str(error).partition("\n")[0]
        raise InvalidSetting(setting, f"names a folder that cannot be used ({reason}).") from None
