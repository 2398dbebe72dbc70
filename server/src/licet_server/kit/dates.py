"""Reads the dates that others send, and those that the database can hold."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

EARLIEST = datetime(100, 1, 1, tzinfo=UTC)
LATEST = datetime(9900, 1, 1, tzinfo=UTC)

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_DAY_0 = _EPOCH.toordinal()
_MICROSECOND = timedelta(microseconds=1)
_FIRST, _LAST = ((bound - _EPOCH) // _MICROSECOND for bound in (EARLIEST, LATEST))
_FIRST_DAY, _LAST_DAY = (bound.toordinal() - _DAY_0 for bound in (EARLIEST, LATEST))


async def read_any_instant(connection: Any) -> None:
    """Have a connection read every `timestamptz` and `date`."""
    for kind, encoder, decoder in (
        ("timestamptz", _stored_instant, _instant),
        ("date", _stored_day, _day),
    ):
        await connection.set_type_codec(
            kind, schema="pg_catalog", encoder=encoder, decoder=decoder, format="tuple"
        )


def _instant(stored: tuple[int]) -> datetime:
    [at] = stored
    if _FIRST <= at <= _LAST:  # a list has a hundred of them, and functions take half the time
        return _EPOCH + timedelta(0, 0, at)
    return LATEST if at > _LAST else EARLIEST


def _stored_instant(instant: datetime) -> tuple[int]:
    return ((instant - _EPOCH) // _MICROSECOND,)


def _day(stored: tuple[int]) -> date:
    return date.fromordinal(_DAY_0 + min(max(stored[0], _FIRST_DAY), _LAST_DAY))


def _stored_day(day: date) -> tuple[int]:
    return (day.toordinal() - _DAY_0,)


Found = TypeVar("Found", bound=date)

FIRST_YEAR = 1970
NO_END_YEAR = 9000
"""The first year that means "never"."""
LAST_ZONE = timezone(-timedelta(hours=12))
"""In which a day ends last."""

HOW_TO_WRITE = "Write a day such as 2031-01-31, or a time with its zone: 2031-01-31T09:30:00Z"

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?"
    r"(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_FRACTION = re.compile(r"(\.\d{6})\d+")
_LEAP_SECOND = re.compile(r"(?<=:[0-9]{2}):60(?:\.[0-9]+)?")
_WORDS = {
    "forever",
    "infinite",
    "infinity",
    "lifetime",
    "n/a",
    "never",
    "none",
    "null",
    "perpetual",
}
_WORDS |= {"unlimited", "0"}
_ZEROS = {"0000-00-00", "0001-01-01", "1900-01-01", "1970-01-01"}
"""Days that programs store for no day: of databases, of languages, of spreadsheets, of Unix."""
_MIDNIGHT = re.compile(r"(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?")
_ORDINARY, _FAR = str(FIRST_YEAR), str(NO_END_YEAR)
_NO_DATE = f"is not a date. {HOW_TO_WRITE}"
_TOO_FAR = f"is in the year {NO_END_YEAR} or later, which stands for no end"
_UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEAR_1 = int(datetime(1, 1, 1, tzinfo=UTC).timestamp())
_YEAR_9000 = int(datetime(NO_END_YEAR, 1, 1, tzinfo=UTC).timestamp())
_YEAR_9999 = int(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp())


class BadDate(Exception):
    """A text is not a usable date; the message says why, without a subject or a full stop."""


def end_of_day(day: date, zone: tzinfo) -> datetime:
    """Return the last instant of a day in a time zone, in UTC."""
    # The next midnight, since a change of the clocks may leave out or repeat the last hour.
    midnight = datetime.combine(day + timedelta(days=1), time(), zone)
    return midnight.astimezone(UTC) - timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Period:
    """A length of time in the calendar."""

    days: int = 0
    months: int = 0


class TermEnd(NamedTuple):
    """The end of a term; `anchor_day` is the day of the month that its month was too short for."""

    end: datetime
    anchor_day: int | None


def end_after(
    begin: datetime, period: Period, zone: tzinfo, anchor_day: int | None = None
) -> TermEnd:
    """Return when a term ends that begins then, by the calendar of a time zone.

    The time of day stays, and the last instant of a day becomes that of another day. A month that
    is too short for the day ends on its last one. With the `anchor_day` of the term before, the end
    returns to that day as soon as a month has it, so that no number of renewals moves it.
    """
    if begin.year + period.months // 12 + period.days // 365 >= LATEST.year - 1:
        return TermEnd(LATEST, None)
    local = begin.astimezone(zone)
    wanted = max(local.day, anchor_day or 0) if period.months else local.day
    month = local.year * 12 + local.month - 1 + period.months
    first = date(month // 12, month % 12 + 1, 1)
    day = min(wanted, monthrange(first.year, first.month)[1])
    last = first + timedelta(days=day - 1 + period.days)
    if begin == end_of_day(local.date(), zone):
        end = end_of_day(last, zone)
    else:
        end = datetime.combine(last, local.timetz()).astimezone(UTC)
    is_short = day < wanted and not period.days
    return TermEnd(min(end, LATEST), wanted if is_short else None)


def stands_for_no_end(value: object) -> bool:
    """Return whether a value is one of the ways to write that something never ends."""
    if isinstance(value, int):
        is_written = value in {0, _YEAR_1} or _YEAR_9000 <= value <= _YEAR_9999
        return is_written and not isinstance(value, bool)
    if not isinstance(value, str):
        return False
    text = value.strip()
    if _ORDINARY < text[:4] < _FAR:
        return False
    text = text.upper()
    if text.removeprefix("+").lower() in _WORDS:
        return True
    day, rest = text[:10], text[10:]
    if not rest or _MIDNIGHT.fullmatch(rest):
        return day in _ZEROS or _is_far(day)
    return _TIME.fullmatch(text) is not None and (_is_far(day) or _is_unix_epoch(text))


def _is_unix_epoch(text: str) -> bool:
    """Check whether this is the first instant of Unix, in whatever zone."""
    try:
        return _read(text) == _UNIX_EPOCH
    except (BadDate, ValueError, OverflowError):
        return False


def _is_far(day: str) -> bool:
    return _DAY.fullmatch(day) is not None and int(day[:4]) >= NO_END_YEAR


def read_date(value: object) -> date:
    """Return a day, or the instant of a time with its zone or of seconds since 1970.

    A year that means "never" is the last instant that can be stored.

    Raises:
        BadDate: it is neither, or has no zone.
    """
    try:
        return _read(value)
    except (ValueError, OverflowError, OSError):
        raise BadDate(_NO_DATE) from None


def instant_of(found: date, zone: tzinfo) -> datetime:
    """Return an instant as it is, and of a day its last one in a time zone."""
    return found if isinstance(found, datetime) else end_of_day(found, zone)


def read_instant(value: object, zone: tzinfo) -> datetime:
    """Return the instant that a value is, or the last one of the day that it is.

    Raises:
        BadDate: it is no date, has no zone, or lies before 1970 or after the year 8999.
    """
    found = within_years(read_date(value))
    return instant_of(found, zone)


def within_years(found: Found) -> Found:
    """Return a date that is one of a term.

    Raises:
        BadDate: it lies before 1970 or after the year 8999.
    """
    if found.year < FIRST_YEAR:
        raise BadDate(f"is before the year {FIRST_YEAR}")
    if found.year >= NO_END_YEAR:
        raise BadDate(_TOO_FAR)
    return found


def zone_named(name: str) -> tzinfo:
    """Return the time zone of this name; UTC where the system does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def is_zone(name: str) -> bool:
    """Return whether this is the name of a time zone of the IANA database."""
    return name == "UTC" or name in available_timezones()


