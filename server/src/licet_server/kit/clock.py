"""The only place that reads the system time.

Everything else receives a `Clock`, so that tests control the time. What is done for a product that
goes by a clock of its own is done at the instant of that clock.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the current instant as an aware UTC datetime."""

_instant: ContextVar[datetime | None] = ContextVar("product_instant", default=None)


def system_clock() -> datetime:
    """Return the machine's time in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - the one place


def product_instant() -> datetime | None:
    """Return the instant that the work at hand goes by; `None` if that is the present."""
    return _instant.get()


def go_by(instant: datetime | None) -> None:
    """Let the rest of this task go by the instant of a product's clock; `None` is the present."""
    _instant.set(instant)


@contextmanager
def going_by(instant: datetime | None) -> Iterator[None]:
    """Let a block, and what it calls, go by the instant of a product's clock."""
    token = _instant.set(instant)
    try:
        yield
    finally:
        _instant.reset(token)
