"""The state machine of a session's heartbeats. Pure: no clock, no thread, no network.

Invariant: a session is alive from the server's grant until the server refuses it, or until the
server must have released the seat because no heartbeat arrived. Each change is reported once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from licet._session_calls import SessionGrant
from licet.errors import (
    ActivationRequiredError,
    ApprovalPendingError,
    DeviceBlockedError,
    DeviceProofRequiredError,
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
REPLACED = "Replaced"

_REFUSALS = (
    ActivationRequiredError,
    ApprovalPendingError,
    DeviceBlockedError,
    DeviceProofRequiredError,
    HardwareMismatchError,
    LicenseRefusedError,
    SeatsExhaustedError,
)
_TRANSIENT = (NetworkError, ServerUnavailableError, UnexpectedReplyError)


class Call(Enum):
    """The next call to make."""

    HEARTBEAT = "heartbeat"
    CONNECT = "connect"


@dataclass(frozen=True, slots=True)
class Lost:
    """The session has lost its seat."""

    error: LicetError


@dataclass(frozen=True, slots=True)
class Regained:
    """The session holds a seat again."""


SessionEvent = Lost | Regained | None


class Heartbeat:
    """The heartbeat state of one session.

    Times are seconds on a monotonic clock. Jitter is 0 to 1.

    Attributes:
        grant: The grant granted last.
        alive: Whether the seat is held, as far as the client knows.
        due: When to make the next call.
        call: The next call to make.
        needs_disconnect: Whether the server may still hold the seat, so that it has to be told
            when the session ends.
        taken: That another living copy has taken the session's instance ID, so that this one needs
            a new ID to connect; ``None`` while it holds a seat of its own.
    """

    def __init__(self, grant: SessionGrant, *, sent: float, jitter: float) -> None:
        self.alive, self.needs_disconnect, self.call = True, True, Call.HEARTBEAT
        self.taken: SessionLostError | None = None
        self._last_error: LicetError | None = None
        self._not_before = sent
        self._renew(grant, sent, jitter)

    def call_timeout(self, now: float, default: float) -> float:
        """The timeout in seconds of a call made now.

        Short enough to leave time for another attempt and to report a loss in time.
        """
        if not self.alive:
            return default
        limits = (self.grant.timeout / 3, self._expires - now)
        return min(default, *(max(MIN_CALL_TIMEOUT, limit) for limit in limits))

    def holds(self, now: float) -> bool:
        """Whether the seat is held at this time, by what the server last granted."""
        return self.alive and self.taken is None and now < self._expires

    def check_expiry(self, now: float) -> SessionEvent:
        """Check before a call whether the grant has expired.

        If it has, ``due`` may move to a later time. The grant expires only after a call has failed,
        so a machine that was asleep first makes the call.
        """
        if self.alive and self._last_error is not None and now >= self._expires:
            self.due = max(now, self._not_before)
            return self._expire(self._last_error)
        return None

    def record(
        self, outcome: SessionGrant | LicetError, *, sent: float, now: float, jitter: float
    ) -> SessionEvent:
        """Record the outcome of the call that was sent at ``sent``."""
        if isinstance(outcome, SessionGrant):
            return self._renew(outcome, sent, jitter)
        if isinstance(outcome, SessionLostError) and self.call is Call.HEARTBEAT:
            # The session may have timed out while this machine was asleep: reconnect at once.
            self.needs_disconnect, self.call, self.due = False, Call.CONNECT, now
            # Only a session that lives can hear that another one has taken its place.
            self.taken = outcome if outcome.end_reason == REPLACED else None
            return None
        if isinstance(outcome, _REFUSALS):
            self.due = now + max(
                _after_interval(self.grant.interval, jitter), _requested_delay(outcome)
            )
            return self._lose(outcome)
        return self._schedule_retry(outcome, now, jitter)

    def _renew(self, grant: SessionGrant, sent: float, jitter: float) -> SessionEvent:
        regained = not self.alive
        self.grant, self.call = grant, Call.HEARTBEAT
        self.alive = self.needs_disconnect = True
        self._last_error, self.taken, self._failures = None, None, 0
        # The server's timeout cannot have started before the request was sent.
        self._expires = sent + grant.timeout
        self.due = sent + _before_interval(grant.interval, jitter)
        return Regained() if regained else None

    def _schedule_retry(self, error: LicetError, now: float, jitter: float) -> SessionEvent:
        self._last_error = error
        self._not_before = now + _requested_delay(error)
        self.due = max(now + self._pause(error, jitter), self._not_before)
        if not self.alive:
            return None
        if self.taken is not None:
            return self._lose(self.taken)
        if now >= self._expires:
            return self._expire(error)
        # Make one more attempt shortly before the grant expires, then wake when it expires.
        last_chance = self._expires - self.grant.timeout / 10
        self.due = min(self.due, last_chance if now < last_chance else self._expires)
        return None

    def _pause(self, error: LicetError, jitter: float) -> float:
        interval = self.grant.interval
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
        return self._lose(_timed_out(self.grant, error))

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


def _timed_out(grant: SessionGrant, cause: LicetError) -> SessionLostError:
    error = SessionLostError(
        f"The seat was lost: the license server could not be reached for {round(grant.timeout)} "
        "seconds.",
        hint=f"{cause.message} {cause.hint}".rstrip(),
        http_status=0,
    )
    error.__cause__ = cause
    return error
