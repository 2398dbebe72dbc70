"""The journal of reserved credits on disk: what was spent without the server.

A charge is on disk before it is confirmed. What the file says is kept in memory, and only what
other copies of the application have added is read again.
"""

from __future__ import annotations

import contextlib
import os
import threading
from array import array
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO

from licet._amounts import EXACT
from licet._disk import open_to_change, open_to_read, write_own
from licet._forks import watch_forks
from licet._journal_line import JournalLine, Spent, genesis, line_hash, read_line, write_line
from licet._kept_file import unwritable

WHAT = "what was spent of reserved credits is"


class BrokenJournalError(Exception):
    """There is no journal of the lease, or it is not whole; the message says why."""


@dataclass(slots=True)
class _Known:
    """What is known of the file.

    Attributes:
        file: The number of the file, so that another one in its place is noticed.
        size: Where the next line begins.
        starts: Where each line begins.
        numbers: The number of the line by its idempotency key.
    """

    lease_id: str
    file: int
    size: int
    head: str
    spent: Decimal = Decimal(0)
    starts: array[int] = field(default_factory=lambda: array("Q"))
    numbers: dict[str, int] = field(default_factory=dict)


class Journal:
    """The file of a journal. Who adds to it holds the lock between copies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: _Known | None = None
        self.after_fork()
        watch_forks(self)

    def after_fork(self) -> None:
        """The parent's lock may be held by a thread that the child does not have."""
        self._lock = threading.Lock()

    def start(self, lease_id: str) -> None:
        """Begin the journal of a lease, unless there is one already.

        Raises:
            LicenseFileError: It cannot be written.
        """
        first = _first_line(lease_id)
        with contextlib.suppress(BrokenJournalError), self._open() as stream:
            if stream.read(len(first)) == first:
                return
        try:
            write_own(self._path, first)
        except OSError as error:
            raise unwritable(self._path, WHAT, error) from error

    def read(self, lease_id: str) -> Spent:
        """Return what was spent so far.

        Raises:
            BrokenJournalError: There is no journal of this lease, or it is not whole.
        """
        with self._lock:
            known = self._follow(lease_id)
            return Spent(len(known.starts), known.head, known.spent)

    def find(self, lease_id: str, key: str) -> JournalLine | None:
        """Return the charge with an idempotency key; ``None`` if there is none.

        Raises:
            BrokenJournalError: There is no journal of this lease, or it is not whole.
        """
        with self._lock:
            known = self._follow(lease_id)
            number = known.numbers.get(key)
            if number is None:
                return None
            with self._open() as stream:
                stream.seek(known.starts[number - 1])
                return read_line(stream.readline().removesuffix(b"\n"))

    def lines(self, lease_id: str, first: int) -> list[bytes]:
        """Return the lines from a number on.

        Raises:
            BrokenJournalError: There is no journal of this lease, or it is not whole.
        """
        with self._lock:
            known = self._follow(lease_id)
            if first > len(known.starts):
                return []
            start = known.starts[first - 1]
            with self._open() as stream:
                stream.seek(start)
                return stream.read(known.size - start).split(b"\n")[:-1]

    def add(self, lease_id: str, line: JournalLine) -> None:
        """Write a charge to disk, after the last one.

        Raises:
            ValueError: A text of it cannot be written as UTF-8.
            BrokenJournalError: There is no journal of this lease, or it is not whole.
            LicenseFileError: It cannot be written; the charge was not made.
        """
        raw = write_line(line)
        with self._lock:
            known = self._follow(lease_id)
            try:
                self._write(known, raw + b"\n")
            except OSError as error:
                self._known = None
                raise unwritable(self._path, WHAT, error) from error
            self._note(known, line, raw)

    def remove(self, lease_id: str) -> None:
        """Delete the journal, if it is that of this lease."""
        with self._lock, contextlib.suppress(BrokenJournalError, OSError):
            self._follow(lease_id)
            self._path.unlink()
            self._known = None

    def _write(self, known: _Known, raw: bytes) -> None:
        handle = open_to_change(self._path)
        try:
            found = os.fstat(handle)
            if found.st_ino != known.file:
                raise OSError("it was replaced")
            if found.st_size > known.size:  # a charge that was not finished was not confirmed
                os.truncate(handle, known.size)
            os.lseek(handle, known.size, os.SEEK_SET)
            try:
                rest = raw
                while rest:
                    rest = rest[os.write(handle, rest) :]
                os.fsync(handle)
            except OSError:
                with contextlib.suppress(OSError):
                    os.truncate(handle, known.size)
                raise
        finally:
            os.close(handle)

    def _follow(self, lease_id: str) -> _Known:
        """Read what was added since the file was last read."""
        with self._open() as stream:
            found, known = os.fstat(stream.fileno()), self._known
            if known is None or not _continues(known, found, lease_id, stream):
                self._known = None
                known = _begin(stream, found.st_ino, lease_id)
            stream.seek(known.size)
            for raw in stream.read().split(b"\n")[:-1]:
                self._note(known, _next_line(known, raw), raw)
        self._known = known
        return known

    def _note(self, known: _Known, line: JournalLine, raw: bytes) -> None:
        known.starts.append(known.size)
        known.size += len(raw) + 1
        known.head = line_hash(raw)
        known.spent = EXACT.add(known.spent, line.cost)
        known.numbers.setdefault(line.key, line.number)

    def _open(self) -> BinaryIO:
        try:
            return os.fdopen(open_to_read(self._path), "rb")
        except FileNotFoundError as error:
            raise BrokenJournalError(f"{self._path.name} is missing") from error
        except OSError as error:
            raise BrokenJournalError(f"{self._path.name} cannot be read: {error}") from error


def _first_line(lease_id: str) -> bytes:
    return f"{lease_id}\n".encode()


def _continues(known: _Known, found: os.stat_result, lease_id: str, stream: BinaryIO) -> bool:
    """Whether the file is the one that is known, perhaps with more lines."""
    if known.lease_id != lease_id or found.st_ino != known.file or found.st_size < known.size:
        return False
    if not known.starts:
        return stream.read(known.size) == _first_line(lease_id)
    stream.seek(known.starts[-1])
    last = stream.read(known.size - known.starts[-1])
    return last[-1:] == b"\n" and line_hash(last[:-1]) == known.head


def _begin(stream: BinaryIO, file: int, lease_id: str) -> _Known:
    first = _first_line(lease_id)
    stream.seek(0)
    if stream.read(len(first)) != first:
        raise BrokenJournalError("the journal is of another lease")
    return _Known(lease_id, file, len(first), genesis(lease_id))


def _next_line(known: _Known, raw: bytes) -> JournalLine:
    number = len(known.starts) + 1
    try:
        line = read_line(raw)
    except ValueError as error:
        raise BrokenJournalError(f"line {number} of the journal is not whole: {error}") from error
    if line.number != number or line.before != known.head:
        raise BrokenJournalError(f"line {number} of the journal does not follow the one before")
    return line
