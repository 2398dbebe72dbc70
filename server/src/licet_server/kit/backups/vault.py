"""The objects of backups, sealed under the master key: `backups/SERIES/wal/...` and `.../base/...`.

A seal is bound to the name of its object, so an object that was changed, or exchanged with another,
cannot be opened.
"""

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, BinaryIO

import msgspec

from licet_server.kit.backups.model import (
    BackupChanged,
    BackupError,
    BackupMissing,
    BaseBackup,
    is_segment,
)
from licet_server.kit.files import FileMissing, ListedObject, Objects
from licet_server.kit.keyring import CannotOpen, Keyring

_AREA = "backups"
_MANIFEST = "manifest"


class Vault:
    """The backups in a store. `load_keyring` is called when the keyring is first needed."""

    def __init__(self, objects: Objects, load_keyring: Callable[[], Keyring]) -> None:
        self._objects = objects
        self._load_keyring = load_keyring
        self._keyring: Keyring | None = None

    def require_key(self) -> None:
        """Raise `MasterKeyMissing` as long as there is no master key."""
        self._keys()

    def write_segment(self, series: str, segment: str, content: bytes) -> None:
        """Store a compressed segment of the WAL, and read it back."""
        self._write(f"{_AREA}/{series}/wal/{segment}", content)

    def read_segment(self, series: str, segment: str) -> bytes:
        """Read a compressed segment of the WAL."""
        return self._read(f"{_AREA}/{series}/wal/{segment}")

    def list_segments(self, series: str) -> list[str]:
        """List the segments of a series, oldest first."""
        names = (item.name for item in self._objects.list_below(f"{_AREA}/{series}/wal"))
        return [name for item in names if is_segment(name := item.rpartition("/")[2])]

    def write_part(self, series: str, backup: str, part: str, number: int, content: bytes) -> None:
        """Store a piece of a file of a base backup, and read it back."""
        self._write(f"{_AREA}/{series}/base/{backup}/{part}.{number:06}", content)

    def read_part(self, backup: BaseBackup, part: str, number: int) -> bytes:
        """Read a piece of a file of a base backup."""
        return self._read(f"{_AREA}/{backup.series}/base/{backup.id}/{part}.{number:06}")

    def write_manifest(self, backup: BaseBackup) -> None:
        """Store the manifest of a base backup, with which it is complete."""
        name = f"{_AREA}/{backup.series}/base/{backup.id}/{_MANIFEST}"
        self._write(name, msgspec.json.encode(backup))

    def list_backups(self) -> tuple[list[BaseBackup], list[str]]:
        """List the complete base backups, oldest first, and why others cannot be read."""
        found, unreadable = [], []
        for item in self.list_objects():
            if item.name.endswith(f"/{_MANIFEST}"):
                try:
                    manifest = self._read(item.name)
                except BackupError as error:
                    unreadable.append(str(error))
                    continue
                found.append(msgspec.json.decode(manifest, type=BaseBackup))
        return sorted(found, key=lambda item: item.finished_at), unreadable

    def list_objects(self) -> list[ListedObject]:
        return self._objects.list_below(_AREA)

    def delete(self, names: Sequence[str]) -> None:
        """Delete objects, manifests first: what has none is no backup."""
        self._objects.delete(sorted(names, key=lambda name: not name.endswith(f"/{_MANIFEST}")))

    def _keys(self) -> Keyring:
        if self._keyring is None:
            self._keyring = self._load_keyring()
        return self._keyring

    def _write(self, name: str, content: bytes) -> None:
        self._objects.write(name, self._keys().seal(content, name))
        if self._read(name) != content:
            raise BackupChanged(f"The store does not return what was stored as {name}.")

    def _read(self, name: str) -> bytes:
        try:
            return self._keys().open(self._objects.read(name), name)
        except FileMissing:
            raise BackupMissing(f"{name} is missing in the store of backups.") from None
        except CannotOpen:
            raise BackupChanged(
                f"{name} in the store of backups was changed, or sealed under another master key."
            ) from None


def place_of(name: str) -> tuple[str, str, str]:
    """Return the series of an object, `wal` or `base`, and the segment or backup."""
    _, series, kind, item, *_ = [*name.split("/"), "", "", ""]
    return series, kind, item


_FIRST_LINE = b"licet backup 1\n"
_ID_BYTES = 16
_LENGTH_BYTES = 4
_LONGEST_PIECE = 2 * 1024 * 1024


class _About(msgspec.Struct, frozen=True):
    """The first piece."""

    written_at: datetime


def sealed(keyring: Keyring, now: datetime, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a sealed file with these bytes, in pieces of at most a megabyte."""
    file_id = secrets.token_bytes(_ID_BYTES)
    yield _FIRST_LINE + file_id
    content, number = msgspec.json.encode(_About(now)), 0
    for piece in pieces:
        yield _with_length(keyring.seal(content, _place(file_id, number, is_last=False)))
        content, number = piece, number + 1
    yield _with_length(keyring.seal(content, _place(file_id, number, is_last=True)))


@contextlib.contextmanager
def opened(
    path: Path, load_keyring: Callable[[], Keyring]
) -> Iterator[tuple[BinaryIO, datetime | None]]:
    """Yield the content of a backup file, and when it was written; no time if it is not sealed.

    A sealed file is opened completely before anything is yielded. Its content is then in a
    temporary file without a name.

    Raises:
        BackupError: when it does not exist, is no file, was changed, or is of another master key.
        MasterKeyMissing: when it is sealed, and there is no master key.
    """
    with _regular(path) as file:
        if file.read(len(_FIRST_LINE)) != _FIRST_LINE:
            yield file, None
            return
        keyring = load_keyring()
        with tempfile.TemporaryFile() as content:
            pieces = _pieces(path, keyring, file)
            about = msgspec.json.decode(next(pieces), type=_About)
            content.writelines(pieces)
            content.flush()
            yield content, about.written_at


def _regular(path: Path) -> BinaryIO:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise BackupError(f"The backup {path} does not exist.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BackupError(f"{path} is not a file.")
    return open(descriptor, "rb")  # noqa: PTH123 - a descriptor has no path


def _pieces(path: Path, keyring: Keyring, file: IO[bytes]) -> Iterator[bytes]:
    file_id, number = file.read(_ID_BYTES), 0
    piece = _read_piece(path, file)
    while piece is not None:
        following = _read_piece(path, file)
        try:
            yield keyring.open(piece, _place(file_id, number, is_last=following is None))
        except CannotOpen:
            raise _changed(path) from None
        piece, number = following, number + 1
    if number == 0:
        raise _changed(path)


def _read_piece(path: Path, file: IO[bytes]) -> bytes | None:
    length = file.read(_LENGTH_BYTES)
    if not length:
        return None
    size = int.from_bytes(length)
    piece = b"" if size > _LONGEST_PIECE else file.read(size)
    if len(piece) != size or len(length) != _LENGTH_BYTES:
        raise _changed(path)
    return piece


def _changed(path: Path) -> BackupChanged:
    return BackupChanged(
        f"{path} was changed or cut off, or it is sealed under another master key. Put the master "
        "key of its time in place. Nothing has changed."
    )


def _with_length(piece: bytes) -> bytes:
    return len(piece).to_bytes(_LENGTH_BYTES) + piece


def _place(file_id: bytes, number: int, *, is_last: bool) -> str:
    return f"backup-file:{file_id.hex()}:{number}{':last' if is_last else ''}"
