"""Routes of products."""

from typing import Annotated
from uuid import UUID

from litestar import Response
from litestar.params import FromPath, JSONBody, Parameter, QueryParameter
from msgspec import UNSET

from licet_server.catalog.rules.model import ProductMode, PublicRsaKey
from licet_server.catalog.schemas.products import (
    CredentialsView,
    GeneratedKeyView,
    GenerateSigningKeyBody,
    ListedProductView,
    NextSigningKeyView,
    ProductBody,
    ProductChange,
    ProductExtra,
    ProductView,
    PublicKeyView,
    RotateProductKeyBody,
    SigningKeyStatusView,
    SigningKeyView,
    credentials_view,
    generated_key_view,
    listed_product_view,
    next_key_view,
    product_draft,
    product_view,
    public_key_pem,
    public_key_view,
    signing_key_status_view,
    signing_key_view,
)
from licet_server.catalog.service import products, signing
from licet_server.catalog.service.associations import Associations
from licet_server.catalog.service.credentials import (
    delete_product_key,
    fetch_credentials,
    rotate_product_key,
)
from licet_server.catalog.service.lookup import fetch_product
from licet_server.catalog.service.products import (
    check_product,
    delete_image,
    fetch_image,
    set_image,
)
from licet_server.catalog.service.signing import (
    SigningKeys,
    fetch_next_public_key,
    fetch_public_keys,
    find_public_keys,
)
from licet_server.identity.access import StepUp
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.look_ups import LookUps
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.body import given
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.csv import list_or_csv, prefers_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.downloads import (
    IMAGE_BODY,
    IMAGE_BYTES,
    NOT_MODIFIED,
    image_response,
    uploaded_image,
)
from licet_server.kit.web.routes import Routes

_READ = InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)
ROUTES = Routes("Products")
_PATH = "/api/products/{product_id:uuid}"


@ROUTES.get("/api/products", access=_READ, problems=(ErrorCode.NOT_FOUND,))
async def list_products(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    search: Annotated[
        str | None, Parameter(max_length=200, description="Part of the name, case-insensitive.")
    ] = None,
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
    mode: Annotated[ProductMode | None, QueryParameter(name="mode")] = None,
    include: Annotated[
        list[ProductExtra] | None,
        QueryParameter(name="include", description="Fields that cost more to read."),
    ] = None,
) -> Listing[ListedProductView]:
    """List the visible products; with `Accept: text/csv`, the whole list as CSV.

    Sorts by name, createdAt, updatedAt, licenseCount.
    """
    accept = request.headers.get("accept", "")
    has_latest = ProductExtra.LATEST_RELEASE in (include or ()) or prefers_csv(accept)

    async def fetch(connection: Connection, step: Paging) -> Listing[ListedProductView]:
        narrowed = (search, institution_id, mode)
        listing = await products.list_products(connection, operator, step, *narrowed)
        if not has_latest:
            return listing.of(lambda item: listed_product_view(item, UNSET))
        latest = await products.latest_releases(connection, operator, listing.items)
        return listing.of(lambda item: listed_product_view(item, latest.get(item.id)))

    of = institution_id or operator.first_institution
    name = "products.csv"
    return await list_or_csv(
        request, db, platform, paging, operator.user_id, of, name, ListedProductView, fetch
    )


