"""Route of the orders behind a license, for those who placed them."""

from uuid import UUID

from litestar.params import FromPath

from licet_server.connectors.schemas.purchases import PurchaseView, purchase_view
from licet_server.connectors.service.purchases import list_purchases
from licet_server.institutions.access import PortalReader
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Portal")


@ROUTES.get("/api/portal/licenses/{license_id:uuid}/purchases", access=PortalReader())
async def list_own_purchases(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[PurchaseView]:
    """List the orders of a license of the user that have the user's e-mail address.

    Test sales are left out. Sorts by createdAt, updatedAt.
    """
    listing = await list_purchases(db, operator, license_id, paging)
    return listing.of(purchase_view)
