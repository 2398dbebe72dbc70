"""Measures the backlogs of connectors."""

from datetime import datetime

from sqlalchemy import exists, func, literal_column, select, true

from licet_server.connectors.tables import connector_events as events
from licet_server.connectors.tables import connectors, orders
from licet_server.kit.backlogs import Backlog, count_waiting
from licet_server.kit.database import Connection

_COUNTED_PER_CONNECTOR = 100

_IS_ENABLED = exists().where(
    connectors.c.institution_id == orders.c.institution_id,
    connectors.c.id == orders.c.connector_id,
    connectors.c.is_enabled,
)
_PENDING = (
    select(events.c.received_at)
    .where(
        events.c.institution_id == connectors.c.institution_id,
        events.c.connector_id == connectors.c.id,
        events.c.status == literal_column("'Pending'"),  # a parameter hides the index
    )
    .order_by(events.c.id)
    .limit(_COUNTED_PER_CONNECTOR)
    .correlate(connectors)
    .lateral("pending")
)
_INBOX = (
    select(func.count(), func.min(_PENDING.c.received_at))
    .select_from(connectors.join(_PENDING, true()))
    .where(connectors.c.is_enabled)
)


async def count_due(db: Connection, now: datetime) -> Backlog:
    """Count the orders that are due, and find the one that has been due for longest."""
    due = select(orders.c.due_at).where(orders.c.due_at <= now, _IS_ENABLED)
    return await count_waiting(db, due.order_by(orders.c.due_at))


async def count_pending(db: Connection) -> Backlog:
    """Count pending events, up to 100 for each connector, and find the oldest."""
    row = (await db.execute(_INBOX)).one()
    return Backlog(row[0], row[1])
