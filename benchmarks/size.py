"""How much a run measures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """A share of the rows, and the number and the seconds of the rounds of each scenario.

    With `requests`, a round is over after so many responses.
    """

    share: float
    rounds: int
    seconds: float
    warm_up: float
    settle_seconds: float
    """Seconds after which an idle database connection has flushed its statistics."""
    requests: int | None = None

    def of(self, count: int) -> int:
        """Return this size's share of a count, and at least ten."""
        return max(10, round(count * self.share))


_FLUSHED = 11.0  # PostgreSQL waits for 10
FULL = Size(share=1, rounds=7, seconds=2, warm_up=0.5, settle_seconds=_FLUSHED)
"""Many short rounds, since a shared machine is busy only some of the time."""
QUICK = Size(share=0.1, rounds=1, seconds=2, warm_up=0.5, settle_seconds=_FLUSHED)
TINY = Size(share=0.001, rounds=1, seconds=20, warm_up=0, settle_seconds=0.1, requests=64)
"""Shows that a benchmark works, and measures nothing."""
