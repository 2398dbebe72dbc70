"""The life of an open session as flows: keep it alive, tell of changes, give it back."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from licet._beat import Call, Heart, Lost, Regained
from licet._clock import monotonic
from licet._core import LicenseCore
from licet._flow import Effect, Flow, Pause, last_sent
from licet._instance import Instance, take_instance
from licet._lease import Lease, SessionCalls
from licet._retries import ONCE
from licet.errors import LicetError, NetworkError

LONGEST_EXIT = 3.0
QUICK = 2.0

OnLost = Callable[[LicetError], object]

_log = logging.getLogger("licet")


def nothing_more() -> Flow[None]:
    """What there is to do after a session: nothing."""
    yield from ()


@dataclass(frozen=True, slots=True)
class Tell:
    """Let the application know."""

    news: Lost | Regained


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the application asked of a session.

    Attributes:
        afterwards: What else is given back once the session is.
    """

    instance_id: str | None = None
    on_lost: OnLost | None = None
    on_regained: Callable[[Any], object] | None = None
    afterwards: Callable[[], Flow[None]] = nothing_more


@dataclass
class Hold:
    """What an open session has in its hands, until it is given back.

    Attributes:
        over: The application has done with it.
        foreign: This is a forked child, and the seat is the parent's.
    """

    calls: SessionCalls
    heart: Heart
    instance: Instance
    wishes: Wishes
    over: bool = False
    foreign: bool = False

    @property
    def alive(self) -> bool:
        return self.heart.alive and not self.over

    def forget(self) -> None:
        """Have no more to do with it, without a word to the server."""
        self.over = self.foreign = True
        self.instance.release()


class SessionFacts:
    """What a session tells of itself; the same for both kinds."""

    _hold: Hold | None = None

    @property
    def _lease(self) -> Lease | None:
        return self._hold.heart.lease if self._hold is not None else None

    @property
    def id(self) -> str:
        """The session's id; empty before it was opened. Connecting again changes it."""
        return self._lease.session_id if self._lease is not None else ""

    @property
    def alive(self) -> bool:
        """Whether the session holds its seat, as far as can be known from here."""
        return self._hold is not None and self._hold.alive

    @property
    def expires_at(self) -> datetime | None:
        """Until when the server keeps the seat without another heartbeat, by its own clock."""
        return self._lease.expires_at if self._lease is not None else None

    @property
    def seats_used(self) -> int | None:
        """Seats in use when the session connected; ``None`` where they are not counted."""
        return self._lease.seats_used if self._lease is not None else None

    @property
    def seats_total(self) -> int | None:
        """Seats that the license has; ``None`` where there is no limit."""
        return self._lease.seats_total if self._lease is not None else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(alive={self.alive})"


def prepare(core: LicenseCore, wishes: Wishes) -> tuple[SessionCalls, Instance]:
    """All that is read of this machine before a session; the instance is taken."""
    config, key = core.config, core.required_key()
    instance = (
        Instance(wishes.instance_id)
        if wishes.instance_id is not None
        else take_instance(config.state_folder)
    )
    return SessionCalls(config, key, core.hardware_id, instance.value), instance


def start(calls: SessionCalls) -> Flow[Heart]:
    """Take a seat."""
    lease, sent = yield from last_sent(calls.connect())
    return Heart(lease, sent=sent, jitter=_jitter())


def keep(hold: Hold) -> Generator[Effect | Tell, Any, None]:
    """Keep the seat, or get it back, for ever."""
    heart = hold.heart
    while True:
        yield Pause(max(0.0, heart.due - monotonic()))
        news = heart.wake(monotonic())
        if news is not None:
            yield Tell(news)
            continue
        sent = monotonic()
        outcome = yield from _speak(hold, heart.patience(sent, hold.calls.config.timeout))
        news = heart.hear(outcome, sent=sent, now=monotonic(), jitter=_jitter())
        if news is not None:
            yield Tell(news)


def _speak(hold: Hold, patience: float) -> Flow[Lease | LicetError]:
    heart, calls = hold.heart, hold.calls
    try:
        if heart.call is Call.CONNECT:
            return (yield from calls.connect(retries=ONCE, timeout=patience))
        return (yield from calls.heartbeat(heart.lease, timeout=patience))
    except LicetError as fault:
        _log.info("the session's %s failed: %s", heart.call.value, fault.message)
        return fault


def give_back(hold: Hold) -> Flow[None]:
    """Let the server have the seat; a failure is only logged, since its timeout frees it too."""
    if hold.heart.held:
        try:
            yield from hold.calls.disconnect(hold.heart.lease.session_id, timeout=QUICK)
        except LicetError as fault:
            _log.warning("the session was not disconnected: %s", fault.message)
    yield from hold.wishes.afterwards()


def word(news: Lost | Regained) -> str:
    """The line in the log."""
    return f"session lost: {news.error.message}" if isinstance(news, Lost) else "session regained"


def as_fault(error: Exception) -> LicetError:
    """A fault to go on with, whatever a transport raises: nobody watches the background."""
    if isinstance(error, LicetError):
        return error
    return NetworkError(f"The request could not be sent ({type(error).__name__}).")


def _jitter() -> float:
    return secrets.randbelow(1001) / 1000
