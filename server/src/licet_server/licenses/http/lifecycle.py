"""Revoke, suspend, reinstate and convert licenses."""

from uuid import UUID

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.errors import ErrorCode
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.http.views import show
from licet_server.licenses.schemas import (
    ConvertLicenseBody,
    LicenseView,
    ReasonBody,
    in_utc,
)
from licet_server.licenses.service import lifecycle
from licet_server.licenses.service.hooks import CurrentUsageReader

_ADMIN = InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE)
_TAGS = ["Licenses"]


@post("/api/licenses/{license_id:uuid}/revoke", access=_ADMIN, status_code=200, tags=_TAGS)
async def revoke_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
    data: JSONBody[ReasonBody | None] = None,
) -> LicenseView:
    """Revoke a license for good. Validation fails at once; license files at their next refresh."""
    reason = data.reason if data is not None else None
    return await show(work, read_usage, await lifecycle.revoke(work, operator, license_id, reason))


@post(
    "/api/licenses/{license_id:uuid}/suspend",
    access=_ADMIN,
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_TAGS,
)
async def suspend_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
    data: JSONBody[ReasonBody | None] = None,
) -> LicenseView:
    """Suspend a license until it is reinstated."""
    reason = data.reason if data is not None else None
    return await show(work, read_usage, await lifecycle.suspend(work, operator, license_id, reason))


@post(
    "/api/licenses/{license_id:uuid}/reinstate",
    access=_ADMIN,
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_TAGS,
)
async def reinstate_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
) -> LicenseView:
    """Reinstate a suspended license."""
    return await show(work, read_usage, await lifecycle.reinstate(work, operator, license_id))


@post(
    "/api/licenses/{license_id:uuid}/convert",
    access=_ADMIN,
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_TAGS,
)
async def convert_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
    data: JSONBody[ConvertLicenseBody],
) -> LicenseView:
    """Convert a trial into a paid license with the same key."""
    license_ = await lifecycle.convert(
        work,
        operator,
        license_id,
        target=data.license_type,
        expiration_date=in_utc(data.expiration_date),
        max_active_users_count=data.max_active_users_count,
    )
    return await show(work, read_usage, license_)


ROUTES: list[HTTPRouteHandler] = [
    revoke_license,
    suspend_license,
    reinstate_license,
    convert_license,
]
