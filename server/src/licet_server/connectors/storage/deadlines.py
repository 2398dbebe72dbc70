"""Reads and writes when orders of test mode are decided again, by the times of their products."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Delete, Select, delete, func, select

from licet_server.catalog.reading import goes_by
from licet_server.catalog.rules.clocks import Clocked
from licet_server.connectors.rules.model import Order
from licet_server.connectors.storage.orders import ORDERS, is_enabled
from licet_server.connectors.tables import order_deadlines as deadlines
from licet_server.connectors.tables import orders
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept
from licet_server.kit.statements import insert_rows


async def claim_passed(db: Connection, now: datetime, clocked: Clocked | None) -> Order | None:
    """Lock an order with a deadline that has passed, and that no process has locked.

    The deadline is of one product, or of any that goes by the present.
    """
    return await ORDERS.one(db, *_claiming(now, clocked))


@kept
def _claiming(now: datetime, clocked: Clocked | None) -> Select[Any]:
    return (
        ORDERS.select(deadlines.c.due_at <= now, _of(clocked), is_enabled())
        .join(deadlines)
        .order_by(deadlines.c.due_at)
        .limit(1)
        .with_for_update(skip_locked=True, of=orders)
    )


async def fetch_next(db: Connection, clocked: Clocked) -> datetime | None:
    """Fetch the next deadline of a product."""
    statement = select(func.min(deadlines.c.due_at)).where(
        _of(clocked), deadlines.c.due_at > clocked.now
    )
    found: datetime | None = (await db.execute(statement)).scalar_one()
    return found


def _of(clocked: Clocked | None) -> ColumnElement[bool]:
    return goes_by(clocked, deadlines.c.institution_id, deadlines.c.product_id)


async def replace_deadlines(db: Connection, order: Order, due: Mapping[UUID, datetime]) -> None:
    """Store the deadlines of an order, by product, in place of those that it had."""
    await db.execute(*_deleting(order.institution_id, order.id))
    rows = [
        {
            "institution_id": order.institution_id,
            "order_id": order.id,
            "product_id": product_id,
            "due_at": at,
        }
        for product_id, at in sorted(due.items())
    ]
    await insert_rows(db, deadlines, rows)


@kept
def _deleting(institution_id: UUID, order_id: UUID) -> Delete:
    return delete(deadlines).where(
        deadlines.c.institution_id == institution_id, deadlines.c.order_id == order_id
    )
