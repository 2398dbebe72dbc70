"""Routes of orders."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.connectors.rules.model import OrderFilter, OrderStatus
from licet_server.connectors.schemas.orders import (
    OrderChange,
    OrderDetailsView,
    OrderView,
    order_details_view,
    order_view,
)
from licet_server.connectors.service import orders
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given, instant_of
from licet_server.kit.web.routes import Routes

_READ = InstitutionRole(Role.VIEWER, Scope.CUSTOMERS_READ, Scope.CONNECTORS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.CUSTOMERS_WRITE, Scope.CONNECTORS_WRITE)
ROUTES = Routes("Orders")


@ROUTES.get("/api/orders", access=_READ, problems=(ErrorCode.NOT_FOUND,))
async def list_orders(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
    connector_id: Annotated[UUID | None, QueryParameter(name="connectorId")] = None,
    customer_id: Annotated[UUID | None, QueryParameter(name="customerId")] = None,
    status: Annotated[OrderStatus | None, QueryParameter(name="status")] = None,
    has_problem: Annotated[
        bool | None,
        QueryParameter(name="hasProblem", description="With a `problem`: something is missing."),
    ] = None,
    search: Annotated[
        str | None,
        QueryParameter(
            max_length=200, description="The beginning of the ID in the shop, or of the address."
        ),
    ] = None,
    test_mode: Annotated[bool | None, QueryParameter(name="testMode")] = None,
    since: Annotated[
        datetime | None, QueryParameter(name="from", description="Created at this time or later.")
    ] = None,
    until: Annotated[
        datetime | None, QueryParameter(name="to", description="Created before this time.")
    ] = None,
) -> Listing[OrderView]:
    """List orders, including those that no rule matches; with `Accept: text/csv`, all as CSV.

    Sorts by createdAt, updatedAt. Members see none.
    """
    filters = OrderFilter(
        connector_id=connector_id,
        customer_id=customer_id,
        status=status,
        has_problem=has_problem,
        is_test=test_mode,
        search=(search or "").strip() or None,
        since=instant_of("from", since),
        until=instant_of("to", until),
    )

    async def fetch(connection: Connection, step: Paging) -> Listing[OrderView]:
        found = await orders.list_orders(connection, operator, institution_id, filters, step)
        return found.of(order_view)

    of = institution_id or operator.first_institution
    return await list_or_csv(
        request, db, platform, paging, operator.user_id, of, "orders.csv", OrderView, fetch
    )


@ROUTES.get("/api/orders/{order_id:uuid}", access=_READ)
async def show_order(
    db: Given[Connection],
    operator: Given[Operator],
    platform: Given[Platform],
    order_id: FromPath[UUID],
) -> OrderDetailsView:
    """Get an order with its licenses."""
    details = await orders.fetch_order(db, operator, order_id)
    return order_details_view(details, platform.clock())


@ROUTES.put("/api/orders/{order_id:uuid}", access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def change_order(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    order_id: FromPath[UUID],
    data: JSONBody[OrderChange],
) -> OrderDetailsView:
    """Give an order the buyer's address that it lacks; then it is processed.

    Refused once the order has one. An address that the provider names later takes its place.
    """
    details = await orders.give_address(work, operator, order_id, data.email)
    return order_details_view(details, work.now)
