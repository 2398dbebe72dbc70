"""When reports of orders are due, what period each is about, and who may stop one."""

import hashlib
import hmac
import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from uuid import UUID

from licet_server.kit.dates import day_in_words

ORDERS_MAX = 1_000
BYTES_MAX = 2_000_000
"""A report with more is not attached: mail servers refuse large emails."""

ADDRESSES_MAX = 10
"""How many addresses outside the team an institution may send reports to."""

SENT_NOW_PER_HOUR = 20

TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
MIDNIGHT = "00:00"


class ReportPeriod(StrEnum):
    """How often a report is sent: after each day, each week, from Monday on, or each month."""

    DAY = "Day"
    WEEK = "Week"
    MONTH = "Month"


_LATE_AT_MOST = {
    ReportPeriod.DAY: timedelta(days=7),
    ReportPeriod.WEEK: timedelta(days=92),
    ReportPeriod.MONTH: timedelta(days=92),
}


class ReportStatus(StrEnum):
    """What became of the report that was last due."""

    QUEUED = "Queued"
    SENT = "Sent"
    FAILED = "Failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderReport:
    """The report of orders that a member or another address receives.

    The next one is due on the day `due_on`, the first after the period that it is about, at
    `time_of_day` in the time zone of the institution; that instant is `due_at`. None is due once
    the recipient has stopped it.
    """

    institution_id: UUID
    id: UUID
    user_id: UUID | None
    email: str | None
    period: ReportPeriod
    time_of_day: str = MIDNIGHT
    due_on: date | None = None
    due_at: datetime | None = None
    stopped_at: datetime | None = None
    last_at: datetime | None = None
    last_mail_id: UUID | None = None
    last_status: ReportStatus | None = None
    last_error: str | None = None

    def planned(
        self, period: ReportPeriod, time_of_day: str, zone: tzinfo, now: datetime
    ) -> "OrderReport":
        """Return the report with another plan: from the end of the present period on.

        Another time of day alone leaves out no period, and repeats none.
        """
        due_on = self.due_on if period is self.period else None
        chosen = replace(self, period=period, time_of_day=time_of_day)
        return chosen._due(due_on or next_begin(period, now.astimezone(zone).date()), zone)

    def due_in(self, zone: tzinfo, now: datetime) -> "OrderReport":
        """Return the report as it is due where the zone has changed since it was planned.

        What is due for too long, a week for that of a day and else three months, is left out.
        """
        if self.due_on is None:
            return self
        earliest = now.astimezone(zone).date() - _LATE_AT_MOST[self.period]
        is_late = self.due_on < earliest
        return self._due(next_begin(self.period, earliest) if is_late else self.due_on, zone)

    def after(self, zone: tzinfo) -> "OrderReport":
        """Return the report after this one."""
        return (
            self if self.due_on is None else self._due(next_begin(self.period, self.due_on), zone)
        )

    def stopped(self, now: datetime) -> "OrderReport":
        """Return the report as its recipient has stopped it."""
        return replace(self, due_on=None, due_at=None, stopped_at=self.stopped_at or now)

    def settled(self, status: ReportStatus, error: str | None) -> "OrderReport":
        """Return the report with what became of the last one."""
        return replace(self, last_status=status, last_error=error)

    def _due(self, day: date, zone: tzinfo) -> "OrderReport":
        # No request can store a damaged time of day; one from elsewhere holds up no report.
        is_time = TIME_OF_DAY.fullmatch(self.time_of_day)
        at = time.fromisoformat(self.time_of_day if is_time else MIDNIGHT)
        # A time that the clocks skip is that of before, an hour later; of one that comes twice,
        # it is the first.
        return replace(self, due_on=day, due_at=_instant(day, at, zone))


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
        if self.first == self.last:
            return day_in_words(self.first, "en")
        if self.first.month == self.last.month and self.last.day - self.first.day > 6:
            return f"{self.first:%B %Y}"
        return f"{day_in_words(self.first, 'en')} to {day_in_words(self.last, 'en')}"


def span_before(period: ReportPeriod, day: date, zone: tzinfo) -> Span:
    """Return the period that ends when this day begins."""
    last = day - timedelta(days=1)
    first = {
        ReportPeriod.DAY: last,
        ReportPeriod.WEEK: last - timedelta(days=6),
        ReportPeriod.MONTH: last.replace(day=1),
    }[period]
    return Span(first, last, _instant(first, time(), zone), _instant(day, time(), zone))


def last_span(period: ReportPeriod, now: datetime, zone: tzinfo) -> Span:
    """Return the last period that is over."""
    today = now.astimezone(zone).date()
    begin = {
        ReportPeriod.DAY: today,
        ReportPeriod.WEEK: today - timedelta(days=today.weekday()),
        ReportPeriod.MONTH: today.replace(day=1),
    }[period]
    return span_before(period, begin, zone)


def next_begin(period: ReportPeriod, day: date) -> date:
    """Return on which day the period after that of a day begins."""
    if period is ReportPeriod.DAY:
        return day + timedelta(days=1)
    if period is ReportPeriod.WEEK:
        return day + timedelta(days=7 - day.weekday())
    return (day.replace(day=1) + timedelta(days=31)).replace(day=1)


def _instant(day: date, at: time, zone: tzinfo) -> datetime:
    return datetime.combine(day, at, zone).astimezone(UTC)


STOPS = "order-report-stops"
"""The purpose of the key that signs the links which stop a report."""


def stop_token(report: OrderReport, key: bytes) -> str:
    """Return what stops this report alone, for the link in its emails."""
    named = f"{report.institution_id.hex}{report.id.hex}"
    return named + hmac.digest(key, named.encode(), hashlib.sha256).hex()


def report_of_token(token: str, key: bytes) -> tuple[UUID, UUID] | None:
    """Return the institution and the ID of the report that a token stops, if it is right."""
    named, mac = token[:64], token[64:]
    expected = hmac.digest(key, named.encode(), hashlib.sha256).hex()
    if not hmac.compare_digest(mac.encode(), expected.encode()):
        return None
    return UUID(named[:32]), UUID(named[32:])
