"""Deliveries of events about a person."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import or_, update

from licet_server.kit.database import Connection
from licet_server.webhooks.tables import webhook_deliveries as deliveries


async def erase_responses(db: Connection, institution_id: UUID, event_ids: Collection[UUID]) -> int:
    """Delete what receivers of these events responded; returns of how many deliveries."""
    statement = (
        update(deliveries)
        .where(
            deliveries.c.institution_id == institution_id,
            deliveries.c.event_id.in_(event_ids),
            or_(deliveries.c.response_body.is_not(None), deliveries.c.error.is_not(None)),
        )
        .values(response_body=None, error=None)
    )
    return int((await db.execute(statement)).rowcount)
