"""The route of sales."""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from litestar.params import QueryParameter

from licet_server.connectors.schemas.sales import SalesStatistics, sales_statistics
from licet_server.connectors.service.sales import sales
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.dependencies import Given, instant_of
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Statistics")

_YEAR = timedelta(days=365)
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


@ROUTES.get(
    "/api/statistics/sales",
    access=InstitutionRole(Role.VIEWER, Scope.STATISTICS_READ),
    problems=(ErrorCode.NOT_FOUND,),
)
async def show_sales_statistics(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
    since: Annotated[
        datetime | None,
        QueryParameter(name="from", description="By default a year before the end."),
    ] = None,
    until: Annotated[
        datetime | None, QueryParameter(name="to", description="By default now.")
    ] = None,
) -> SalesStatistics:
    """Sum what the orders of an institution brought in, each currency for itself.

    An order counts in the month in which it was made, with all that was paid for it and paid back
    since; test sales do not count. `byCustomer` has the 1,000 largest sums; it is empty for an API
    key without `Customers.Read`. Members see none.
    """
    end = instant_of("to", until) or platform.clock()
    start = instant_of("from", since) or max(end, _EARLIEST) - _YEAR
    found = await sales(db, operator, institution_id, start, end)
    return sales_statistics(found, start, end)
