"""Routes of institutions."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import UNSET

from licet_server.identity.access import StepUp
from licet_server.identity.rules.lasting import Lasting
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole, SignedIn, SystemAdminOperator
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.schemas.institutions import (
    InstitutionBody,
    InstitutionChange,
    InstitutionView,
    PlanBody,
    institution_view,
)
from licet_server.institutions.service import institutions, plans
from licet_server.institutions.service.institutions import fetch_institution, rename_institution
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given


@get("/api/institutions", access=SignedIn(scope=Scope.PRODUCTS_READ), tags=["Institutions"])
async def list_institutions(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    search: Annotated[str | None, QueryParameter(max_length=200)] = None,
) -> Listing[InstitutionView]:
    """List the institutions that the caller belongs to; all of them for a system Admin.

    An API key sees the one that it works in.
    """
    listing = await institutions.list_institutions(db, operator, paging, search)
    return listing.of(institution_view)


@post("/api/institutions", access=SignedIn(leaves=Lasting.MEMBERSHIP), tags=["Institutions"])
async def create_institution(
    work: Given[UnitOfWork],
    platform: Given[Platform],
    operator: Given[Operator],
    data: JSONBody[InstitutionBody],
) -> InstitutionView:
    """Create an institution; the caller becomes its Owner.

    The caller must be an Owner or Admin of another one, whose plan it gets, or belong to none while
    sign-up is open.
    """
    settings = platform.settings
    return institution_view(
        await institutions.create_institution(work, settings, operator, data.name)
    )


@get(
    "/api/institutions/{institution_id:uuid}",
    access=InstitutionRole(Role.VIEWER),
    tags=["Institutions"],
)
async def show_institution(
    db: Given[Connection], operator: Given[Operator], institution_id: FromPath[UUID]
) -> InstitutionView:
    """Show an institution."""
    return institution_view(await fetch_institution(db, operator, institution_id))


@put(
    "/api/institutions/{institution_id:uuid}",
    access=InstitutionRole(Role.ADMIN),
    tags=["Institutions"],
)
async def change_institution(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[InstitutionChange],
) -> InstitutionView:
    """Rename an institution."""
    name = None if data.name is UNSET else data.name
    return institution_view(await rename_institution(work, operator, institution_id, name))


@delete(
    "/api/institutions/{institution_id:uuid}",
    access=InstitutionRole(Role.OWNER),
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
    tags=["Institutions"],
)
async def delete_institution(
    work: Given[UnitOfWork], operator: Given[Operator], institution_id: FromPath[UUID]
) -> None:
    """Delete an institution without products, permanently."""
    await institutions.delete_institution(work, operator, institution_id)


@put(
    "/api/institutions/{institution_id:uuid}/plan",
    access=SystemAdminOperator(),
    tags=["Institutions"],
)
async def set_plan(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[PlanBody],
) -> InstitutionView:
    """Set how many products and licenses an institution may have."""
    institution = await plans.set_plan(work, operator, institution_id, data.plan, data.own_limits())
    return institution_view(institution)


ROUTES: list[HTTPRouteHandler] = [
    list_institutions,
    create_institution,
    show_institution,
    change_institution,
    delete_institution,
    set_plan,
]
