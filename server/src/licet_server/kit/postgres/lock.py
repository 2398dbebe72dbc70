"""A file lock: held by one process at a time, and released by the system when it dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from licet_server.kit.postgres.errors import InUse, PostgresError

_READY = "ready"


class FileLock:
    """An exclusive lock. The file stays; only the lock on it has meaning.

    A process that forks without exec shares its lock with the child.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def open(self) -> None:
        """Open the file, so that it can be locked later by a process that has left root.

        Raises:
            PostgresError: when the file belongs to another user.
        """
        if self._descriptor is not None:
            return
        try:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except PermissionError as error:
            raise PostgresError(
                f"{self.path} belongs to another user. Use the account that the service runs as."
            ) from error

    def try_acquire(self) -> bool:
        """Acquire the lock if it is free, and return whether it was acquired."""
        self.open()
        try:
            fcntl.flock(self._opened(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        if not self._is_in_place():
            self.release()
            return False
        self._write(f"{os.getpid()}\n")
        return True

    def announce_ready(self) -> None:
        """Tell waiting processes that the holder is ready; only the holder may call this."""
        self._write(f"{os.getpid()} {_READY}\n")

    def holder_is_ready(self) -> bool:
        """Return whether the last holder announced that it is ready; it may have exited since."""
        return self._read()[1:] == [_READY]

    def holder(self) -> str:
        """Describe the last holder, for messages."""
        words = self._read()
        return f"process {words[0]}" if words else "another process"

    def unlock(self) -> None:
        """Let others acquire the lock, but keep the file open."""
        fcntl.flock(self._opened(), fcntl.LOCK_UN)

    def release(self) -> None:
        """Release the lock and close the file; does nothing if it is not open."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _read(self) -> list[str]:
        try:
            return self.path.read_text(errors="replace").split()
        except OSError:
            return []

    def _opened(self) -> int:
        if self._descriptor is None:
            raise RuntimeError("the lock is used before its file is open")
        return self._descriptor

    def _is_in_place(self) -> bool:
        """Check whether the open file is still the one at the path; no other lock counts."""
        opened = os.fstat(self._opened())
        try:
            found = self.path.stat()
        except OSError:
            return False
        return (opened.st_dev, opened.st_ino) == (found.st_dev, found.st_ino)

    def _write(self, text: str) -> None:
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, text.encode(), 0)

    def __enter__(self) -> Self:
        """Acquire the lock without waiting.

        Raises:
            InUse: when another process holds it.
        """
        if not self.try_acquire():
            self.release()
            raise InUse(f"{self.holder()} holds {self.path}. Stop that process first.")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()
