"""What only one copy of the application on this machine does at a time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

from licet._clock import monotonic
from licet._disk import make_folder, open_own
from licet._flow import Flow, Pause
from licet._locks import lock

S = TypeVar("S")

NO_LOCK = -1
"""The handle where nothing can be locked, so that copies are on their own."""


class CopyLock:
    """A lock between copies of the application, and between the threads of each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self) -> int | None:
        """Take the lock if no other copy has it; ``None`` if another one does.

        Returns:
            What :meth:`end` takes.
        """
        handle = None
        try:
            make_folder(self._path.parent)
            handle = open_own(self._path)
            lock(handle)
        except (BlockingIOError, PermissionError):
            if handle is None:
                return NO_LOCK
            os.close(handle)
            return None
        except OSError:
            return NO_LOCK if handle is None else handle
        return handle

    def wait(self, seconds: float, pause: float) -> Flow[int | None]:
        """Take the lock; ``None`` if another copy has had it for so many seconds."""
        ends = monotonic() + seconds
        while (handle := self.begin()) is None and monotonic() < ends:
            yield Pause(pause)
        return handle

    def within(self, flow: Flow[S], seconds: float, pause: float) -> Flow[S]:
        """Run a flow while no other copy does, for which it waits so many seconds at most."""
        handle = yield from self.wait(seconds, pause)
        try:
            return (yield from flow)
        finally:
            self.end(handle)

    def end(self, handle: int | None) -> None:
        """Let other copies have the lock."""
        if handle is not None and handle != NO_LOCK:
            os.close(handle)
