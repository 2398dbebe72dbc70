"""What callers have left of their limits, noted for the answer to the request at hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much of a limit is left after a take, and the seconds until its period ends."""

    bucket: str
    limit: int
    remaining: int
    reset: int


_noted: ContextVar[list[Allowance] | None] = ContextVar("allowances", default=None)


@contextmanager
def recording_allowances(allowances: list[Allowance]) -> Iterator[None]:
    """Collect what is taken while the block runs, also in the tasks that it starts."""
    token = _noted.set(allowances)
    try:
        yield
    finally:
        _noted.reset(token)


@contextmanager
def without_recording() -> Iterator[None]:
    """Take without a word of it in the answer, where that would tell on somebody else."""
    token = _noted.set(None)
    try:
        yield
    finally:
        _noted.reset(token)


def note(allowance: Allowance) -> None:
    """Remember for the answer what is left."""
    noted = _noted.get()
    if noted is not None:
        noted.append(allowance)


def forget(bucket: str) -> None:
    """The take did not count after all."""
    noted = _noted.get()
    if noted is not None:
        noted[:] = [item for item in noted if item.bucket != bucket]


def tightest(allowances: list[Allowance]) -> Allowance | None:
    """The one that holds the caller up first, and of those the one that does so for longest."""
    return min(allowances, key=lambda item: (item.remaining, -item.reset), default=None)
