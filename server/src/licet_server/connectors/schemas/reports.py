"""Wire shapes of the reports of orders: who receives them, when, and what became of the last."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.connectors.rules.reports import (
    MIDNIGHT,
    TIME_OF_DAY,
    OrderReport,
    ReportPeriod,
    ReportStatus,
)
from licet_server.connectors.service.reports import Plan
from licet_server.kit.emails import read_email
from licet_server.kit.errors import FieldError
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of


class OrderReportBody(Body):
    """How often a report is sent, and when: `timeOfDay` is that of the institution, as 07:30."""

    period: ReportPeriod
    time_of_day: str = MIDNIGHT

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        given: object = self.time_of_day
        if isinstance(given, str) and TIME_OF_DAY.fullmatch(given) is None:
            yield FieldError("timeOfDay", "must be a time of the day, such as 07:30.")

    def plan(self) -> Plan:
        """Return the plan of a validated body."""
        return Plan(self.period, self.time_of_day)


class NewOrderReport(OrderReportBody, kw_only=True):
    """An address outside the team, and how often and when a report is sent to it."""

    email: Annotated[str, Meta(min_length=3, max_length=254)]

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        given: object = self.email  # `None` where what was sent is no text
        if isinstance(given, str) and read_email(given) is None:
            yield FieldError("email", "must be an email address.")
        yield from super().breaches(now)


class SendOrderReportBody(Body):
    """Which report to send: that of the last day, week or month that is over."""

    period: ReportPeriod


class StopOrderReportBody(Body):
    """What the link in a report says."""

    token: Annotated[str, Meta(max_length=200)]


class OrderReportView(Struct, rename="camel", kw_only=True):
    """The report of orders that a member or another address receives by email.

    The next one is sent at `nextAt`; null once the recipient has stopped it, at `stoppedAt`. The
    last one was due at `lastAt`; `lastStatus` is what became of it, and `lastError` why it failed.
    The ID of the report to a member is that of the user.
    """

    id: UUID
    user_id: UUID | None
    email: str | None
    period: ReportPeriod
    time_of_day: str
    next_at: datetime | None
    stopped_at: datetime | None
    last_at: datetime | None
    last_status: ReportStatus | None
    last_error: str | None


class OrderReportsView(Struct, rename="camel", kw_only=True):
    """Who receives reports of orders, in days and times of this time zone."""

    time_zone: str
    reports: list[OrderReportView]


def order_report_view(report: OrderReport) -> OrderReportView:
    """Return a report for the wire."""
    return view_of(OrderReportView, report, next_at=report.due_at)