@ROUTES.post(
    "/api/products",
    access=_WRITE,
    problems=(ErrorCode.CONFLICT, ErrorCode.PLAN_LIMIT_REACHED, ErrorCode.RATE_LIMITED),
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


@ROUTES.get(_PATH, access=_READ)
async def show_product(
    look_ups: Given[LookUps], operator: Given[Operator], product_id: FromPath[UUID]
) -> ProductView:
    """Get a product."""
    return product_view(await fetch_product(look_ups, operator, product_id))


@ROUTES.put(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def change_product(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    data: JSONBody[ProductChange],
) -> ProductView:
    """Change a product; it can become Opened once its associations are removed."""
    return product_view(await products.change_product(work, operator, product_id, given(data)))


@ROUTES.delete(_PATH, access=_WRITE, step_up=StepUp(), problems=(ErrorCode.CONFLICT,))
async def delete_product(
    work: Given[UnitOfWork], operator: Given[Operator], product_id: FromPath[UUID]
) -> None:
    """Delete a product without licenses, and everything in it, permanently."""
    await products.delete_product(work, operator, product_id)


_IMAGE = "/api/products/{product_id:uuid}/image"


@ROUTES.put(
    _IMAGE, access=_WRITE, request_max_body_size=IMAGE_BYTES, opt={"request_body": IMAGE_BODY}
)
async def set_product_image(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    product_id: FromPath[UUID],
) -> ProductView:
    """Set the image of a product: a PNG, JPEG or WebP of up to 2 MB."""
    await check_product(platform, operator, product_id)
    content = await uploaded_image(request)
    origin = context_of(request).origin()
    return product_view(await set_image(platform, origin, operator, product_id, content))


@ROUTES.delete(_IMAGE, access=_WRITE)
async def delete_product_image(
    work: Given[UnitOfWork], operator: Given[Operator], product_id: FromPath[UUID]
) -> None:
    """Delete the image of a product."""
    await delete_image(work, operator, product_id)


@ROUTES.get(_IMAGE, access=Anonymous(), responses=NOT_MODIFIED, media_type="image/*")
async def show_product_image(
    request: HttpRequest, keyed: Given[Connection], product_id: FromPath[UUID]
) -> Response[bytes]:
    """Get the image of a product; `imageUrl` changes with it, so it may be cached forever."""
    return image_response(request, await fetch_image(keyed, product_id))


_ADMIN = InstitutionRole(Role.ADMIN)
KEY_ROUTES = Routes("Product keys")
_CREDENTIALS = "/api/products/{product_id:uuid}/credentials"
_KEYS = "/api/products/{product_id:uuid}/keys"
_PEM = "application/x-pem-file"


@KEY_ROUTES.get(_CREDENTIALS, access=_ADMIN)
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


@KEY_ROUTES.act(
    f"{_CREDENTIALS}/rotate", access=_ADMIN, step_up=StepUp(), problems=(ErrorCode.CONFLICT,)
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


@KEY_ROUTES.delete(
    _CREDENTIALS + "/{key_id:uuid}", access=_ADMIN, step_up=StepUp(), problems=(ErrorCode.CONFLICT,)
)
async def delete_credential(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    key_id: FromPath[UUID],
) -> None:
    """Revoke a product key at once; the last one cannot be revoked."""
    await delete_product_key(work, operator, product_id, key_id)


@KEY_ROUTES.act(
    f"{_KEYS}/generate", access=_ADMIN, step_up=StepUp(), problems=(ErrorCode.CONFLICT,)
)
async def generate_keys(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    product_id: FromPath[UUID],
    data: JSONBody[GenerateSigningKeyBody | None] = None,
) -> GeneratedKeyView:
    """Generate the first signing key, or cut off the previous one at once.

    Applications that know only the previous public key reject every new response and license.bin
    with `SignatureMismatch`, without a grace period; the response repeats this as `warning`.
    To replace a key that has not leaked, use `keys/prepare` and `keys/activate` instead.
    """
    size = (data or GenerateSigningKeyBody()).key_size
    origin = context_of(request).origin()
    return generated_key_view(
        await signing.generate_keys(
            platform,
            signing_keys,
            origin,
            operator,
            product_id=product_id,
            key_size=size,
        )
    )


@KEY_ROUTES.act(
    f"{_KEYS}/prepare",
    access=_ADMIN,
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT, ErrorCode.KEYS_NOT_GENERATED),
)
async def prepare_keys(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    product_id: FromPath[UUID],
    data: JSONBody[GenerateSigningKeyBody | None] = None,
) -> NextSigningKeyView:
    """Prepare the next signing key, which signs nothing before it is activated.

    Ship applications that trust both keys meanwhile. A product has one prepared key at most.
    """
    size = (data or GenerateSigningKeyBody()).key_size
    return next_key_view(
        await signing.prepare_keys(
            platform,
            signing_keys,
            context_of(request).origin(),
            operator,
            product_id=product_id,
            key_size=size,
        )
    )


@KEY_ROUTES.act(
    f"{_KEYS}/activate", access=_ADMIN, step_up=StepUp(), problems=(ErrorCode.CONFLICT,)
)
async def activate_keys(
    work: Given[UnitOfWork], operator: Given[Operator], product_id: FromPath[UUID]
) -> SigningKeyView:
    """Begin to sign with the prepared key; applications that do not trust it accept nothing new."""
    return signing_key_view(await signing.activate_keys(work, operator, product_id))


@KEY_ROUTES.delete(f"{_KEYS}/next", access=_ADMIN, step_up=StepUp())
async def discard_next_keys(
    work: Given[UnitOfWork], operator: Given[Operator], product_id: FromPath[UUID]
) -> None:
    """Discard the prepared key, which then never signs."""
    await signing.discard_next_keys(work, operator, product_id)


@KEY_ROUTES.get(f"{_KEYS}/status", access=_READ)
async def show_keys_status(
    keyed: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> SigningKeyStatusView:
    """Get the state of the product's signing key."""
    return signing_key_status_view(*await find_public_keys(keyed, operator, product_id))


@KEY_ROUTES.get(f"{_KEYS}/public", access=_READ, problems=(ErrorCode.KEYS_NOT_GENERATED,))
async def show_public_key(
    keyed: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> PublicKeyView:
    """Get the public key, with which applications verify license files."""
    return public_key_view(*await fetch_public_keys(keyed, operator, product_id))


@KEY_ROUTES.get(
    f"{_KEYS}/public/download",
    access=_READ,
    problems=(ErrorCode.KEYS_NOT_GENERATED,),
    media_type=_PEM,
)
async def download_public_key(
    keyed: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> Response[bytes]:
    """Download the public key as a PEM file."""
    key, _, _ = await fetch_public_keys(keyed, operator, product_id)
    return _pem_file(key, "public-key.pem")


@KEY_ROUTES.get(f"{_KEYS}/next/download", access=_READ, media_type=_PEM)
async def download_next_public_key(
    db: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> Response[bytes]:
    """Download the public key of the prepared pair as a PEM file."""
    key = await fetch_next_public_key(db, operator, product_id)
    return _pem_file(key, "next-public-key.pem")


def _pem_file(key: PublicRsaKey, name: str) -> Response[bytes]:
    return Response(
        public_key_pem(key).encode(),
        media_type=_PEM,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )
