"""Routes of reports of orders."""

from uuid import UUID

from litestar.params import FromPath, JSONBody

from licet_server.connectors.schemas.reports import (
    OrderReportBody,
    OrderReportsView,
    OrderReportView,
    order_report_view,
)
from licet_server.connectors.service import reports
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Orders")

_VIEWER = InstitutionRole(Role.VIEWER)
_REPORTS = "/api/institutions/{institution_id:uuid}/order-reports"
_REPORT = f"{_REPORTS}/{{user_id:uuid}}"


@ROUTES.get(_REPORTS, access=_VIEWER)
async def list_order_reports(
    db: Given[Connection], operator: Given[Operator], institution_id: FromPath[UUID]
) -> OrderReportsView:
    """List who receives reports of orders by e-mail; Viewers see whether they do themselves."""
    found = await reports.list_reports(db, operator, institution_id)
    return OrderReportsView(reports=[order_report_view(item) for item in found])


@ROUTES.put(_REPORT, access=_VIEWER, problems=(ErrorCode.CONFLICT,))
async def choose_order_report(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    user_id: FromPath[UUID],
    data: JSONBody[OrderReportBody],
) -> OrderReportView:
    """E-mail the orders of each past week or month to a member, as CSV.

    A report is sent as soon as the period is over in the time zone of the institution, without test
    sales. One of more than 1,000 orders or 2 MB has a link to the orders instead. Owners and Admins
    choose for every Owner, Admin and Viewer; Viewers for themselves.
    """
    return order_report_view(
        await reports.choose_report(work, operator, institution_id, user_id, data.period)
    )


@ROUTES.delete(_REPORT, access=_VIEWER)
async def stop_order_report(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    user_id: FromPath[UUID],
) -> None:
    """E-mail no more orders to a member."""
    await reports.stop_report(work, operator, institution_id, user_id)
