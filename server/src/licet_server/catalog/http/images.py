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
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.images import (
    IMAGE_BODY,
    IMAGE_BYTES,
    image_response,
    uploaded_image,
)

_WRITE = InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)
_TAGS = ["Products"]
_IMAGE = "/api/products/{product_id:uuid}/image"


@put(
    _IMAGE,
    access=_WRITE,
    request_max_body_size=IMAGE_BYTES,
    opt={"request_body": IMAGE_BODY},
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
    content = await uploaded_image(request)
    origin = context_of(request).origin()
    return product_view(await set_image(platform, origin, operator, product_id, content))


@delete(_IMAGE, access=_WRITE, tags=_TAGS)
async def delete_product_image(
    work: Given[UnitOfWork], operator: Given[Operator], product_id: FromPath[UUID]
) -> None:
    """Delete the image of a product."""
    await delete_image(work, operator, product_id)


@get(_IMAGE, access=Anonymous(), media_type="image/*", tags=_TAGS)
async def show_product_image(
    request: HttpRequest, db: Given[Connection], product_id: FromPath[UUID]
) -> Response[bytes]:
    """Get the image of a product; `imageUrl` changes with it, so it may be cached forever."""
    return image_response(request, await fetch_image(db, product_id))


IMAGE_ROUTES: list[HTTPRouteHandler] = [set_product_image, delete_product_image, show_product_image]
