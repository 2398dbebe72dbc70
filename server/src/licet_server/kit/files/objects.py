"""Objects by name, for background threads: each is written completely or not at all."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore


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
        with _translated_errors():
            try:
                if self._folder is not None:
                    return read_range(self._folder, name, 0, None)
                return bytes(obstore.get(self._store, name).bytes())
            except FileNotFoundError as error:
                raise FileMissing(str(error).partition("\n")[0]) from None

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
