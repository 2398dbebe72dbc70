"""What callers have left of their limits, recorded for the headers of the current response."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowance:
    """What remains of a limit after a request was counted; `reset` is in seconds."""

    bucket: str
    limit: int
    remaining: int
    reset: int


_recorded: ContextVar[list[Allowance] | None] = ContextVar("allowances", default=None)


def record_allowances_in(allowances: list[Allowance]) -> None:
    """Collect the allowances of what this task, and tasks that it starts, count from now on."""
    _recorded.set(allowances)


@contextmanager
def without_recording() -> Iterator[None]:
    """Count without reporting it in the response, which would reveal another caller's requests."""
    token = _recorded.set(None)
    try:
        yield
    finally:
        _recorded.reset(token)


def record(allowance: Allowance) -> None:
    """Add the allowance to the current response."""
    recorded = _recorded.get()
    if recorded is not None:
        recorded.append(allowance)


def discard(bucket: str) -> None:
    """Remove the allowances of a bucket from the current response."""
    recorded = _recorded.get()
    if recorded is not None:
        recorded[:] = [item for item in recorded if item.bucket != bucket]


def tightest(allowances: list[Allowance]) -> Allowance | None:
    """Return the allowance with the least remaining, and among equals the latest reset."""
    return min(allowances, key=lambda item: (item.remaining, -item.reset), default=None)
