"""Routes of test clocks."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.catalog.schemas.clocks import (
    ClockAdvanceBody,
    ProductClockBody,
    ProductClockView,
    clock_view,
)
from licet_server.catalog.service import clocks
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.look_ups import LookUps
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

_READ = InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)
ROUTES = Routes("Test clocks")
_CLOCK = "/api/test-clocks/{clock_id:uuid}"


@ROUTES.get("/api/test-clocks", access=_READ)
async def list_test_clocks(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    product_id: Annotated[UUID | None, QueryParameter(name="productId")] = None,
) -> Listing[ProductClockView]:
    """List the clocks of the visible Test products. Sorts by createdAt."""
    return (await clocks.list_clocks(db, operator, product_id, paging)).of(clock_view)


@ROUTES.post("/api/test-clocks", access=_WRITE, problems=(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT))
async def create_test_clock(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[ProductClockBody]
) -> ProductClockView:
    """Give a Test product a clock. What is decided by time goes by it from then on.

    The clock starts at the present, and goes ahead to `now` if that is given. A product has one.
    """
    return clock_view(await clocks.create_clock(work, operator, data.product_id, data.now))


@ROUTES.get(_CLOCK, access=_READ)
async def show_test_clock(
    look_ups: Given[LookUps], operator: Given[Operator], clock_id: FromPath[UUID]
) -> ProductClockView:
    """Get a test clock."""
    return clock_view(await clocks.fetch_clock(look_ups, operator, clock_id))


@ROUTES.post(f"{_CLOCK}/advance", access=_WRITE, problems=(ErrorCode.CONFLICT,), status_code=202)
async def advance_test_clock(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    clock_id: FromPath[UUID],
    data: JSONBody[ClockAdvanceBody],
) -> ProductClockView:
    """Move a test clock forward: to a time, by days, or to the next event.

    It visits every instant in between at which something is due, in order. It is Advancing until it
    arrives; then it is Ready.
    """
    return clock_view(await clocks.advance_clock(work, operator, clock_id, data.target_from()))


@ROUTES.delete(_CLOCK, access=_WRITE)
async def delete_test_clock(
    work: Given[UnitOfWork], operator: Given[Operator], clock_id: FromPath[UUID]
) -> None:
    """Delete a test clock; its product goes by the present again, and keeps what it has."""
    await clocks.delete_clock(work, operator, clock_id)
