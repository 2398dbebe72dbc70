"""Queries of notifications."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    delete,
    func,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from licet_server.events.rules.kinds import NotificationKind
from licet_server.kit.database import Connection, Id
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.routing import is_distributed
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays
from licet_server.notifications.rules.model import (
    Notification,
    NotificationChoice,
    NotificationSubject,
    NotificationVisibility,
)
from licet_server.notifications.tables import notification_preferences as preferences
from licet_server.notifications.tables import notifications

_USERS = Arrays("given_user", user_id=Id)


def _visible(visibility: NotificationVisibility) -> ColumnElement[bool]:
    """Return `NotificationVisibility.covers` in SQL, for the notifications of its user."""
    is_seen: ColumnElement[bool] = notifications.c.institution_id.in_(visibility.administered)
    if visibility.invitations:
        is_invitation = notifications.c.subject_kind == NotificationSubject.INVITATION.value
        is_seen = or_(is_seen, is_invitation)
    return and_(notifications.c.user_id == visibility.user_id, is_seen)


NOTIFICATIONS = Rows[Notification, NotificationVisibility](
    notifications, Notification, _visible, sortable={"createdAt": notifications.c.id}
)


async def insert_notifications(
    db: Connection, created: Sequence[tuple[Notification, UUID]]
) -> None:
    """Insert notifications with their events; a user gets at most one for each event."""
    if created:
        rows = [{**NOTIFICATIONS.values(item), "event_id": event_id} for item, event_id in created]
        once = insert(notifications).on_conflict_do_nothing(
            index_elements=["institution_id", "user_id", "event_id"]
        )
        await db.execute(once, rows)


async def list_notifications(
    db: Connection, visibility: NotificationVisibility, unread: bool | None, paging: Paging
) -> Listing[Notification]:
    """List notifications, newest first; `unread` filters for unread or read ones."""
    return await NOTIFICATIONS.page(db, visibility, paging, _matching, unread)


def _matching(unread: bool | None) -> list[ColumnElement[bool]]:
    is_unread = notifications.c.read_at.is_(None)
    return [] if unread is None else [is_unread if unread else ~is_unread]


async def count_unread(db: Connection, visibility: NotificationVisibility) -> int:
    """Count the unread notifications that a user sees."""
    statement = select(func.count()).where(_visible(visibility), notifications.c.read_at.is_(None))
    return int((await db.execute(statement)).scalar_one())


async def mark_read(
    db: Connection, visibility: NotificationVisibility, notification_id: UUID, now: datetime
) -> Notification | None:
    """Mark a notification as read, and return it; the time of the first call counts."""
    statement = (
        update(notifications)
        .where(_visible(visibility), notifications.c.id == notification_id)
        .values(read_at=func.coalesce(notifications.c.read_at, now))
        .returning(*NOTIFICATIONS.columns)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else NOTIFICATIONS.item(row)


async def mark_all_read(db: Connection, visibility: NotificationVisibility, now: datetime) -> None:
    """Mark all notifications that a user sees as read."""
    await db.execute(
        update(notifications)
        .where(_visible(visibility), notifications.c.read_at.is_(None))
        .values(read_at=now)
    )


async def fetch_latest(
    db: Connection, user_ids: Collection[UUID], since: UUID, limit: int
) -> list[Notification]:
    """Fetch the latest notifications of each user with IDs from `since` on, oldest first."""

    def latest(user_id: ColumnElement[UUID] | UUID) -> Select[Any]:
        of_user = NOTIFICATIONS.select(
            notifications.c.user_id == user_id, notifications.c.id >= since
        )
        return of_user.order_by(notifications.c.id.desc()).limit(limit)

    if is_distributed(db):  # where a list cannot be joined with the first rows of each
        found = [
            item
            for user_id in set(user_ids)
            for item in await NOTIFICATIONS.all(db, latest(user_id))
        ]
    else:
        each = latest(_USERS.c.user_id).lateral("latest")
        statement = select(each).select_from(_USERS.table.join(each, true()))
        given = _USERS.given([(user_id,) for user_id in set(user_ids)])
        found = await NOTIFICATIONS.all(db, statement, given)
    return sorted(found, key=lambda item: item.id)


async def delete_notifications(db: Connection, created_before: datetime, limit: int) -> int:
    """Delete at most `limit` old notifications; returns how many."""
    key = (notifications.c.institution_id, notifications.c.id)
    old = (
        select(*key)
        .where(notifications.c.created_at < created_before)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    deleted = await db.execute(delete(notifications).where(tuple_(*key).in_(old)))
    return deleted.rowcount


_KNOWN = [kind.value for kind in NotificationKind]


async def fetch_choices(
    db: Connection, user_ids: Collection[UUID]
) -> dict[tuple[UUID, NotificationKind], NotificationChoice]:
    """Fetch what these users chose; kinds left at the default are omitted."""
    return {
        (row.user_id, NotificationKind(row.kind)): NotificationChoice(row.in_app, row.email)
        for row in await db.execute(*_choices(user_ids))
    }


@kept
def _choices(user_ids: Collection[UUID]) -> Select[Any]:
    return select(preferences).where(
        preferences.c.user_id.in_(user_ids), preferences.c.kind.in_(_KNOWN)
    )


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
