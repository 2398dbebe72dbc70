"""The synchronous live session, with heartbeats in a daemon thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self

from licet._borrowing import BorrowedSeat, borrow
from licet._core import LicenseCore
from licet._exit_hooks import OPEN_SESSIONS, release_all
from licet._flow import Done, Pause, run, step
from licet._heartbeat import Lost, Regained
from licet._lease_calls import run_alone
from licet._session_lifecycle import (
    CLOSE_TIMEOUT_SECONDS,
    Notify,
    SessionInfo,
    SessionState,
    as_licet_error,
    disconnect_session,
    keep_alive,
    log_line,
    open_session,
)
from licet._session_options import SessionOptions
from licet._transport import Transport

_log = logging.getLogger("licet")


class Session(SessionInfo):
    """A seat held while the session is open; see :meth:`licet.LicenseClient.session`.

    >>> with floating.session(on_lost=print) as session:
    ...     session.alive, session.seats_used, session.seats_total
    (True, 1, 2)
    >>> session.alive
    False

    Use it in a ``with`` statement, or call ``open()`` and ``close()``. A closed session may be
    opened again. The session belongs to the process that opened it: in a forked child it is not
    alive, and closing it does nothing.
    """

    def __init__(
        self, core: LicenseCore, connect: Callable[[], Transport], options: SessionOptions
    ) -> None:
        self._core, self._connect, self._options = core, connect, options
        self._open_lock = threading.Lock()
        self._worker: _HeartbeatThread | None = None

    def open(self) -> Self:
        """Claim a seat and start heartbeats. Does nothing if the session is open.

        Raises:
            ConfigurationError: No server or no license key is set.
            RequestRefusedError: The server refused, for the reason named by the subclass, for
                example :class:`licet.SeatsExhaustedError`.
            NetworkError: The server did not respond.
            ServerFaultError: The server responded with an error.
        """
        with self._open_lock:
            if self._worker is None and self._lease is None:
                self._worker = self._start()
                self._is_borrowed = self._worker is None
        return self

    def _start(self) -> _HeartbeatThread | None:
        # A separate connection, so that the application's requests and closing the client do not
        # interfere with heartbeats.
        transport = self._connect()
        try:
            state = run(open_session(self._core, self._options), transport)
        except BaseException:
            transport.close()
            raise
        if state is None:
            transport.close()
            return None
        self._state = state
        try:
            worker = _HeartbeatThread(self, self._state, transport)
            worker.start()
        except BaseException:
            transport.close()
            self._state.instance.release()
            raise
        OPEN_SESSIONS.add(worker)
        if self._core.config.handle_sigterm:
            OPEN_SESSIONS.watch_signals()
        return worker

    def borrow(self, days: int = 14) -> BorrowedSeat:
        """Borrow the seat of this session: for so many days it is held without the server.

        The session sends no more heartbeats, and closing it gives nothing back. A later start finds
        the seat, with or without a network, until it ends or is returned.

        Args:
            days: 1 to 366; the license says how many are allowed.

        Raises:
            ValueError: The days are out of range; nothing was sent.
            SessionLostError: The session is not open.
            LeaseRefusedError: The license lends no seat now, or not for so long, or this device has
                borrowed one.
            LicenseFileError: It cannot be written to disk.
            NetworkError: The server did not respond. The next call finishes what was begun.
            ServerFaultError: The server responded with an error.
        """
        session_id, instance_id = self._lent()
        lease = run_alone(borrow(self._core, days, session_id, instance_id), self._connect)
        if self._state is not None:
            self._state.borrowed = self._core.leases.read().session_id == session_id
        self.close()
        self._is_borrowed = True
        return BorrowedSeat(self._core, self._connect, lease)

    def close(self) -> None:
        """Release the seat. Takes a few seconds at most, raises nothing, and may be repeated.

        A borrowed seat stays borrowed.
        """
        close_all([self])

    def _detach(self) -> _HeartbeatThread | None:
        self._is_borrowed = False
        worker, self._worker = self._worker, None
        return worker

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def close_all(sessions: Iterable[Session]) -> None:
    """Close sessions concurrently."""
    detached = [session._detach() for session in sessions]
    workers = [worker for worker in detached if worker is not None]
    release_all(workers, CLOSE_TIMEOUT_SECONDS)
    for worker in workers:
        OPEN_SESSIONS.remove(worker)


class _HeartbeatThread:
    """The thread that makes all calls of one session; it releases the seat before it ends."""

    def __init__(self, session: Session, state: SessionState, transport: Transport) -> None:
        self._session, self._state, self._transport = session, state, transport
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="licet-session", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def begin_release(self) -> None:
        self._state.closed = True
        self._stop.set()

    def finish_release(self, seconds: float) -> None:
        # If a callback closes its own session, the thread ends after the callback returns.
        if self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def abandon(self) -> None:
        self._state.abandon()
        self._stop = threading.Event()
        self._stop.set()

    def _run(self) -> None:
        try:
            self._send_heartbeats()
            if not self._state.forked:
                run(disconnect_session(self._state), self._transport)
        except Exception:  # noqa: BLE001 - nothing else reports errors of this thread
            _log.exception("the session ended because of an internal error")
        finally:
            self._state.closed = True
            self._state.instance.release()
            self._transport.close()

    def _send_heartbeats(self) -> None:
        flow, outcome = keep_alive(self._state), None
        while True:
            effect = step(flow, outcome)
            if self._stop.is_set() or isinstance(effect, Done):
                return
            outcome = self._perform(effect)

    def _perform(self, effect: Any) -> Any:
        if isinstance(effect, Pause):
            self._stop.wait(effect.seconds)
        elif isinstance(effect, Notify):
            self._notify(effect.event)
        else:
            try:
                return self._transport.send(effect)
            except Exception as error:  # noqa: BLE001 - the application may supply the transport
                return as_licet_error(error)
        return None

    def _notify(self, event: Lost | Regained) -> None:
        _log.warning("%s", log_line(event))
        options = self._state.options
        try:
            if isinstance(event, Lost) and options.on_lost is not None:
                options.on_lost(event.error)
            elif isinstance(event, Regained) and options.on_regained is not None:
                options.on_regained(self._session)
        except (Exception, SystemExit):  # noqa: BLE001 - a failing callback must not end the session
            _log.exception("a session callback raised an exception")
