"""Routes of API keys."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.access import StepUp
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.schemas.institutions import (
    ApiKeyBody,
    ApiKeyView,
    IssuedApiKeyView,
    api_key_view,
    issued_api_key_view,
)
from licet_server.institutions.service import api_keys
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

_ADMIN = InstitutionRole(Role.ADMIN)
ROUTES = Routes("API keys")


@ROUTES.get("/api/api-keys", access=_ADMIN, problems=(ErrorCode.NOT_FOUND,))
async def list_api_keys(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[ApiKeyView]:
    """List the API keys of the caller's institutions, including revoked ones.

    Sorts by name, createdAt.
    """
    return (await api_keys.list_api_keys(db, operator, institution_id, paging)).of(api_key_view)


@ROUTES.post("/api/api-keys", access=_ADMIN, step_up=StepUp(), problems=(ErrorCode.CONFLICT,))
async def create_api_key(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[ApiKeyBody]
) -> IssuedApiKeyView:
    """Create an API key. Its secret is shown in this response only.

    An `ipAllowList` that does not include the caller's own address needs `confirm: true`.
    """
    issued = await api_keys.create_api_key(
        work,
        operator,
        data.institution_id,
        expires=data.expiration_date,
        fields=data.fields(),
        is_confirmed=data.confirm,
    )
    return issued_api_key_view(issued)


@ROUTES.act(
    "/api/api-keys/{key_id:uuid}/rotate",
    access=_ADMIN,
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
)
async def rotate_api_key(
    work: Given[UnitOfWork], operator: Given[Operator], key_id: FromPath[UUID]
) -> IssuedApiKeyView:
    """Replace the secret of an API key, shown in this response only; the old one stops working.

    The caller becomes the key's maker: it can do no more than they may, and ends with their
    membership.
    """
    return issued_api_key_view(await api_keys.rotate_api_key(work, operator, key_id))


@ROUTES.delete("/api/api-keys/{key_id:uuid}", access=_ADMIN)
async def revoke_api_key(
    work: Given[UnitOfWork], operator: Given[Operator], key_id: FromPath[UUID]
) -> None:
    """Revoke an API key, immediately and permanently."""
    await api_keys.revoke_api_key(work, operator, key_id)
