"""A live session for threads: its heart beats in a daemon thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self

from licet._beat import Lost, Regained
from licet._core import LicenseCore
from licet._flow import Done, Pause, run, step
from licet._keeping import (
    LONGEST_EXIT,
    Hold,
    SessionFacts,
    Tell,
    Wishes,
    as_fault,
    give_back,
    keep,
    prepare,
    start,
    word,
)
from licet._leaving import OPEN, leave
from licet._transport import Transport

_log = logging.getLogger("licet")


class Session(SessionFacts):
    """A seat that is held as long as the session is open; see :meth:`licet.LicenseClient.session`.

    Use it in a ``with`` statement, or open and close it. It may be opened again after it was
    closed. A forked child has no part in it: there it is not alive, and closing it does nothing.
    """

    def __init__(self, core: LicenseCore, connect: Callable[[], Transport], wishes: Wishes) -> None:
        self._core, self._connect, self._wishes = core, connect, wishes
        self._opening = threading.Lock()
        self._beating: _Beating | None = None

    def open(self) -> Self:
        """Take a seat and begin to keep it. Does nothing while the session is open.

        Raises:
            ConfigurationError: No server or no license key is set.
            RequestRefusedError: The server gives no seat; the type says why, for example
                :class:`licet.SeatsExhaustedError`.
            NetworkError: No answer.
            ServerFaultError: An answer that is a fault.
        """
        with self._opening:
            if self._beating is None:
                self._beating = self._begin()
        return self

    def _begin(self) -> _Beating:
        calls, instance = prepare(self._core, self._wishes)
        # A connection of its own, so that neither the application's requests nor its closing of
        # the client get into the way of a heartbeat.
        transport = self._connect()
        try:
            heart = run(start(calls), transport)
            self._hold = Hold(calls, heart, instance, self._wishes)
            beating = _Beating(self, self._hold, transport)
            beating.start()
        except BaseException:
            transport.close()
            instance.release()
            raise
        OPEN.add(beating)
        if self._core.config.handle_sigterm:
            OPEN.watch_sigterm()
        return beating

    def close(self) -> None:
        """Give the seat back. Takes a few seconds at most, raises nothing, and may be repeated."""
        close_all([self])

    def _let_go(self) -> _Beating | None:
        beating, self._beating = self._beating, None
        return beating

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
    taken = [session._let_go() for session in sessions]
    leaving = [beating for beating in taken if beating is not None]
    leave(leaving, LONGEST_EXIT)
    for beating in leaving:
        OPEN.remove(beating)


class _Beating:
    """The thread that beats. It alone speaks for the session, and ends by giving the seat back."""

    def __init__(self, session: Session, hold: Hold, transport: Transport) -> None:
        self._session, self._hold, self._transport = session, hold, transport
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live, name="licet-session", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def start_leaving(self) -> None:
        self._hold.over = True
        self._stop.set()

    def finish_leaving(self, seconds: float) -> None:
        # A callback may close its own session: then the thread ends when the callback does.
        if self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def forget(self) -> None:
        self._hold.forget()
        self._stop = threading.Event()
        self._stop.set()

    def _live(self) -> None:
        try:
            self._beat()
            if not self._hold.foreign:
                run(give_back(self._hold), self._transport)
        except Exception:  # noqa: BLE001 - nobody watches this thread
            _log.exception("the session ended in a fault of its own")
        finally:
            self._hold.over = True
            self._hold.instance.release()
            self._transport.close()

    def _beat(self) -> None:
        flow, outcome = keep(self._hold), None
        while True:
            effect = step(flow, outcome)
            if self._stop.is_set() or isinstance(effect, Done):
                return
            outcome = self._perform(effect)

    def _perform(self, effect: Any) -> Any:
        if isinstance(effect, Pause):
            self._stop.wait(effect.seconds)
        elif isinstance(effect, Tell):
            self._tell(effect.news)
        else:
            try:
                return self._transport.send(effect)
            except Exception as error:  # noqa: BLE001 - a transport may be anybody's
                return as_fault(error)
        return None

    def _tell(self, news: Lost | Regained) -> None:
        _log.warning("%s", word(news))
        wishes = self._hold.wishes
        try:
            if isinstance(news, Lost) and wishes.on_lost is not None:
                wishes.on_lost(news.error)
            elif isinstance(news, Regained) and wishes.on_regained is not None:
                wishes.on_regained(self._session)
        except (Exception, SystemExit):  # noqa: BLE001 - a callback's fault is its own
            _log.exception("a callback of the session failed")
