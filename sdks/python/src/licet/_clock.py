"""Time: the only module that reads the system clock.

All other modules are given a ``Clock``, so that tests can control the time.
"""

from __future__ import annotations

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


def parse_rfc3339(text: str) -> datetime:
    """Parse an RFC 3339 time; returns it in UTC.

    Raises:
        ValueError: This is not a time, or it has no UTC offset.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("time without a UTC offset")
    return moment.astimezone(UTC)


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
