"""Routes of feature prices."""

from uuid import UUID

from litestar import get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.metering.schemas import FeaturePriceBody, FeaturePriceView, feature_price_view
from licet_server.metering.service import pricing

_PATH = "/api/meter/features/{feature_id:uuid}/pricing"
_TAGS = ["Metering"]


@put(_PATH, access=InstitutionRole(Role.ADMIN, Scope.METER_WRITE), tags=_TAGS)
async def set_price(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    feature_id: FromPath[UUID],
    data: JSONBody[FeaturePriceBody],
) -> FeaturePriceView:
    """Set the price of one use of a feature for Credit-Based licenses, from now on."""
    return feature_price_view(await pricing.set_price(work, operator, feature_id, data.token_cost))


@get(_PATH, access=InstitutionRole(Role.ADMIN, Scope.METER_READ), tags=_TAGS)
async def list_prices(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    feature_id: FromPath[UUID],
) -> Listing[FeaturePriceView]:
    """List the prices of a feature, past and present. Sorts by createdAt, tokenCost."""
    return (await pricing.list_prices(db, operator, feature_id, paging)).of(feature_price_view)


ROUTES: list[HTTPRouteHandler] = [set_price, list_prices]
