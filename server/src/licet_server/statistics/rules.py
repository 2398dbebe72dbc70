"""The period of a statistic: whole UTC days or exact instants."""

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
        """This period extended to the start of its first day and the end of its last."""
        return Period(_midnight(self.days[0]), _midnight(self.days[-1]) + timedelta(days=1))

    @property
    def before(self) -> "Period":
        """The period of the same length that ends where this one begins."""
        return Period(self.since - (self.until - self.since), self.since)


def whole_days_before(period: Period, horizon: datetime) -> Period:
    """Extend the ends of a period that lie before `horizon` to whole days.

    Only the totals of days are left of that time.
    """
    whole = period.of_whole_days
    return Period(
        whole.since if period.since < horizon else period.since,
        whole.until if period.until < horizon else period.until,
    )


def period_of(from_text: str | None, to_text: str | None, now: datetime) -> Period:
    """Parse a period; by default the last 30 days, including today.

    A day as the end is included in the period.

    Raises:
        Refused: `InvalidRequest` for a malformed time, an end before the start, or more than two
            years.
    """
    errors: list[FieldError] = []
    until = _instant("to", to_text, errors, whole_day=timedelta(days=1)) or _end_of(now)
    since = _instant("from", from_text, errors, whole_day=timedelta(0))
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
