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

EARLIEST = 0.8
FIRST_RETRY = 1.0
LONGEST_WAIT = 3600.0
SHORTEST_PATIENCE = 1.0

_REFUSALS = (
    ActivationRequiredError,
    ApprovalPendingError,
    DeviceBlockedError,
    HardwareMismatchError,
    LicenseRefusedError,
    SeatsExhaustedError,
)
_PASSING = (NetworkError, ServerUnavailableError, UnexpectedReplyError)


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


News = Lost | Regained | None


class Heart:
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
        self.alive, self.held, self.call = True, True, Call.HEARTBEAT
        self._fault: LicetError | None = None
        self._not_before = sent
        self._granted(lease, sent, jitter)

    def patience(self, now: float, usual: float) -> float:
        """Seconds that the call made now may take.

        Short enough for another attempt, and for the loss to be told in time.
        """
        if not self.alive:
            return usual
        shares = (self.lease.timeout / 3, self._expires - now)
        return min(usual, *(max(SHORTEST_PATIENCE, share) for share in shares))

    def wake(self, now: float) -> News:
        """What the passing of time alone has brought about, asked just before a call.

        Where it is something, the call may have to wait a little longer. A machine that slept has
        nothing to fear from it: only where calls have failed does time speak against the session.
        """
        if self.alive and self._fault is not None and now >= self._expires:
            self.due = max(now, self._not_before)
            return self._fall_silent(self._fault)
        return None

    def hear(self, outcome: Lease | LicetError, *, sent: float, now: float, jitter: float) -> News:
        """What came of the call that was made at ``sent``."""
        if isinstance(outcome, Lease):
            return self._granted(outcome, sent, jitter)
        if isinstance(outcome, SessionLostError) and self.call is Call.HEARTBEAT:
            # The seat may have gone while this machine slept; connecting again is all it takes.
            self.held, self.call, self.due = False, Call.CONNECT, now
            return None
        if isinstance(outcome, _REFUSALS):
            self.due = now + max(_not_earlier(self.lease.interval, jitter), _asked(outcome))
            return self._lose(outcome)
        return self._failed(outcome, now, jitter)

    def _granted(self, lease: Lease, sent: float, jitter: float) -> News:
        regained = not self.alive
        self.lease, self.call = lease, Call.HEARTBEAT
        self.alive = self.held = True
        self._fault, self._failures = None, 0
        # Counted from the sending: the server cannot have counted from any earlier moment.
        self._expires = sent + lease.timeout
        self.due = sent + _in_time(lease.interval, jitter)
        return Regained() if regained else None

    def _failed(self, fault: LicetError, now: float, jitter: float) -> News:
        self._fault = fault
        self._not_before = now + _asked(fault)
        self.due = max(now + self._pause(fault, jitter), self._not_before)
        if not self.alive:
            return None
        if now >= self._expires:
            return self._fall_silent(fault)
        # One more attempt while the seat is still held, then the moment at which it is not.
        last_chance = self._expires - self.lease.timeout / 10
        self.due = min(self.due, last_chance if now < last_chance else self._expires)
        return None

    def _pause(self, fault: LicetError, jitter: float) -> float:
        interval = self.lease.interval
        if isinstance(fault, RateLimitedError):
            first = min(FIRST_RETRY, interval / 4)
            return first if fault.retry_after is not None else _in_time(interval, jitter)
        if not isinstance(fault, _PASSING):
            return _not_earlier(interval, jitter)
        longest = interval / 2 if self.alive else interval
        usual: float = min(FIRST_RETRY, interval / 4) * 2 ** min(self._failures, 30)
        self._failures += 1
        return min(usual, longest) * (0.5 + 0.5 * jitter)

    def _fall_silent(self, fault: LicetError) -> News:
        self.held = False
        return self._lose(_silence(self.lease, fault))

    def _lose(self, error: LicetError) -> News:
        if not self.alive:
            return None
        self.alive, self.call, self._failures = False, Call.CONNECT, 0
        return Lost(error)


def _in_time(interval: float, jitter: float) -> float:
    return interval * (EARLIEST + (1 - EARLIEST) * jitter)


def _not_earlier(interval: float, jitter: float) -> float:
    return interval * (1 + (1 - EARLIEST) * jitter)


def _asked(fault: LicetError) -> float:
    asked = fault.retry_after if isinstance(fault, ServerFaultError) else None
    return min(asked or 0.0, LONGEST_WAIT)


def _silence(lease: Lease, fault: LicetError) -> SessionLostError:
    error = SessionLostError(
        f"No heartbeat got through for {lease.timeout:g} seconds, so the server has given the seat "
        f"up. {fault.message}",
        http_status=0,
    )
    error.__cause__ = fault
    return error
