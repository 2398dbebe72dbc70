"""Routes of products."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, Parameter, QueryParameter

from licet_server.catalog.schemas.products import (
    ProductBody,
    ProductChange,
    ProductView,
    product_draft,
    product_view,
)
from licet_server.catalog.service import products
from licet_server.catalog.service.associations import Associations
from licet_server.catalog.service.lookup import fetch_product
from licet_server.identity.access import StepUp
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.body import given
from licet_server.kit.web.dependencies import Given

_READ = InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)
_TAGS = ["Products"]
_PATH = "/api/products/{product_id:uuid}"


@get("/api/products", access=_READ, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def list_products(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    search: Annotated[
        str | None, Parameter(max_length=200, description="Part of the name, case-insensitive.")
    ] = None,
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[ProductView]:
    """List the visible products. Sorts by name, createdAt, updatedAt, licenseCount."""
    listing = await products.list_products(db, operator, paging, search, institution_id)
    return listing.of(product_view)


@post(
    "/api/products",
    access=_WRITE,
    problems=(
        ErrorCode.CONFLICT,
        ErrorCode.PLAN_LIMIT_REACHED,
        ErrorCode.RATE_LIMITED,
    ),
    tags=_TAGS,
)
async def create_product(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    associations: Given[Associations],
    data: JSONBody[ProductBody],
) -> ProductView:
    """Create a product with a published first release and one product key.

    `associatedInstitutionIds` are invited, as by `POST /api/products/{id}/associations`; they are
    associated once one of their Owners accepts.
    """
    draft = product_draft(data)
    institution_id = operator.institution_for_new(draft.institution_id)
    if draft.invited_institution_ids and institution_id is not None:
        await associations.count_invitation(operator, institution_id)
    return product_view(await products.create_product(work, operator, draft))


@get(_PATH, access=_READ, tags=_TAGS)
async def show_product(
    db: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> ProductView:
    """Get a product."""
    return product_view(await fetch_product(db, operator, product_id))


@put(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT,), tags=_TAGS)
async def change_product(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    data: JSONBody[ProductChange],
) -> ProductView:
    """Change a product; it can become Opened once its associations are removed."""
    return product_view(await products.change_product(work, operator, product_id, given(data)))


@delete(_PATH, access=_WRITE, step_up=StepUp(), problems=(ErrorCode.CONFLICT,), tags=_TAGS)
async def delete_product(
    work: Given[UnitOfWork], operator: Given[Operator], product_id: FromPath[UUID]
) -> None:
    """Delete a product without licenses, and everything in it, permanently."""
    await products.delete_product(work, operator, product_id)


ROUTES: list[HTTPRouteHandler] = [
    list_products,
    create_product,
    show_product,
    change_product,
    delete_product,
]
