"""Routes of access attempts, for Owners and Admins."""

from uuid import UUID

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from licet_server.devices.schemas import AccessAttemptView, attempt_view
from licet_server.devices.service import attempts
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given

_ADMIN = InstitutionRole(Role.ADMIN)
_TAGS = ["Devices"]


@get("/api/licenses/{license_id:uuid}/access-attempts", access=_ADMIN, tags=_TAGS)
async def list_attempts(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[AccessAttemptView]:
    """List devices that were denied because the node-locked license is bound to another one."""
    listing = await attempts.list_attempts(db, operator, license_id, paging)
    return listing.of(attempt_view)


@post(
    "/api/licenses/{license_id:uuid}/access-attempts/{attempt_id:uuid}/acknowledge",
    access=_ADMIN,
    status_code=200,
    tags=_TAGS,
)
async def acknowledge_attempt(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    attempt_id: FromPath[UUID],
) -> AccessAttemptView:
    """Mark an access attempt as reviewed."""
    attempt = await attempts.acknowledge_attempt(
        work, operator, license_id=license_id, attempt_id=attempt_id
    )
    return attempt_view(attempt)


ROUTES: list[HTTPRouteHandler] = [list_attempts, acknowledge_attempt]
