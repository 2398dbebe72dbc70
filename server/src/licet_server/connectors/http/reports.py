"""Routes of the reports of orders by email."""

from uuid import UUID

from litestar.params import FromPath, JSONBody

from licet_server.connectors.schemas.orders import report_csv
from licet_server.connectors.schemas.reports import (
    NewOrderReport,
    OrderReportBody,
    OrderReportsView,
    OrderReportView,
    SendOrderReportBody,
    StopOrderReportBody,
    order_report_view,
)
from licet_server.connectors.service import reports
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import time_zones
from licet_server.kit.database import Connection
from licet_server.kit.emails import read_email
from licet_server.kit.errors import ErrorCode
from licet_server.kit.limits import address_bucket, take
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import RequestContext
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Orders")
_VIEWER = InstitutionRole(Role.VIEWER)
_ADMIN = InstitutionRole(Role.ADMIN)
_REPORTS = "/api/institutions/{institution_id:uuid}/order-reports"
_REPORT = f"{_REPORTS}/{{user_id:uuid}}"
_STOPS_PER_MINUTE = 20


@ROUTES.get(_REPORTS, access=_VIEWER)
async def list_order_reports(
    db: Given[Connection], operator: Given[Operator], institution_id: FromPath[UUID]
) -> OrderReportsView:
    """List who receives reports of orders by email; Viewers see whether they do themselves."""
    found = await reports.list_reports(db, operator, institution_id)
    zones = await time_zones(db, [institution_id])
    return OrderReportsView(
        time_zone=str(zones[institution_id]), reports=[order_report_view(item) for item in found]
    )


@ROUTES.post(_REPORTS, access=_ADMIN, problems=(ErrorCode.CONFLICT,))
async def add_order_report(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[NewOrderReport],
) -> OrderReportView:
    """Email the orders of each past day, week or month to an address outside the team, as CSV.

    Up to ten addresses. Each email has a link that stops the reports to its address alone.
    """
    email = read_email(data.email) or data.email
    added = await reports.add_address(work, operator, institution_id, email, data.plan())
    return order_report_view(added)


@ROUTES.act(f"{_REPORTS}/send", access=_VIEWER, problems=(ErrorCode.RATE_LIMITED,))
async def send_order_report(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[SendOrderReportBody],
) -> None:
    """Email the report of the last day, week or month that is over to yourself.

    Up to 20 times an hour. The reports that are planned stay as they are.
    """
    await reports.send_now(
        platform, context.origin(), operator, institution_id, data.period, report_csv
    )


@ROUTES.put(_REPORT, access=_VIEWER, problems=(ErrorCode.CONFLICT,))
async def choose_order_report(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    user_id: FromPath[UUID],
    data: JSONBody[OrderReportBody],
) -> OrderReportView:
    """Email the orders of each past day, week or month to a member, as CSV.

    A report is sent at a time of the first day after the period, both in the time zone of the
    institution, without test sales. One of more than 1,000 orders or 2 MB has a link to the orders
    instead. Owners and Admins choose for every Owner, Admin and Viewer; Viewers for themselves.
    For an address outside the team, `userId` is the ID of its report.
    """
    return order_report_view(
        await reports.choose_report(work, operator, institution_id, user_id, data.plan())
    )


@ROUTES.delete(_REPORT, access=_VIEWER)
async def stop_order_report(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    user_id: FromPath[UUID],
) -> None:
    """Email no more orders to a member, or to the address of the report with this ID."""
    await reports.stop_report(work, operator, institution_id, user_id)


@ROUTES.act(
    "/api/order-reports/stop",
    access=Anonymous(),
    problems=(ErrorCode.NOT_FOUND, ErrorCode.RATE_LIMITED),
    status_code=204,
)
async def stop_order_report_by_link(
    platform: Given[Platform],
    context: Given[RequestContext],
    data: JSONBody[StopOrderReportBody],
) -> None:
    """Stop the reports to the address whose emails have this link; other addresses keep theirs."""
    origin = context.origin()
    bucket = address_bucket("order-report-stop", origin.ip_address)
    await take(platform.database, bucket, _STOPS_PER_MINUTE, platform.clock())
    async with platform.unit_of_work(origin) as work:
        await reports.stop_by_token(work, data.token)
