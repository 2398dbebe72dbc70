"""Orders, as operators see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from licet_server.connectors.rules.licensing import Held
from licet_server.connectors.rules.model import Order, OrderFilter
from licet_server.connectors.storage import orders as storage
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """An order with its licenses."""

    order: Order
    licenses: Sequence[Held]


async def list_orders(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    filters: OrderFilter,
    paging: Paging,
) -> Listing[ShownOrder]:
    """List the orders of the institutions that the operator sees as a whole.

    Raises:
        Refused: `NotFound` for an institution that the operator does not see.
    """
    visible = operator.visibility_of(institution_id).institutions
    listing = await storage.list_orders(db, visible, filters, paging)
    return listing.with_items(await _shown(db, listing.items))


async def fetch_order(db: Connection, operator: Operator, order_id: UUID) -> ShownOrder:
    """Fetch an order.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    found = await storage.fetch_order(db, operator.visibility.institutions, order_id)
    [shown] = await _shown(db, [operator.found(found, "order")])
    return shown


async def _shown(db: Connection, orders: Sequence[Order]) -> list[ShownOrder]:
    institutions = {item.institution_id for item in orders}
    found = await storage.fetch_licenses(db, institutions, [item.id for item in orders])
    return [ShownOrder(item, [it.held for it in found.get(item.id, [])]) for item in orders]
