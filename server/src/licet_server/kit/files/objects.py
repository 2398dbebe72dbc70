"""Objects by name, for background threads: each is written completely or not at all."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore

from licet_server.kit.files.errors import FileMissing, FilesUnavailable
from licet_server.kit.files.folder import read_range, require_no_links


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
