"""Measures the backlogs of connectors; that of a disabled connector is not counted."""

from datetime import datetime

from licet_server.connectors.storage import backlog
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection


async def measure_orders(db: Connection, now: datetime) -> Backlog:
    """Measure the orders that are due."""
    return await backlog.count_due(db, now)


async def measure_inbox(db: Connection, _now: datetime) -> Backlog:
    """Measure the pending events."""
    return await backlog.count_pending(db)
