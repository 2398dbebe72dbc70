"""Retry policy: whether and when to retry a failed call. Pure decisions, no I/O."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from licet.errors import (
    ConnectionLostError,
    DnsError,
    LicetError,
    ServerFaultError,
    ServerRefusedError,
    ServerTimeoutError,
)

FIRST_PAUSE = 0.5
MAX_PAUSE = 8.0
_TRANSIENT_ERRORS = (DnsError, ServerRefusedError, ConnectionLostError, ServerTimeoutError)
_TRANSIENT_STATUSES = frozenset({429, 502, 503, 504})


def is_transient(error: LicetError) -> bool:
    """Whether an error is a connection error, 429, or 502 to 504, so a retry may succeed."""
    if isinstance(error, ServerFaultError):
        return error.http_status in _TRANSIENT_STATUSES
    return isinstance(error, _TRANSIENT_ERRORS)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When to retry a call.

    Attributes:
        attempts: The maximum number of attempts, including the first.
        budget: The time for all attempts and pauses, in timeouts of the call.
        is_retryable: Whether a call that failed with this error may be retried.
        longest_pause: The longest time in seconds to wait before an attempt.
    """

    attempts: int = 3
    budget: float = 1.0
    is_retryable: Callable[[LicetError], bool] = is_transient
    longest_pause: float = inf

    def pause(
        self, error: LicetError, attempt: int, seconds_left: float, jitter: float
    ) -> float | None:
        """Seconds to wait before the next attempt; ``None`` to give up.

        Args:
            error: The error of the last attempt.
            attempt: The number of attempts so far.
            seconds_left: What remains of the time budget.
            jitter: 0 to 1, to spread the retries of many clients.
        """
        if attempt >= self.attempts or not self.is_retryable(error):
            return None
        backoff = min(MAX_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
        jittered = backoff * (0.5 + jitter / 2)
        retry_after = error.retry_after if isinstance(error, ServerFaultError) else None
        pause = jittered if retry_after is None else retry_after + jittered / 4
        return pause if pause < seconds_left and pause <= self.longest_pause else None


def _may_respond_soon(error: LicetError) -> bool:
    unreachable = DnsError | ServerRefusedError | ServerTimeoutError
    return is_transient(error) and not isinstance(error, unreachable)


DEFAULT_RETRIES = RetryPolicy()
NO_RETRIES = RetryPolicy(attempts=1)
PATIENT_RETRIES = RetryPolicy(budget=3.0)
"""Where nobody waits: each attempt may take the whole timeout."""
START_RETRIES = RetryPolicy(budget=3.0, is_retryable=_may_respond_soon, longest_pause=1.0)
"""For a start that could do without the server: not where there is none to wait for."""
