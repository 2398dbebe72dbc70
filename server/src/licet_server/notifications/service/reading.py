"""What people do with their notifications; each sees his own."""

from collections.abc import Mapping
from uuid import UUID

from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.notifications.rules.kinds import Channels, Choice, Kind, channels_of
from licet_server.notifications.rules.model import Notification, overseen
from licet_server.notifications.storage import notifications as storage
from licet_server.notifications.storage import preferences


async def list_notifications(
    db: Connection, operator: Operator, unread: bool | None, paging: Paging
) -> Listing[Notification]:
    """His own, newest first; `unread` narrows to those that are, or to those that are not."""
    seen = overseen(operator.roles)
    return await storage.list_notifications(db, operator.user_id, seen, unread, paging)


async def count_unread(db: Connection, operator: Operator) -> int:
    """How many of his own he has not read."""
    return await storage.count_unread(db, operator.user_id, overseen(operator.roles))


async def mark_read(work: UnitOfWork, operator: Operator, notification_id: UUID) -> Notification:
    """Read one of his own; once more changes nothing.

    Raises:
        Refused: `NotFound`.
    """
    seen = overseen(operator.roles)
    read = await storage.mark_read(work.db, operator.user_id, seen, notification_id, work.now)
    if read is None:
        raise not_found("notification")
    return read


async def mark_all_read(work: UnitOfWork, operator: Operator) -> int:
    """Read all that he sees; answers how many are unread then."""
    await storage.mark_all_read(work.db, operator.user_id, overseen(operator.roles), work.now)
    return await count_unread(work.db, operator)


async def show_preferences(db: Connection, operator: Operator) -> dict[Kind, Channels]:
    """How each kind reaches him."""
    chosen = await preferences.fetch_choices(db, [operator.user_id])
    return {kind: channels_of(kind, chosen.get((operator.user_id, kind))) for kind in Kind}


async def change_preferences(
    work: UnitOfWork, operator: Operator, choices: Mapping[Kind, Choice]
) -> dict[Kind, Channels]:
    """Choose for some kinds and channels; the others stay as they are."""
    await preferences.save_choices(work.db, operator.user_id, choices)
    return await show_preferences(work.db, operator)
