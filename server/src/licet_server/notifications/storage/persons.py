"""Notifications about a person."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import delete, func, or_

from licet_server.kit.database import Connection
from licet_server.notifications.tables import notifications


async def delete_about(
    db: Connection,
    institution_id: UUID,
    subject_ids: Collection[UUID],
    event_ids: Collection[UUID],
    texts: Collection[str],
) -> None:
    """Delete what an institution was told of these subjects and events, or with these texts."""
    said = func.lower(func.concat_ws(" ", notifications.c.title, notifications.c.body))
    await db.execute(
        delete(notifications).where(
            notifications.c.institution_id == institution_id,
            or_(
                notifications.c.subject_id.in_(subject_ids),
                notifications.c.event_id.in_(event_ids),
                *(func.strpos(said, func.lower(item)) > 0 for item in texts),
            ),
        )
    )
