"""The backlog of deliveries."""

from sqlalchemy import func, literal_column, select, true

from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.webhooks.tables import webhook_deliveries as deliveries
from licet_server.webhooks.tables import webhooks

_COUNTED_PER_WEBHOOK = 100

_WAITING = (
    select(deliveries.c.due_at)
    .where(
        deliveries.c.institution_id == webhooks.c.institution_id,
        deliveries.c.webhook_id == webhooks.c.id,
        deliveries.c.status == literal_column("'Pending'"),  # a parameter hides the index
    )
    .order_by(deliveries.c.due_at)
    .limit(_COUNTED_PER_WEBHOOK)
    .correlate(webhooks)
    .lateral("waiting")
)
_BACKLOG = (
    select(func.count(), func.min(_WAITING.c.due_at))
    .select_from(webhooks.join(_WAITING, true()))
    .where(webhooks.c.is_enabled)
)


async def count_pending(db: Connection) -> Backlog:
    """Count pending deliveries, up to 100 for each webhook, and find the one that is due first."""
    row = (await db.execute(_BACKLOG)).one()
    return Backlog(row[0], row[1])
