"""The only module that asks the operating system for the time.

Everything else is handed a ``Clock``, so that tests travel in time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from licet.errors import ConfigurationError

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The present moment, carrying the machine's UTC offset."""
    return datetime.now(UTC).astimezone()  # noqa: TID251 - this is the injected clock


def monotonic() -> float:
    """Seconds on a clock that never runs backwards."""
    return time.monotonic()


def read_clock(clock: Clock) -> datetime:
    """The clock's moment, refused if it carries no time zone."""
    moment = clock()
    if moment.tzinfo is None:
        raise ConfigurationError(
            "The clock given to Licet returned a time without a time zone; "
            "return one like datetime.now(timezone.utc)."
        )
    return moment


def parse_rfc3339(text: str) -> datetime:
    """The moment that an RFC 3339 text names, in UTC.

    Raises:
        ValueError: The text is no such time or carries no offset.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("time without an offset")
    return moment.astimezone(UTC)


def optional_time(value: object) -> datetime | None:
    """A time that the wire may carry; ``None`` where it does not."""
    try:
        return parse_rfc3339(value) if isinstance(value, str) else None
    except ValueError:
        return None


def from_epoch(seconds: float) -> datetime:
    """The moment so many seconds after 1970.

    Raises:
        ValueError: Beyond the years that a calendar can hold.
    """
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError) as error:
        raise ValueError("time out of range") from error


def format_time(moment: datetime) -> str:
    """A moment as it is written into messages."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def format_duration(duration: timedelta) -> str:
    """A span of time in words, to the minute."""
    minutes = round(abs(duration.total_seconds()) / 60)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{days} d" if days else "", f"{hours} h" if hours else "", f"{minutes} min"]
    if (days or hours) and not minutes:
        parts.pop()
    return " ".join(part for part in parts if part)
