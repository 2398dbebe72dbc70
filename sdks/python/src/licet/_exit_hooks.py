"""Release seats at process exit, unless the process is killed.

There is one registry per process, hooked into interpreter exit, SIGTERM, SIGHUP and fork. The
application's own signal handlers are never replaced; without one, the process still dies of the
signal, after the seats have been released.
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
from licet._forks import watch_forks

# SIGHUP, which Windows does not have, comes when a terminal is closed.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
EXIT_TIMEOUT_SECONDS = 3.0
SIGNAL_TIMEOUT_SECONDS = 2.0


class ReleasableSession(Protocol):
    """An open session as seen by the exit hooks."""

    def begin_release(self) -> None:
        """Start releasing the seat, if possible without blocking."""
        ...

    def finish_release(self, seconds: float) -> None:
        """Wait for the release, for at most this many seconds."""
        ...

    def abandon(self) -> None:
        """Drop the session in a forked child, because the seat belongs to the parent."""
        ...


def release_all(sessions: Sequence[ReleasableSession], seconds: float) -> None:
    """Release sessions concurrently, within this many seconds."""
    deadline = monotonic() + seconds
    for session in sessions:
        session.begin_release()
    for session in sessions:
        session.finish_release(max(0.0, deadline - monotonic()))


class SessionRegistry:
    """The open sessions of this process.

    Uses no lock: a signal handler could interrupt the thread that holds it and deadlock.
    """

    def __init__(self) -> None:
        self._open: dict[int, ReleasableSession] = {}
        self._registered = False

    def add(self, session: ReleasableSession) -> None:
        """Release this session when the process ends."""
        self._open[id(session)] = session
        if not self._registered:
            self._registered = True
            atexit.register(self.release_open, EXIT_TIMEOUT_SECONDS)
            watch_forks(self)

    def remove(self, session: ReleasableSession) -> None:
        """Forget a session that has been released."""
        self._open.pop(id(session), None)
        if not self._open:
            self._unwatch_signals()

    def watch_signals(self) -> None:
        """Also release sessions at SIGTERM and SIGHUP, unless the application handles them."""
        if _in_main_thread():
            for number in SIGNALS:
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, self._on_signal)

    def release_open(self, seconds: float) -> None:
        """Release all open sessions concurrently, within this many seconds."""
        release_all(list(self._open.values()), seconds)

    def _unwatch_signals(self) -> None:
        if _in_main_thread():
            for number in SIGNALS:
                if signal.getsignal(number) == self._on_signal:
                    signal.signal(number, signal.SIG_DFL)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        # A second signal ends the process at once.
        self._unwatch_signals()
        self._release_in_thread(SIGNAL_TIMEOUT_SECONDS)
        if os.getpid() == 1:
            # The kernel does not let the first process of a container die of a signal.
            os._exit(128 + number)
        os.kill(os.getpid(), number)

    def _release_in_thread(self, seconds: float) -> None:
        # The interrupted thread may hold any lock, so another thread does the work and this one
        # waits for it, with a timeout.
        done = _thread.allocate_lock()
        done.acquire()

        def release() -> None:
            try:
                self.release_open(seconds)
            finally:
                done.release()

        # At interpreter shutdown no new threads can be started.
        with contextlib.suppress(RuntimeError):
            _thread.start_new_thread(release, ())
            done.acquire(timeout=seconds)

    def after_fork(self) -> None:
        """Abandon the parent's sessions."""
        for session in list(self._open.values()):
            session.abandon()
        self._open.clear()
        self._unwatch_signals()


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


OPEN_SESSIONS = SessionRegistry()
