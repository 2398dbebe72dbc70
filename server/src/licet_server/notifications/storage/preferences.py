"""Queries of preferences."""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from licet_server.events.rules.kinds import NotificationKind
from licet_server.kit.database import Connection
from licet_server.notifications.rules.channels import NotificationChoice
from licet_server.notifications.tables import notification_preferences as preferences

_KNOWN = [kind.value for kind in NotificationKind]


async def fetch_choices(
    db: Connection, user_ids: Collection[UUID]
) -> dict[tuple[UUID, NotificationKind], NotificationChoice]:
    """Fetch what these users chose; kinds left at the default are omitted."""
    statement = select(preferences).where(
        preferences.c.user_id.in_(user_ids), preferences.c.kind.in_(_KNOWN)
    )
    return {
        (row.user_id, NotificationKind(row.kind)): NotificationChoice(row.in_app, row.email)
        for row in await db.execute(statement)
    }


async def save_choices(
    db: Connection, user_id: UUID, choices: Mapping[NotificationKind, NotificationChoice]
) -> None:
    """Store choices; earlier choices for other kinds and channels remain."""
    rows = [
        {"user_id": user_id, "kind": kind, "in_app": choice.in_app, "email": choice.email}
        for kind, choice in sorted(choices.items())
        if choice != NotificationChoice()
    ]
    if not rows:
        return
    statement = insert(preferences)
    given = statement.excluded
    await db.execute(
        statement.on_conflict_do_update(
            index_elements=["user_id", "kind"],
            set_={
                "in_app": func.coalesce(given.in_app, preferences.c.in_app),
                "email": func.coalesce(given.email, preferences.c.email),
            },
        ),
        rows,
    )
