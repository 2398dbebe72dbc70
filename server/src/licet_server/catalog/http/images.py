"""Routes of product images."""

from uuid import UUID

from litestar import Response, delete, get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from licet_server.catalog.schemas.products import ProductView, product_view
from licet_server.catalog.service.images import check_product, delete_image, fetch_image, set_image
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.images import TYPES
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.downloads import BYTES

_TAGS = ["Products"]
_PATH = "/api/products/{product_id:uuid}/image"
_IMAGE_BYTES = 2 * 1024 * 1024
_IMMUTABLE = {"cache-control": "public, max-age=31536000, immutable"}
_REVALIDATE = {"cache-control": "public, no-cache"}
_UPLOADED = frozenset({*TYPES.values(), BYTES})
_BODY = {
    "required": True,
    "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
}


@put(
    _PATH,
    access=InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE),
    request_max_body_size=_IMAGE_BYTES,
    opt={"request_body": _BODY},
    tags=_TAGS,
)
async def set_product_image(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    product_id: FromPath[UUID],
) -> ProductView:
    """Set the image of a product: a PNG, JPEG or WebP of up to 2 MB."""
    await check_product(platform, operator, product_id)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _UPLOADED:
        raise Refused(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "Send the image itself, with the header Content-Type: image/png, image/jpeg, "
            "image/webp or application/octet-stream.",
        )
    content = await request.body()
    origin = context_of(request).origin()
    return product_view(await set_image(platform, origin, operator, product_id, content))


@delete(_PATH, access=InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE), tags=_TAGS)
async def delete_product_image(
    work: Given[UnitOfWork], operator: Given[Operator], product_id: FromPath[UUID]
) -> None:
    """Delete the image of a product."""
    await delete_image(work, operator, product_id)


@get(_PATH, access=Anonymous(), media_type="image/*", tags=_TAGS)
async def show_product_image(
    request: HttpRequest, db: Given[Connection], product_id: FromPath[UUID]
) -> Response[bytes]:
    """Get the image of a product; `imageUrl` changes with it, so it may be cached forever."""
    image = await fetch_image(db, product_id)
    tag = f'"{image.version}"'
    headers = _IMMUTABLE if request.query_params.get("v") == image.version else _REVALIDATE
    headers = {**headers, "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(image.content, media_type=image.media_type, headers=headers)


ROUTES: list[HTTPRouteHandler] = [set_product_image, delete_product_image, show_product_image]