def _read(value: object) -> date:
    if isinstance(value, int) and not isinstance(value, bool):
        if value > _YEAR_9999:
            raise BadDate("is too large for seconds since 1970; write milliseconds as seconds")
        return datetime.fromtimestamp(value, UTC)
    if not isinstance(value, str):
        raise BadDate(_NO_DATE)
    text = value.strip().upper()
    is_day = _DAY.fullmatch(text) is not None
    match = None if is_day else _TIME.fullmatch(text)
    if not is_day and match is None:
        raise ValueError
    if text[:4] >= _FAR and _is_far(text[:10]):
        return LATEST
    if match is None:
        return date.fromisoformat(text)
    # A leap second is the last instant before it: the 59th second of a day's last minute goes on.
    ordinary = _LEAP_SECOND.sub(":59.999999", text)
    found = datetime.fromisoformat(_FRACTION.sub(r"\1", ordinary))
    if match[1] is None:
        raise BadDate(f"has no time zone. {HOW_TO_WRITE}")
    found = found.astimezone(UTC)
    if ordinary != text and (found.hour, found.minute) != (23, 59):
        raise ValueError
    return found


_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}


def day_in_words(day: date, locale: str) -> str:
    """Return a day as a language says it: "March 1, 2027"; one that is not known has 2027-03-01."""
    language = locale.partition("-")[0].lower()
    if language not in _MONTHS:
        return day.isoformat()
    month = _MONTHS[language].split()[day.month - 1]
    if language == "de":
        return f"{day.day}. {month} {day.year}"
    return f"{month} {day.day}, {day.year}"
