"""Time: the only module that reads the system clock.

All other modules are given a ``Clock``, so that tests can control the time.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from licet.errors import ConfigurationError

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The current time with the machine's UTC offset."""
    return datetime.now(UTC).astimezone()  # noqa: TID251 - this is the injected clock


def monotonic() -> float:
    """Seconds on a monotonic clock."""
    return time.monotonic()


def read_clock(clock: Clock) -> datetime:
    """Read the clock.

    Raises:
        ConfigurationError: The time has no time zone.
    """
    moment = clock()
    if moment.tzinfo is None:
        raise ConfigurationError(
            "The clock option returned a time without a time zone. Return a time such as "
            "datetime.now(timezone.utc)."
        )
    return moment


_RFC3339 = re.compile(
    r"(\d{4}-\d\d-\d\dT)(\d\d):\d\d:\d\d(\.\d{1,9})?(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))",
    re.ASCII,
)
_LAST_HOUR = 23


def parse_rfc3339(text: str) -> datetime:
    """Parse an RFC 3339 time with a UTC offset, in the form that the server writes; returns UTC.

    Raises:
        ValueError: This is no such time, or its year in UTC is not one from 1 to 9999.
    """
    match = _RFC3339.fullmatch(text)
    if match is None or int(match[2]) > _LAST_HOUR:
        raise ValueError("not an RFC 3339 time")
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("time out of range") from error


def optional_time(value: object) -> datetime | None:
    """Parse an optional time of a response; ``None`` if it is missing or invalid."""
    try:
        return parse_rfc3339(value) if isinstance(value, str) else None
    except ValueError:
        return None


def from_epoch(seconds: float) -> datetime:
    """Convert Unix time to a datetime in UTC.

    Raises:
        ValueError: The time is out of range.
    """
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError) as error:
        raise ValueError("time out of range") from error


MAX_EPOCH = 253_402_300_799
"""The last second of the year 9999."""


def optional_epoch(value: object) -> datetime | None:
    """Read an optional Unix time from 1970 to 9999; ``None`` if it is missing or invalid."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return from_epoch(value) if 0 <= value <= MAX_EPOCH else None


def after(moment: datetime, duration: timedelta) -> datetime:
    """The moment so much later, or the last one there is."""
    try:
        return moment + duration
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def format_time(moment: datetime) -> str:
    """Format a time for a message."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def format_duration(duration: timedelta) -> str:
    """Format a duration for a message, to the minute."""
    minutes = round(abs(duration.total_seconds()) / 60)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{days} d" if days else "", f"{hours} h" if hours else "", f"{minutes} min"]
    if (days or hours) and not minutes:
        parts.pop()
    return " ".join(part for part in parts if part)
