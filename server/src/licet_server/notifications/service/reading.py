"""The notifications and preferences of a user, who sees only their own; new ones are pushed.

Each process polls the database once a second for all who follow theirs together, and not at all if
nobody does. Notifications may be committed in an order that differs from that of their IDs, so
everything from the last minute is fetched again each time, and each subscriber gets it once.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from licet_server.events.rules.kinds import NotificationKind
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service import operators
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found, unavailable
from licet_server.kit.ids import least_id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.notifications import storage
from licet_server.notifications.rules.model import (
    Channels,
    Notification,
    NotificationChoice,
    NotificationVisibility,
    channels_of,
    visibility_of,
)


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
    chosen = await storage.fetch_choices(db, [operator.user_id])
    return {
        kind: channels_of(kind, chosen.get((operator.user_id, kind))) for kind in NotificationKind
    }


async def change_preferences(
    work: UnitOfWork, operator: Operator, choices: Mapping[NotificationKind, NotificationChoice]
) -> dict[NotificationKind, Channels]:
    """Change the user's channels for some kinds; the others keep theirs."""
    await storage.save_choices(work.db, operator.user_id, choices)
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


MAX_SUBSCRIBERS = 1_000
MAX_QUEUED = 500
POLL_SECONDS = 1.0
TASK_NAME = "notifications"

_OVERLAP = timedelta(minutes=1)

_log = structlog.get_logger("licet.notifications")


@dataclass(eq=False, slots=True)
class FeedSubscriber:
    """A user who follows their notifications; `unread` is the number of unread ones at first."""

    user_id: UUID
    presence: operators.Presence
    ends_at: datetime
    since: UUID
    through: UUID | None = None
    unread: int = 0
    is_ready: bool = False
    is_over: bool = False
    _seen: set[UUID] = field(default_factory=set)
    _queue: deque[Notification] = field(default_factory=deque)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def mark_seen(self, found: Collection[Notification]) -> None:
        """Never push these notifications."""
        self._seen |= {item.id for item in found}

    def push(self, item: Notification) -> None:
        """Queue a notification, once. Drops subscribers whose queue is full."""
        if item.id in self._seen or item.id < self.since:
            return
        self._seen.add(item.id)
        self._queue.append(item)
        if len(self._queue) > MAX_QUEUED:
            self.end()
        self._woken.set()

    def end(self) -> None:
        """Push nothing more."""
        self.is_over = True
        self._woken.set()

    async def next(self) -> Notification | None:
        """Return the next notification as soon as there is one; `None` at the end."""
        while not self.is_over:
            if self._queue:
                return self._queue.popleft()
            self._woken.clear()
            await self._woken.wait()
        return None


class Feed:
    """The subscribers of this process."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._subscribers: set[FeedSubscriber] = set()
        self._polling: asyncio.Task[None] | None = None
        self._idle = asyncio.Event()
        self._is_shutting_down = False

    async def subscribe(
        self, operator: Operator, address: str, ends_at: datetime
    ) -> FeedSubscriber:
        """Subscribe an operator at an IP address, until `ends_at` or the end of their session.

        The caller must unsubscribe.

        Raises:
            Refused: `Unavailable` if the process has too many or is shutting down.
        """
        if self._is_shutting_down or len(self._subscribers) >= MAX_SUBSCRIBERS:
            raise unavailable()
        subscriber = FeedSubscriber(
            user_id=operator.user_id,
            presence=(operator.sign_in_id, address),
            ends_at=ends_at,
            since=least_id(self._platform.clock() - _OVERLAP),
            through=operator.through,
        )
        self._subscribers.add(subscriber)
        try:
            async with self._platform.database.reading() as db:
                latest = await storage.fetch_latest(
                    db, [operator.user_id], subscriber.since, MAX_QUEUED
                )
                subscriber.mark_seen(latest)
                subscriber.unread = await count_unread(db, operator)
        except BaseException:
            self.unsubscribe(subscriber)
            raise
        subscriber.is_ready = True
        self._start_polling()
        return subscriber

    def unsubscribe(self, subscriber: FeedSubscriber) -> None:
        """Remove a subscriber; polling stops with the last one."""
        self._subscribers.discard(subscriber)
        subscriber.end()
        if not self._subscribers:
            self._idle.set()

    def begin_shutdown(self) -> None:
        """End all subscriptions and refuse new ones."""
        self._is_shutting_down = True
        for subscriber in self._subscribers:
            subscriber.end()

    async def aclose(self) -> None:
        """Remove all subscribers, and stop polling."""
        for subscriber in list(self._subscribers):
            self.unsubscribe(subscriber)
        self._idle.set()
        if self._polling is not None:
            await self._polling

    def _start_polling(self) -> None:
        if self._idle.is_set() or self._polling is None or self._polling.done():
            # The previous task, if it is still stopping, ends on its own.
            self._idle = asyncio.Event()
            self._polling = asyncio.create_task(self._poll_until(self._idle), name=TASK_NAME)

    async def _poll_until(self, idle: asyncio.Event) -> None:
        while not idle.is_set():
            try:
                await self._poll()
            except Exception as error:  # noqa: BLE001 - the database may be back in a second
                _log.warning("notifications_poll_failed", error=type(error).__name__)
            with suppress(TimeoutError):
                await asyncio.wait_for(idle.wait(), POLL_SECONDS)

    async def _poll(self) -> None:
        now = self._platform.clock()
        for subscriber in [item for item in self._subscribers if item.ends_at <= now]:
            subscriber.end()
        subscribers = [item for item in self._subscribers if item.is_ready and not item.is_over]
        if not subscribers:
            return
        users = {subscriber.user_id for subscriber in subscribers}
        since = least_id(now - _OVERLAP)
        async with self._platform.database.reading() as db:
            present = await operators.find_present(db, {item.presence for item in subscribers})
            found = await storage.fetch_latest(db, users, since, MAX_QUEUED)
        by_user: dict[UUID, list[Notification]] = defaultdict(list)
        for item in found:
            by_user[item.user_id].append(item)
        for subscriber in subscribers:
            grants = present.get(subscriber.presence)
            if grants is None:
                subscriber.end()
                continue
            visibility = visibility_of(subscriber.user_id, grants.roles, subscriber.through)
            for item in by_user[subscriber.user_id]:
                if visibility.covers(item):
                    subscriber.push(item)
