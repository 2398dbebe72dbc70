"""When a session calls the server next, and what comes of it; no clock, no thread, no network.

The invariant: a session is alive from the server's word until the server's word, or until the
server must have given the seat away because nothing got through to it. Every change is told once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from licet._lease import Lease
from licet.errors import (
    ActivationRequiredError,
    ApprovalPendingError,
    DeviceBlockedError,
    HardwareMismatchError,
    LicenseRefusedError,
    LicetError,
    NetworkError,
    RateLimitedError,
    SeatsExhaustedError,
    ServerFaultError,
    ServerUnavailableError,
    SessionLostError,
    UnexpectedReplyError,
)

EARLIEST_FRACTION = 0.8
FIRST_RETRY = 1.0
MAX_RETRY_AFTER = 3600.0
MIN_CALL_TIMEOUT = 1.0

_REFUSALS = (
    ActivationRequiredError,
    ApprovalPendingError,
    DeviceBlockedError,
    HardwareMismatchError,
    LicenseRefusedError,
    SeatsExhaustedError,
)
_TRANSIENT = (NetworkError, ServerUnavailableError, UnexpectedReplyError)


class Call(Enum):
    """What to say to the server when the time has come."""

    HEARTBEAT = "heartbeat"
    CONNECT = "connect"


@dataclass(frozen=True, slots=True)
class Lost:
    """The session stopped being alive."""

    error: LicetError


@dataclass(frozen=True, slots=True)
class Regained:
    """The session is alive again."""


SessionEvent = Lost | Regained | None


class Heartbeat:
    """The state of one session.

    Moments are seconds on one clock that never runs backwards. A jitter is 0 to 1.

    Attributes:
        lease: What the server granted last.
        alive: Whether the seat is held, as far as can be known.
        due: When to make the next call.
        call: Which one.
        held: Whether the server may still keep the seat, and so has to be told of the end.
    """

    def __init__(self, lease: Lease, *, sent: float, jitter: float) -> None:
        self.alive, self.needs_disconnect, self.call = True, True, Call.HEARTBEAT
        self._last_error: LicetError | None = None
        self._not_before = sent
        self._renew(lease, sent, jitter)

    def call_timeout(self, now: float, default: float) -> float:
        """Seconds that the call made now may take.

        Short enough for another attempt, and for the loss to be told in time.
        """
        if not self.alive:
            return default
        limits = (self.lease.timeout / 3, self._expires - now)
        return min(default, *(max(MIN_CALL_TIMEOUT, limit) for limit in limits))

    def check_expiry(self, now: float) -> SessionEvent:
        """What the passing of time alone has brought about, asked just before a call.

        Where it is something, the call may have to wait a little longer. A machine that slept has
        nothing to fear from it: only where calls have failed does time speak against the session.
        """
        if self.alive and self._last_error is not None and now >= self._expires:
            self.due = max(now, self._not_before)
            return self._expire(self._last_error)
        return None

    def record(
        self, outcome: Lease | LicetError, *, sent: float, now: float, jitter: float
    ) -> SessionEvent:
        """What came of the call that was made at ``sent``."""
        if isinstance(outcome, Lease):
            return self._renew(outcome, sent, jitter)
        if isinstance(outcome, SessionLostError) and self.call is Call.HEARTBEAT:
            # The seat may have gone while this machine slept; connecting again is all it takes.
            self.needs_disconnect, self.call, self.due = False, Call.CONNECT, now
            return None
        if isinstance(outcome, _REFUSALS):
            self.due = now + max(
                _after_interval(self.lease.interval, jitter), _requested_delay(outcome)
            )
            return self._lose(outcome)
        return self._schedule_retry(outcome, now, jitter)

    def _renew(self, lease: Lease, sent: float, jitter: float) -> SessionEvent:
        regained = not self.alive
        self.lease, self.call = lease, Call.HEARTBEAT
        self.alive = self.needs_disconnect = True
        self._last_error, self._failures = None, 0
        # Counted from the sending: the server cannot have counted from any earlier moment.
        self._expires = sent + lease.timeout
        self.due = sent + _before_interval(lease.interval, jitter)
        return Regained() if regained else None

    def _schedule_retry(self, error: LicetError, now: float, jitter: float) -> SessionEvent:
        self._last_error = error
        self._not_before = now + _requested_delay(error)
        self.due = max(now + self._pause(error, jitter), self._not_before)
        if not self.alive:
            return None
        if now >= self._expires:
            return self._expire(error)
        # One more attempt while the seat is still held, then the moment at which it is not.
        last_chance = self._expires - self.lease.timeout / 10
        self.due = min(self.due, last_chance if now < last_chance else self._expires)
        return None

    def _pause(self, error: LicetError, jitter: float) -> float:
        interval = self.lease.interval
        if isinstance(error, RateLimitedError):
            first = min(FIRST_RETRY, interval / 4)
            return first if error.retry_after is not None else _before_interval(interval, jitter)
        if not isinstance(error, _TRANSIENT):
            return _after_interval(interval, jitter)
        max_backoff = interval / 2 if self.alive else interval
        backoff: float = min(FIRST_RETRY, interval / 4) * 2 ** min(self._failures, 30)
        self._failures += 1
        return min(backoff, max_backoff) * (0.5 + 0.5 * jitter)

    def _expire(self, error: LicetError) -> SessionEvent:
        self.needs_disconnect = False
        return self._lose(_timed_out(self.lease, error))

    def _lose(self, error: LicetError) -> SessionEvent:
        if not self.alive:
            return None
        self.alive, self.call, self._failures = False, Call.CONNECT, 0
        return Lost(error)


def _before_interval(interval: float, jitter: float) -> float:
    return interval * (EARLIEST_FRACTION + (1 - EARLIEST_FRACTION) * jitter)


def _after_interval(interval: float, jitter: float) -> float:
    return interval * (1 + (1 - EARLIEST_FRACTION) * jitter)


def _requested_delay(error: LicetError) -> float:
    delay = error.retry_after if isinstance(error, ServerFaultError) else None
    return min(delay or 0.0, MAX_RETRY_AFTER)


def _timed_out(lease: Lease, cause: LicetError) -> SessionLostError:
    error = SessionLostError(
        f"No heartbeat got through for {lease.timeout:g} seconds, so the server has given the seat "
        f"up. {cause.message}",
        http_status=0,
    )
    error.__cause__ = cause
    return error
