"""Deliveries of events about a person."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import update

from licet_server.kit.database import Connection
from licet_server.webhooks.tables import webhook_deliveries as deliveries


async def erase_responses(
    db: Connection, institution_id: UUID, event_ids: Collection[UUID]
) -> None:
    """Delete what receivers of these events responded."""
    await db.execute(
        update(deliveries)
        .where(deliveries.c.institution_id == institution_id, deliveries.c.event_id.in_(event_ids))
        .values(response_body=None, error=None)
    )
