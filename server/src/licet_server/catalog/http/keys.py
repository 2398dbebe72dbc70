"""Routes of product keys and signing keys."""

from uuid import UUID

from litestar import Response, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.catalog.schemas.keys import (
    CredentialsView,
    GenerateSigningKeyBody,
    PublicKeyView,
    RotateProductKeyBody,
    SigningKeyStatusView,
    SigningKeyView,
    credentials_view,
    public_key_pem,
    public_key_view,
    signing_key_status_view,
    signing_key_view,
)
from licet_server.catalog.service import keys
from licet_server.catalog.service.credentials import (
    delete_product_key,
    fetch_credentials,
    rotate_product_key,
)
from licet_server.catalog.service.keys import SigningKeys, fetch_public_key, find_public_key
from licet_server.identity.access import StepUp
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given

_READ = InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ)
_ADMIN = InstitutionRole(Role.ADMIN)
_KEY_TAGS = ["Product keys"]
_CREDENTIALS = "/api/products/{product_id:uuid}/credentials"
_KEYS = "/api/products/{product_id:uuid}/keys"
_PEM = "application/x-pem-file"


@get(_CREDENTIALS, access=_ADMIN, tags=_KEY_TAGS)
async def show_credentials(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    product_id: FromPath[UUID],
) -> CredentialsView:
    """List the live product keys, newest first."""
    now = platform.clock()
    return credentials_view(
        await fetch_credentials(db, platform.keyring, operator, product_id, now)
    )


@post(
    f"{_CREDENTIALS}/rotate",
    access=_ADMIN,
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_KEY_TAGS,
)
async def rotate_credentials(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    data: JSONBody[RotateProductKeyBody | None] = None,
) -> CredentialsView:
    """Add a product key; older ones expire after the grace period, or live until revoked."""
    grace_seconds = data.grace_seconds if data is not None else None
    return credentials_view(await rotate_product_key(work, operator, product_id, grace_seconds))


@delete(
    _CREDENTIALS + "/{key_id:uuid}",
    access=_ADMIN,
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
    tags=_KEY_TAGS,
)
async def delete_credential(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    key_id: FromPath[UUID],
) -> None:
    """Revoke a product key at once; the last one cannot be revoked."""
    await delete_product_key(work, operator, product_id, key_id)


@post(
    f"{_KEYS}/generate",
    access=_ADMIN,
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_KEY_TAGS,
)
async def generate_keys(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    product_id: FromPath[UUID],
    data: JSONBody[GenerateSigningKeyBody | None] = None,
) -> SigningKeyView:
    """Generate a signing key; each license.bin signed with the previous one becomes invalid."""
    size = (data or GenerateSigningKeyBody()).key_size
    origin = context_of(request).origin()
    return signing_key_view(
        await keys.generate_keys(
            platform,
            signing_keys,
            origin,
            operator,
            product_id=product_id,
            key_size=size,
        )
    )


@get(f"{_KEYS}/status", access=_READ, tags=_KEY_TAGS)
async def show_keys_status(
    db: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> SigningKeyStatusView:
    """Get the state of the product's signing key."""
    return signing_key_status_view(await find_public_key(db, operator, product_id))


@get(f"{_KEYS}/public", access=_READ, problems=(ErrorCode.KEYS_NOT_GENERATED,), tags=_KEY_TAGS)
async def show_public_key(
    db: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> PublicKeyView:
    """Get the public key, with which applications verify license files."""
    return public_key_view(await fetch_public_key(db, operator, product_id))


@get(
    f"{_KEYS}/public/download",
    access=_READ,
    problems=(ErrorCode.KEYS_NOT_GENERATED,),
    media_type=_PEM,
    tags=_KEY_TAGS,
)
async def download_public_key(
    db: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> Response[bytes]:
    """Download the public key as a PEM file."""
    key = await fetch_public_key(db, operator, product_id)
    return Response(
        public_key_pem(key).encode(),
        media_type=_PEM,
        headers={"content-disposition": 'attachment; filename="public-key.pem"'},
    )


KEY_ROUTES: list[HTTPRouteHandler] = [
    show_credentials,
    rotate_credentials,
    delete_credential,
    generate_keys,
    show_keys_status,
    show_public_key,
    download_public_key,
]
