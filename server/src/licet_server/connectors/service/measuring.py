"""The backlogs of connectors; those of a disabled one wait for somebody to enable it."""

from datetime import datetime

from licet_server.connectors.storage import backlog
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection


async def measure_orders(db: Connection, now: datetime) -> Backlog:
    """Measure the orders that are to be worked on now."""
    return await backlog.count_due(db, now)


async def measure_inbox(db: Connection, _now: datetime) -> Backlog:
    """Measure the events of shops that nobody has read."""
    return await backlog.count_pending(db)
