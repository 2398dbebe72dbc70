"""Reads and writes notifications."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, delete, func, or_, select, true, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.events.rules.kinds import NotificationKind
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.notifications.rules.model import Notification, NotificationSubject, Sight
from licet_server.notifications.tables import notifications

_COLUMNS = [notifications.c[field.name] for field in fields(Notification)]
_USERS = Arrays("wanted", user_id=Id)


def _notification(row: Row[Any]) -> Notification:
    kinds = {
        "kind": NotificationKind(row.kind),
        "subject_kind": NotificationSubject(row.subject_kind),
    }
    return Notification(**{**row._mapping, **kinds})


def _visible(user_id: UUID, sight: Sight) -> ColumnElement[bool]:
    """Return `Sight.covers` in SQL, for the notifications of one user."""
    is_seen: ColumnElement[bool] = notifications.c.institution_id.in_(sight.overseen)
    if sight.invitations:
        is_invitation = notifications.c.subject_kind == NotificationSubject.INVITATION.value
        is_seen = or_(is_seen, is_invitation)
    return and_(notifications.c.user_id == user_id, is_seen)


async def insert_notifications(
    db: Connection, created: Sequence[tuple[Notification, UUID]]
) -> None:
    """Insert notifications with their events; a user gets at most one for each event."""
    if created:
        rows = [
            {name: getattr(item, name) for name in (column.name for column in _COLUMNS)}
            | {"event_id": event_id}
            for item, event_id in created
        ]
        once = insert(notifications).on_conflict_do_nothing(
            index_elements=["institution_id", "user_id", "event_id"]
        )
        await db.execute(once, rows)


async def list_notifications(
    db: Connection,
    user_id: UUID,
    sight: Sight,
    unread: bool | None,
    paging: Paging,
) -> Listing[Notification]:
    """List notifications, newest first; `unread` filters for unread or read ones."""
    statement = select(*_COLUMNS).where(_visible(user_id, sight))
    if unread is not None:
        is_unread = notifications.c.read_at.is_(None)
        statement = statement.where(is_unread if unread else ~is_unread)
    listing = await fetch_listing(
        db,
        statement,
        paging,
        id_column=notifications.c.id,
        sortable={"createdAt": notifications.c.id},
    )
    return listing.of(_notification)


async def count_unread(db: Connection, user_id: UUID, sight: Sight) -> int:
    """Count the unread notifications that a user sees."""
    statement = select(func.count()).where(
        _visible(user_id, sight), notifications.c.read_at.is_(None)
    )
    return int((await db.execute(statement)).scalar_one())


async def mark_read(
    db: Connection,
    user_id: UUID,
    sight: Sight,
    notification_id: UUID,
    now: datetime,
) -> Notification | None:
    """Mark a notification as read, and return it; the time of the first call counts."""
    statement = (
        update(notifications)
        .where(_visible(user_id, sight), notifications.c.id == notification_id)
        .values(read_at=func.coalesce(notifications.c.read_at, now))
        .returning(*_COLUMNS)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _notification(row)


async def mark_all_read(db: Connection, user_id: UUID, sight: Sight, now: datetime) -> None:
    """Mark all notifications that a user sees as read."""
    await db.execute(
        update(notifications)
        .where(_visible(user_id, sight), notifications.c.read_at.is_(None))
        .values(read_at=now)
    )


async def fetch_latest(
    db: Connection, user_ids: Collection[UUID], since: UUID, limit: int
) -> list[Notification]:
    """Fetch the latest notifications of each user with IDs from `since` on, oldest first."""
    latest = (
        select(*_COLUMNS)
        .where(notifications.c.user_id == _USERS.c.user_id, notifications.c.id >= since)
        .order_by(notifications.c.id.desc())
        .limit(limit)
        .lateral("latest")
    )
    statement = select(latest).select_from(_USERS.table.join(latest, true()))
    rows = await db.execute(statement, _USERS.given([(user_id,) for user_id in set(user_ids)]))
    return sorted((_notification(row) for row in rows), key=lambda item: item.id)


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
