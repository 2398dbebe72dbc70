"""Lists and shows orders to operators."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from licet_server.connectors.rules.licensing import CurrentLicense
from licet_server.connectors.rules.model import Order, OrderFilter, OrderStatus
from licet_server.connectors.storage import connectors
from licet_server.connectors.storage import orders as storage
from licet_server.connectors.storage.orders import ORDERS
from licet_server.customers.service.customers import find_customers
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.reading import find_by_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownOrder:
    """An order with its licenses as the connector last left them, and the names for display."""

    order: Order
    licenses: Sequence[CurrentLicense]
    connector_name: str
    customer_name: str | None


@dataclass(frozen=True, slots=True)
class OrderDetails:
    """An order, and those of its licenses that exist."""

    shown: ShownOrder
    licenses: Sequence[License]


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


async def find_unmatched(
    db: Connection, operator: Operator, institution_id: UUID, limit: int
) -> tuple[int, list[ShownOrder]]:
    """Count the orders without a matching rule, and return the oldest."""
    filters = OrderFilter(status=OrderStatus.UNMATCHED)
    paging = Paging(page_size=limit, sort="createdAt")
    listing = await list_orders(db, operator, institution_id, filters, paging)
    return listing.total_count or 0, listing.items


async def fetch_order(db: Connection, operator: Operator, order_id: UUID) -> OrderDetails:
    """Fetch an order.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    found = await ORDERS.fetch(db, operator.visibility.institutions, order_id)
    [shown] = await _shown(db, [operator.found(found, "order")])
    ids = [item.license_id for item in shown.licenses]
    existing = await find_by_ids(db, operator.visibility, ids)
    return OrderDetails(shown, [existing[id_] for id_ in ids if id_ in existing])


async def _shown(db: Connection, orders: Sequence[Order]) -> list[ShownOrder]:
    institutions = {item.institution_id for item in orders}
    licenses = await storage.fetch_licenses(db, institutions, [item.id for item in orders])
    names = await connectors.fetch_names(db, institutions, {item.connector_id for item in orders})
    buyers = {(item.institution_id, item.customer_id) for item in orders if item.customer_id}
    customers = await find_customers(db, buyers)
    return [
        ShownOrder(
            order=item,
            licenses=[it.license for it in licenses.get(item.id, [])],
            connector_name=names[item.connector_id],
            customer_name=(
                customers[item.customer_id].name if item.customer_id in customers else None
            ),
        )
        for item in orders
    ]
