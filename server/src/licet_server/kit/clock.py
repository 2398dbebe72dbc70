"""The only place that asks the operating system for the time.

Everything else is handed a `Clock`, so that a test can travel in time.
"""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Answers the present instant as an aware UTC datetime."""


def system_clock() -> datetime:
    """The machine's time in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - the one place
