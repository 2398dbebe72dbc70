"""Reads and writes what was paid and paid back for orders."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Delete, Select, delete, select

from licet_server.connectors.rules.model import Order, Payment, PaymentKind
from licet_server.connectors.tables import order_payments as payments
from licet_server.kit.database import Connection
from licet_server.kit.fitting import Members
from licet_server.kit.kept import kept
from licet_server.kit.statements import insert_rows

_KINDS = Members(PaymentKind)


async def replace_payments(db: Connection, order: Order, found: Sequence[Payment]) -> None:
    """Store the payments of an order, which is locked, in place of those that it had."""
    await db.execute(*_deleting(order.institution_id, order.id))
    rows = [
        {
            "institution_id": order.institution_id,
            "order_id": order.id,
            "place": place,
            "kind": item.kind,
            "happened_at": item.happened_at,
            "amount": item.amount,
            "currency": item.currency,
        }
        for place, item in enumerate(found)
    ]
    await insert_rows(db, payments, rows)


@kept
def _deleting(institution_id: UUID, order_id: UUID) -> Delete:
    return delete(payments).where(
        payments.c.institution_id == institution_id, payments.c.order_id == order_id
    )


def within(
    at: ColumnElement[datetime], since: datetime | None, until: datetime | None
) -> list[ColumnElement[bool]]:
    """Return the conditions that an instant is in a period; `None` does not bound it."""
    return [
        *([at >= since] if since is not None else []),
        *([at < until] if until is not None else []),
    ]


async def fetch_payments(
    db: Connection, institution_id: UUID, order_ids: Collection[UUID]
) -> dict[UUID, list[Payment]]:
    """Fetch the payments of orders, each in the order in which they happened."""
    found: dict[UUID, list[Payment]] = {}
    for row in await db.execute(*_payments_of(institution_id, order_ids)):
        item = Payment(_KINDS[row.kind], row.happened_at, row.amount, row.currency)
        found.setdefault(row.order_id, []).append(item)
    return found


@kept
def _payments_of(institution_id: UUID, order_ids: Collection[UUID]) -> Select[Any]:
    return (
        select(payments)
        .where(payments.c.institution_id == institution_id, payments.c.order_id.in_(order_ids))
        .order_by(payments.c.order_id, payments.c.place)
    )
