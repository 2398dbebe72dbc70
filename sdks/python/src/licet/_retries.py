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
LONGEST_PAUSE = 8.0
_UNREACHED = (DnsError, ServerRefusedError, ConnectionLostError, ServerTimeoutError)
_PASSING = frozenset({429, 502, 503, 504})


def is_passing(fault: LicetError) -> bool:
    """Connection faults, 429, and 502 to 504: the next attempt may fare better."""
    if isinstance(fault, ServerFaultError):
        return fault.http_status in _PASSING
    return isinstance(fault, _UNREACHED)


@dataclass(frozen=True, slots=True)
class Retries:
    """How far a call goes to get its answer.

    Attributes:
        attempts: How many at most, with the first.
        seconds: Within which all attempts and pauses must have ended.
        worthwhile: Whether a fault may have passed by the next attempt.
    """

    attempts: int = 3
    seconds: float = math.inf
    worthwhile: Callable[[LicetError], bool] = is_passing

    def pause(
        self, fault: LicetError, attempt: int, seconds_left: float, jitter: float
    ) -> float | None:
        """Seconds to wait before the next attempt; ``None`` to give up.

        Args:
            fault: What the attempt ended in.
            attempt: How many there have been.
            seconds_left: Before all attempts must have ended.
            jitter: 0 to 1, to keep a crowd of clients from returning at the same moment.
        """
        if attempt >= self.attempts or not self.worthwhile(fault):
            return None
        usual = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
        spread = usual * (0.5 + jitter / 2)
        asked = fault.retry_after if isinstance(fault, ServerFaultError) else None
        pause = spread if asked is None else asked + spread / 4
        return pause if pause < seconds_left else None


USUAL = Retries()
ONCE = Retries(attempts=1)
