"""The only place that reads the system time.

Everything else receives a `Clock`, so that tests control the time.
"""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the current instant as an aware UTC datetime."""


def system_clock() -> datetime:
    """Return the machine's time in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - the one place
