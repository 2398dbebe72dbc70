"""When reports of orders are due, and what period each is about."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from uuid import UUID

from licet_server.kit.dates import day_in_words

ORDERS_MAX = 1_000
BYTES_MAX = 2_000_000
"""A report with more is not attached: mail servers refuse large emails."""

_MOVED_AT_MOST = timedelta(days=2)
"""More than an institution moves the begin of a period by choosing another time zone."""


_LATE_AT_MOST = timedelta(days=92)


class ReportPeriod(StrEnum):
    """How often a report is sent: after each week, from Monday on, or after each month."""

    WEEK = "Week"
    MONTH = "Month"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderReport:
    """The report of orders that a member receives; the next one is due at `due_at`."""

    institution_id: UUID
    user_id: UUID
    period: ReportPeriod
    due_at: datetime

    def due_in(self, zone: tzinfo, now: datetime) -> "OrderReport":
        """Return the report as it is due where the zone has changed since it was planned.

        Periods that ended more than three months ago are left out.
        """
        due_at = max(self.due_at, now - _LATE_AT_MOST)
        return replace(self, due_at=next_begin(self.period, due_at - _MOVED_AT_MOST, zone))

    def after(self, zone: tzinfo) -> "OrderReport":
        """Return the report after this one."""
        return replace(self, due_at=next_begin(self.period, self.due_at, zone))

    def span(self, zone: tzinfo) -> "Span":
        """Return the period that the report is about, which ends when it is due."""
        last = self.due_at.astimezone(zone).date() - timedelta(days=1)
        is_month = self.period is ReportPeriod.MONTH
        first = last.replace(day=1) if is_month else last - timedelta(days=6)
        return Span(first, last, _midnight(first, zone), self.due_at)


@dataclass(frozen=True, slots=True)
class Span:
    """Days, the last one included, and the instants at which they begin and end."""

    first: date
    last: date
    since: datetime
    until: datetime

    @property
    def name(self) -> str:
        """What the days are called."""
        if self.first.month == self.last.month and self.last.day - self.first.day > 6:
            return f"{self.first:%B %Y}"
        return f"{day_in_words(self.first, 'en')} to {day_in_words(self.last, 'en')}"


def next_begin(period: ReportPeriod, instant: datetime, zone: tzinfo) -> datetime:
    """Return when the next week or month begins in a time zone."""
    day = instant.astimezone(zone).date()
    if period is ReportPeriod.WEEK:
        return _midnight(day + timedelta(days=7 - day.weekday()), zone)
    return _midnight((day.replace(day=1) + timedelta(days=31)).replace(day=1), zone)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
