"""The period that a statistic is about: whole UTC days or exact instants."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from licet_server.kit.errors import FieldError, bad_fields

DEFAULT_DAYS = 30
LONGEST_DAYS = 732

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_EXPECTED = (
    "must be a day, for example 2026-11-22, "
    "or a time with a zone, for example 2026-11-22T09:30:00Z."
)


@dataclass(frozen=True, slots=True)
class Period:
    """From `since` to before `until`, both UTC."""

    since: datetime
    until: datetime

    @property
    def days(self) -> list[date]:
        """Every UTC day that the period touches."""
        last = (self.until - timedelta(microseconds=1)).date()
        count = (last - self.since.date()).days + 1
        return [self.since.date() + timedelta(days=n) for n in range(count)]

    @property
    def of_whole_days(self) -> "Period":
        """The same, from the beginning of its first day to the end of its last."""
        return Period(_midnight(self.days[0]), _midnight(self.days[-1]) + timedelta(days=1))


def period_of(given_from: str | None, given_to: str | None, now: datetime) -> Period:
    """The period asked for; by default 30 days, today included, as a day as the end always is.

    Raises:
        Refused: `InvalidRequest` for what is no time, for an end before the start, or for more
            than two years.
    """
    errors: list[FieldError] = []
    until = _instant("to", given_to, errors, whole_day=timedelta(days=1)) or _end_of(now)
    since = _instant("from", given_from, errors, whole_day=timedelta(0))
    if until < _EARLIEST:
        errors.append(FieldError("to", f"must not be before {_EARLIEST:%Y-%m-%d}."))
    if errors:
        raise bad_fields(errors)
    if since is None:
        since = until - timedelta(days=DEFAULT_DAYS)
    if since >= until:
        raise bad_fields([FieldError("from", "must be before to.")])
    if until - since > timedelta(days=LONGEST_DAYS):
        raise bad_fields([FieldError("from", f"must be at most {LONGEST_DAYS} days before to.")])
    return Period(since, until)


def _end_of(now: datetime) -> datetime:
    return _midnight(now.date()) + timedelta(days=1)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _instant(
    name: str, text: str | None, errors: list[FieldError], *, whole_day: timedelta
) -> datetime | None:
    if not text:
        return None
    try:
        if len(text) == len("2030-01-31"):
            return _midnight(date.fromisoformat(text)) + whole_day
        instant = datetime.fromisoformat(text)
        if instant.tzinfo is not None:
            return instant.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    errors.append(FieldError(name, _EXPECTED))
    return None
