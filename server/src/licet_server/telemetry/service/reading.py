"""Telemetry events, for operators."""

from uuid import UUID

from licet_server.catalog.service.lookup import find_product
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.telemetry.rules.model import TelemetryEvent, TelemetryFilter
from licet_server.telemetry.storage import events as storage


async def list_events(
    db: Connection, operator: Operator, product_id: UUID, filters: TelemetryFilter, paging: Paging
) -> Listing[TelemetryEvent]:
    """List the events of a product's applications, newest first.

    Events belong to the whole product: operators who see only single releases see none.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    visibility = operator.visibility.of_whole_products()
    product = operator.found(await find_product(db, visibility, product_id), "product")
    return await storage.list_events(db, (product.institution_id, product.id), filters, paging)
