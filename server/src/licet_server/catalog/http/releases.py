"""Routes of releases."""

from uuid import UUID

from litestar import delete, get, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody
from msgspec.structs import asdict

from licet_server.catalog.schemas.releases import (
    ReleaseBody,
    ReleaseChange,
    ReleaseView,
    release_view,
)
from licet_server.catalog.service import releases
from licet_server.catalog.service.releases import fetch_release
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

_READ = InstitutionRole(Role.VIEWER, Scope.RELEASES_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.RELEASES_WRITE)
_TAGS = ["Releases"]
_OF_PRODUCT = "/api/products/{product_id:uuid}/releases"
_PATH = "/api/releases/{release_id:uuid}"


@get(_OF_PRODUCT, access=_READ, tags=_TAGS)
async def list_releases(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    product_id: FromPath[UUID],
) -> Listing[ReleaseView]:
    """List the releases of a product. Sorts by version, channel, status, createdAt, publishedAt."""
    listing = await releases.list_releases(db, operator, product_id, paging)
    return listing.of(release_view)


@post(_OF_PRODUCT, access=_WRITE, problems=(ErrorCode.CONFLICT,), tags=_TAGS)
async def create_release(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    data: JSONBody[ReleaseBody],
) -> ReleaseView:
    """Create a release; a draft, unless a status is given."""
    return release_view(await releases.create_release(work, operator, product_id, asdict(data)))


@get(_PATH, access=_READ, tags=_TAGS)
async def show_release(
    db: Given[Connection], operator: Given[Operator], release_id: FromPath[UUID]
) -> ReleaseView:
    """Get a release."""
    return release_view(await fetch_release(db, operator, release_id))


@put(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT,), tags=_TAGS)
async def change_release(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    release_id: FromPath[UUID],
    data: JSONBody[ReleaseChange],
) -> ReleaseView:
    """Change a release; publish, yank or republish it."""
    return release_view(await releases.change_release(work, operator, release_id, given(data)))


@delete(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT,), tags=_TAGS)
async def delete_release(
    work: Given[UnitOfWork], operator: Given[Operator], release_id: FromPath[UUID]
) -> None:
    """Delete a release that no license is bound to."""
    await releases.delete_release(work, operator, release_id)


ROUTES: list[HTTPRouteHandler] = [
    list_releases,
    create_release,
    show_release,
    change_release,
    delete_release,
]
