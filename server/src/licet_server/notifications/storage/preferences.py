"""Queries of preferences."""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Connection
from licet_server.notifications.rules.kinds import Choice, Kind
from licet_server.notifications.tables import notification_preferences as preferences

_KNOWN = [kind.value for kind in Kind]


async def fetch_choices(
    db: Connection, user_ids: Collection[UUID]
) -> dict[tuple[UUID, Kind], Choice]:
    """What these people chose, where they did."""
    statement = select(preferences).where(
        preferences.c.user_id.in_(user_ids), preferences.c.kind.in_(_KNOWN)
    )
    return {
        (row.user_id, Kind(row.kind)): Choice(row.in_app, row.email)
        for row in await db.execute(statement)
    }


async def save_choices(db: Connection, user_id: UUID, choices: Mapping[Kind, Choice]) -> None:
    """Keep what he chose now, beside what he chose before."""
    rows = [
        {"user_id": user_id, "kind": kind, "in_app": choice.in_app, "email": choice.email}
        for kind, choice in sorted(choices.items())
        if choice != Choice()
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
