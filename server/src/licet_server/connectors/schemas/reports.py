"""Wire shapes of reports of orders."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.connectors.rules.reports import OrderReport, ReportPeriod
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of


class OrderReportBody(Body):
    """How often a member receives the report."""

    period: ReportPeriod


class OrderReportView(Struct, rename="camel", kw_only=True):
    """The report of orders that a member receives by e-mail, the next one at `nextAt`."""

    user_id: UUID
    period: ReportPeriod
    next_at: datetime


class OrderReportsView(Struct, rename="camel", kw_only=True):
    """Who receives reports of orders."""

    reports: list[OrderReportView]


def order_report_view(report: OrderReport) -> OrderReportView:
    """Return a report for the wire."""
    return view_of(OrderReportView, report, next_at=report.due_at)
