"""A live session for threads: its heart beats in a daemon thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self

from licet._core import LicenseCore
from licet._exit_hooks import OPEN_SESSIONS, release_all
from licet._flow import Done, Pause, run, step
from licet._heartbeat import Lost, Regained
from licet._session_lifecycle import (
    CLOSE_TIMEOUT_SECONDS,
    Notify,
    OpenSession,
    SessionInfo,
    SessionOptions,
    as_licet_error,
    connect_session,
    disconnect_session,
    keep_alive,
    log_line,
    prepare,
)
from licet._transport import Transport

_log = logging.getLogger("licet")


class Session(SessionInfo):
    """A seat that is held as long as the session is open; see :meth:`licet.LicenseClient.session`.

    Use it in a ``with`` statement, or open and close it. It may be opened again after it was
    closed. A forked child has no part in it: there it is not alive, and closing it does nothing.
    """

    def __init__(
        self, core: LicenseCore, connect: Callable[[], Transport], options: SessionOptions
    ) -> None:
        self._core, self._connect, self._options = core, connect, options
        self._open_lock = threading.Lock()
        self._worker: _HeartbeatThread | None = None

    def open(self) -> Self:
        """Take a seat and begin to keep it. Does nothing while the session is open.

        Raises:
            ConfigurationError: No server or no license key is set.
            RequestRefusedError: The server gives no seat; the type says why, for example
                :class:`licet.SeatsExhaustedError`.
            NetworkError: No answer.
            ServerFaultError: An answer that is a fault.
        """
        with self._open_lock:
            if self._worker is None:
                self._worker = self._start()
        return self

    def _start(self) -> _HeartbeatThread:
        calls, instance = prepare(self._core, self._options)
        # A connection of its own, so that neither the application's requests nor its closing of
        # the client get into the way of a heartbeat.
        transport = self._connect()
        try:
            heartbeat = run(connect_session(calls), transport)
            self._open_session = OpenSession(calls, heartbeat, instance, self._options)
            worker = _HeartbeatThread(self, self._open_session, transport)
            worker.start()
        except BaseException:
            transport.close()
            instance.release()
            raise
        OPEN_SESSIONS.add(worker)
        if self._core.config.handle_sigterm:
            OPEN_SESSIONS.watch_sigterm()
        return worker

    def close(self) -> None:
        """Give the seat back. Takes a few seconds at most, raises nothing, and may be repeated."""
        close_all([self])

    def _detach(self) -> _HeartbeatThread | None:
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
    """Close sessions at the same time."""
    detached = [session._detach() for session in sessions]
    workers = [worker for worker in detached if worker is not None]
    release_all(workers, CLOSE_TIMEOUT_SECONDS)
    for worker in workers:
        OPEN_SESSIONS.remove(worker)


class _HeartbeatThread:
    """The thread that beats. It alone speaks for the session, and ends by giving the seat back."""

    def __init__(self, session: Session, open_session: OpenSession, transport: Transport) -> None:
        self._session, self._open_session, self._transport = session, open_session, transport
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="licet-session", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def begin_release(self) -> None:
        self._open_session.closed = True
        self._stop.set()

    def finish_release(self, seconds: float) -> None:
        # A callback may close its own session: then the thread ends when the callback does.
        if self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def abandon(self) -> None:
        self._open_session.abandon()
        self._stop = threading.Event()
        self._stop.set()

    def _run(self) -> None:
        try:
            self._send_heartbeats()
            if not self._open_session.forked:
                run(disconnect_session(self._open_session), self._transport)
        except Exception:  # noqa: BLE001 - nobody watches this thread
            _log.exception("the session ended in a fault of its own")
        finally:
            self._open_session.closed = True
            self._open_session.instance.release()
            self._transport.close()

    def _send_heartbeats(self) -> None:
        flow, outcome = keep_alive(self._open_session), None
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
            except Exception as error:  # noqa: BLE001 - a transport may be anybody's
                return as_licet_error(error)
        return None

    def _notify(self, event: Lost | Regained) -> None:
        _log.warning("%s", log_line(event))
        options = self._open_session.options
        try:
            if isinstance(event, Lost) and options.on_lost is not None:
                options.on_lost(event.error)
            elif isinstance(event, Regained) and options.on_regained is not None:
                options.on_regained(self._session)
        except (Exception, SystemExit):  # noqa: BLE001 - a callback's fault is its own
            _log.exception("a callback of the session failed")
