"""Wire shape of orders for those who placed them, without what concerns the vendor."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from msgspec import Struct

from licet_server.connectors.rules.model import Order
from licet_server.kit.amounts import plain
from licet_server.kit.web.views import view_of


class PurchaseView(Struct, rename="camel"):
    """An order of the user. `externalId` is its number in the shop.

    `amount` is what was paid in all, and `refundedAmount` what was paid back, in the unit of
    `currency`; null is what the shop does not say.
    """

    id: UUID
    external_id: str
    amount: Decimal | None
    currency: str | None
    refunded_amount: Decimal | None
    created_at: datetime


def purchase_view(order: Order) -> PurchaseView:
    """Return an order for its buyer."""
    amount, refunded = order.amount, order.refunded_amount
    return view_of(
        PurchaseView,
        order,
        amount=None if amount is None else plain(amount),
        refunded_amount=None if refunded is None else plain(refunded),
    )
