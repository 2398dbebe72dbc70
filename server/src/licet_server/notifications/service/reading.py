"""The notifications and preferences of a user, who sees only their own."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from licet_server.events.rules.kinds import NotificationKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.notifications.rules.model import (
    Channels,
    Notification,
    NotificationChoice,
    NotificationVisibility,
    channels_of,
    visibility_of,
)
from licet_server.notifications.storage import notifications
from licet_server.notifications.storage import notifications as storage


async def list_notifications(
    db: Connection, operator: Operator, unread: bool | None, paging: Paging
) -> Listing[Notification]:
    """List the user's notifications, newest first; `unread` filters for unread or read ones."""
    visibility = _visibility(operator)
    return await storage.list_notifications(db, visibility, unread, paging)


async def count_unread(db: Connection, operator: Operator) -> int:
    """Count the user's unread notifications."""
    return await storage.count_unread(db, _visibility(operator))


async def mark_read(work: UnitOfWork, operator: Operator, notification_id: UUID) -> Notification:
    """Mark one of the user's notifications as read; a repetition changes nothing."""
    visibility = _visibility(operator)
    read = await storage.mark_read(work.db, visibility, notification_id, work.now)
    if read is None:
        raise not_found("notification")
    return read


async def mark_all_read(work: UnitOfWork, operator: Operator) -> int:
    """Mark all visible notifications as read; returns how many are unread afterwards."""
    await storage.mark_all_read(work.db, _visibility(operator), work.now)
    return await count_unread(work.db, operator)


async def show_preferences(db: Connection, operator: Operator) -> dict[NotificationKind, Channels]:
    """Return the user's channels for each kind."""
    chosen = await notifications.fetch_choices(db, [operator.user_id])
    return {
        kind: channels_of(kind, chosen.get((operator.user_id, kind))) for kind in NotificationKind
    }


async def change_preferences(
    work: UnitOfWork, operator: Operator, choices: Mapping[NotificationKind, NotificationChoice]
) -> dict[NotificationKind, Channels]:
    """Change the user's channels for some kinds; the others keep theirs."""
    await notifications.save_choices(work.db, operator.user_id, choices)
    return await show_preferences(work.db, operator)


def _visibility(operator: Operator) -> NotificationVisibility:
    return visibility_of(operator.user_id, operator.roles, operator.through)


KEPT_FOR = timedelta(days=180)
DELETED_AT_ONCE = 5_000


async def purge_notifications(platform: Platform) -> int:
    """Delete old notifications, read or unread, in bounded steps; returns how many."""
    total, deleted = 0, DELETED_AT_ONCE
    while deleted == DELETED_AT_ONCE:
        async with platform.database.reading() as db:
            deleted = await storage.delete_notifications(
                db, platform.clock() - KEPT_FOR, DELETED_AT_ONCE
            )
        total += deleted
    return total
