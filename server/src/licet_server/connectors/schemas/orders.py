"""Wire shapes of orders."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.connectors.rules.model import OrderStatus
from licet_server.connectors.service.orders import ShownOrder


class OrderLineView(Struct, rename="camel", kw_only=True):
    """What was sold, the policy that a rule found for it, and the licenses under that policy.

    `periodEnd` is the end of the term that is paid.
    """

    product: str | None
    price: str | None
    quantity: int
    policy_id: UUID | None
    license_ids: list[UUID]
    period_end: datetime | None


class OrderView(Struct, rename="camel", kw_only=True):
    """A sale, or a subscription. `externalId` is its name in the shop.

    `problem` says why it has no licenses, or not all. `nextAttemptAt` is when it is worked on
    again without any new event. `licenseIds` also has licenses that the order once had.
    """

    id: UUID
    institution_id: UUID
    connector_id: UUID
    external_id: str
    customer_id: UUID | None
    status: OrderStatus
    problem: str | None
    lines: list[OrderLineView]
    license_ids: list[UUID]
    next_attempt_at: datetime | None
    created_at: datetime
    updated_at: datetime


def order_view(shown: ShownOrder) -> OrderView:
    """An order on the wire."""
    order = shown.order
    return OrderView(
        id=order.id,
        institution_id=order.institution_id,
        connector_id=order.connector_id,
        external_id=order.external_id,
        customer_id=order.customer_id,
        status=order.status,
        problem=order.problem,
        lines=[
            OrderLineView(
                product=line.product,
                price=line.price,
                quantity=line.quantity,
                policy_id=line.policy_id,
                license_ids=[
                    item.license_id
                    for item in shown.licenses
                    if line.policy_id is not None and item.plan.policy_id == line.policy_id
                ],
                period_end=line.ends_at,
            )
            for line in order.lines
        ],
        license_ids=[item.license_id for item in shown.licenses],
        next_attempt_at=order.due_at,
        created_at=order.created_at,
        updated_at=order.updated_at,
    )
