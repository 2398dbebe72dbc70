"""Backup files, sealed under the master key: who has no key can neither read nor write one.

A file is a first line, a random ID, and pieces, each with its length. The seal of a piece is bound
to the ID, to its number and to whether it is the last, so pieces cannot be changed, exchanged or
cut off. The first piece says when the backup was written.
"""

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, BinaryIO

import msgspec

from licet_server.kit.backups.errors import BackupChanged, BackupError
from licet_server.kit.keyring import CannotOpen, Keyring

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
