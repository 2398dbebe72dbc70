"""Whether a failed call is worth another attempt, and after how long: pure decisions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

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
    """Connection faults, 429, and 502 to 504: the next attempt may fare better."""
    if isinstance(error, ServerFaultError):
        return error.http_status in _TRANSIENT_STATUSES
    return isinstance(error, _TRANSIENT_ERRORS)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How far a call goes to get its answer.

    Attributes:
        attempts: How many at most, with the first.
        seconds: Within which all attempts and pauses must have ended.
        worthwhile: Whether a fault may have passed by the next attempt.
    """

    attempts: int = 3
    seconds: float = math.inf
    is_retryable: Callable[[LicetError], bool] = is_transient

    def pause(
        self, error: LicetError, attempt: int, seconds_left: float, jitter: float
    ) -> float | None:
        """Seconds to wait before the next attempt; ``None`` to give up.

        Args:
            fault: What the attempt ended in.
            attempt: How many there have been.
            seconds_left: Before all attempts must have ended.
            jitter: 0 to 1, to keep a crowd of clients from returning at the same moment.
        """
        if attempt >= self.attempts or not self.is_retryable(error):
            return None
        backoff = min(MAX_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
        jittered = backoff * (0.5 + jitter / 2)
        retry_after = error.retry_after if isinstance(error, ServerFaultError) else None
        pause = jittered if retry_after is None else retry_after + jittered / 4
        return pause if pause < seconds_left else None


DEFAULT_RETRIES = RetryPolicy()
NO_RETRIES = RetryPolicy(attempts=1)
