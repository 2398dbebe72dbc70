"""A lock on a file: held by one process at a time, let go by the system when that one dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from licet_server.kit.postgres.errors import InUse, PostgresError

_READY = "ready"


class FileLock:
    """An exclusive lock. The file stays behind; only the lock on it means anything.

    A process that forks (without starting another program) shares its lock with its child.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock if nobody has it; says whether it was taken."""
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except PermissionError as error:
            raise PostgresError(
                f"{self.path} belongs to another user. Use the account that the service runs as."
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        self._write(f"{os.getpid()}\n")
        return True

    def announce_ready(self) -> None:
        """Tell those who wait for the holder that it is ready for them. For the holder only."""
        self._write(f"{os.getpid()} {_READY}\n")

    def holder_is_ready(self) -> bool:
        """Whether whoever took the lock last has said so; it may be gone since."""
        return self._read()[1:] == [_READY]

    def holder(self) -> str:
        """Who took the lock last, for messages."""
        words = self._read()
        return f"process {words[0]}" if words else "another process"

    def release(self) -> None:
        """Let go; harmless when the lock is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _read(self) -> list[str]:
        try:
            return self.path.read_text(errors="replace").split()
        except OSError:
            return []

    def _write(self, text: str) -> None:
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, text.encode(), 0)

    def __enter__(self) -> Self:
        """Take the lock now.

        Raises:
            InUse: when another process holds it.
        """
        if not self.try_acquire():
            raise InUse(f"{self.holder()} holds {self.path}. Stop it first.")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()
