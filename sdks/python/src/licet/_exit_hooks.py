"""Seats are given back however the process ends, short of being killed.

What it listens to - the end of the interpreter, SIGTERM, a fork - exists once in a process, and so
does the one object here. The application comes first: a handler of its own is never replaced, and
without one the process dies of SIGTERM as it always did, only a moment later.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Protocol

from licet._clock import monotonic

EXIT_TIMEOUT_SECONDS = 3.0
SIGTERM_TIMEOUT_SECONDS = 2.0


class ReleasableSession(Protocol):
    """An open session, to those who end the process."""

    def begin_release(self) -> None:
        """Begin to give the seat back; does not wait where that can be helped."""
        ...

    def finish_release(self, seconds: float) -> None:
        """Wait so long for it."""
        ...

    def abandon(self) -> None:
        """This is a forked child, and the seat is the parent's."""
        ...


def release_all(sessions: Sequence[ReleasableSession], seconds: float) -> None:
    """Leave sessions at the same time, within so many seconds."""
    deadline = monotonic() + seconds
    for session in sessions:
        session.begin_release()
    for session in sessions:
        session.finish_release(max(0.0, deadline - monotonic()))


class OpenSessions:
    """The open sessions of this process.

    It takes no lock, because a signal handler could find it taken by the very thread that it
    interrupted.
    """

    def __init__(self) -> None:
        self._open: dict[int, ReleasableSession] = {}
        self._registered = False

    def add(self, session: ReleasableSession) -> None:
        """See to it that a session is left when the process ends."""
        self._open[id(session)] = session
        if not self._registered:
            self._registered = True
            atexit.register(self.release_open, EXIT_TIMEOUT_SECONDS)
            if hasattr(os, "register_at_fork"):
                os.register_at_fork(after_in_child=self._after_fork)

    def remove(self, session: ReleasableSession) -> None:
        """A session has been left."""
        self._open.pop(id(session), None)
        if not self._open:
            self._unwatch_sigterm()

    def watch_sigterm(self) -> None:
        """Leave at SIGTERM, too, where the application has not said what is to happen then."""
        if _in_main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._on_sigterm)

    def release_open(self, seconds: float) -> None:
        """Leave all sessions at the same time, within so many seconds."""
        release_all(list(self._open.values()), seconds)

    def _unwatch_sigterm(self) -> None:
        if _in_main_thread() and signal.getsignal(signal.SIGTERM) == self._on_sigterm:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def _on_sigterm(self, _number: int, _frame: FrameType | None) -> None:
        # From here on a second SIGTERM is not made to wait.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        self._release_in_thread(SIGTERM_TIMEOUT_SECONDS)
        if os.getpid() == 1:
            # The kernel keeps the first process of a container from dying of it.
            os._exit(128 + signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)

    def _release_in_thread(self, seconds: float) -> None:
        # This thread may have been interrupted with any lock in its hands, so another one does the
        # work, and this one waits for it, but not for ever.
        done = _thread.allocate_lock()
        done.acquire()

        def release() -> None:
            try:
                self.release_open(seconds)
            finally:
                done.release()

        with contextlib.suppress(RuntimeError):  # too late in the process's life for threads
            _thread.start_new_thread(release, ())
            done.acquire(timeout=seconds)

    def _after_fork(self) -> None:
        for session in list(self._open.values()):
            session.abandon()
        self._open.clear()
        self._unwatch_sigterm()


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


OPEN_SESSIONS = OpenSessions()
