"""The route that copies a product as a Test product."""

from uuid import UUID

from litestar.params import FromPath, JSONBody

from licet_server.catalog.schemas.products import ProductCopyBody, ProductView, product_view
from licet_server.catalog.service.signing import SigningKeys
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.licenses.service.copying import copy_to_test

ROUTES = Routes("Products")


@ROUTES.post(
    "/api/products/{product_id:uuid}/test-copy",
    access=InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE),
    problems=(ErrorCode.CONFLICT,),
)
async def create_test_copy(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    signing_keys: Given[SigningKeys],
    product_id: FromPath[UUID],
    data: JSONBody[ProductCopyBody | None] = None,
) -> ProductView:
    """Copy a product as a Test product, with a product key and a signing key of its own.

    The copy has the settings, features, entitlement sets and policies, and the latest 100 published
    releases without their files. It has no licenses.
    """
    name = data.name if data is not None else None
    origin = context_of(request).origin()
    return product_view(
        await copy_to_test(platform, signing_keys, origin, operator, product_id, name)
    )
