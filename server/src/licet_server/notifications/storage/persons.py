"""Notifications about a person."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, or_

from licet_server.kit.database import Connection
from licet_server.notifications.tables import notifications


async def delete_about(
    db: Connection,
    institution_id: UUID,
    subject_ids: Collection[UUID],
    event_ids: Collection[UUID],
) -> list[tuple[UUID, str, datetime]]:
    """Delete the notifications of an institution about these subjects and events.

    Returns of each whose it was, its title, and when it was created.
    """
    statement = (
        delete(notifications)
        .where(
            notifications.c.institution_id == institution_id,
            or_(
                notifications.c.subject_id.in_(subject_ids),
                notifications.c.event_id.in_(event_ids),
            ),
        )
        .returning(notifications.c.user_id, notifications.c.title, notifications.c.created_at)
    )
    return [(row.user_id, row.title, row.created_at) for row in await db.execute(statement)]
