"""A lock on a file: held by one process at a time, let go by the system when that one dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from licet_server.kit.postgres.errors import InUse, PostgresError


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
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor
        return True

    def holder(self) -> str:
        """Who took the lock last, for messages."""
        try:
            return f"process {int(self.path.read_text())}"
        except (OSError, ValueError):
            return "another process"

    def release(self) -> None:
        """Let go; harmless when the lock is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

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
