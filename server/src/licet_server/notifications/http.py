"""Routes of the notifications of the signed-in user."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Request
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import ServerSentEventMessage

from licet_server.identity.access import access_ends_at
from licet_server.identity.rules.users import Lasting
from licet_server.institutions.access import SignedIn
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.limits import Kind
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.admission import take_place
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.responses import EventStream
from licet_server.kit.web.routes import Routes
from licet_server.notifications.schemas import (
    NotificationView,
    PreferencesChange,
    PreferencesView,
    UnreadCountView,
    notification_view,
    preferences_view,
)
from licet_server.notifications.service import reading
from licet_server.notifications.service.reading import MAX_SUBSCRIBERS, Feed, FeedSubscriber

ROUTES = Routes("Notifications")


@ROUTES.get("/api/notifications", access=SignedIn())
async def list_notifications(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    unread: Annotated[
        bool | None,
        QueryParameter(description="true for unread notifications only, false for read ones only."),
    ] = None,
) -> Listing[NotificationView]:
    """List your notifications, newest first."""
    found = await reading.list_notifications(db, operator, unread, paging)
    return found.of(notification_view)


@ROUTES.get("/api/notifications/unread-count", access=SignedIn())
async def count_unread(db: Given[Connection], operator: Given[Operator]) -> UnreadCountView:
    """Count your unread notifications."""
    return UnreadCountView(await reading.count_unread(db, operator))


@ROUTES.act(
    "/api/notifications/{notification_id:uuid}/read", access=SignedIn(leaves=Lasting.INSTITUTION)
)
async def read_notification(
    work: Given[UnitOfWork], operator: Given[Operator], notification_id: FromPath[UUID]
) -> NotificationView:
    """Mark a notification as read; a repetition changes nothing."""
    return notification_view(await reading.mark_read(work, operator, notification_id))


@ROUTES.act("/api/notifications/read-all", access=SignedIn(leaves=Lasting.INSTITUTION))
async def read_all_notifications(
    work: Given[UnitOfWork], operator: Given[Operator]
) -> UnreadCountView:
    """Mark all your notifications as read."""
    return UnreadCountView(await reading.mark_all_read(work, operator))


_PATH = "/api/notifications/preferences"


@ROUTES.get(_PATH, access=SignedIn())
async def show_preferences(db: Given[Connection], operator: Given[Operator]) -> PreferencesView:
    """Show which kinds of notifications you receive, and how."""
    return preferences_view(await reading.show_preferences(db, operator))


@ROUTES.put(_PATH, access=SignedIn())
async def change_preferences(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[PreferencesChange]
) -> PreferencesView:
    """Choose which kinds of notifications you receive, and how; omitted kinds do not change."""
    return preferences_view(await reading.change_preferences(work, operator, data.choices()))


STREAMS = Kind(
    "event streams",
    per_user=5,
    per_institution=500,
    per_process=MAX_SUBSCRIBERS,
    retry_after=30,
)
HEARTBEAT_SECONDS = 20.0

_RECONNECT_MS = 2_000


@ROUTES.get("/api/notifications/stream", access=SignedIn(), media_type="text/event-stream")
async def follow_notifications(
    request: Request[Any, Any, Any], operator: Given[Operator], feed: Given[Feed]
) -> EventStream:
    """Follow your notifications: the number of unread ones, then each new one as it is created.

    The events are `unread` and `notification`. The stream ends with the access token or the
    session; reconnect with a fresh token then.
    """
    context, ends_at = context_of(request), access_ends_at(request)
    if context.headers_only:  # its client would wait for the end of a body it never gets
        return EventStream(_no_messages(), lambda: None)
    await take_place(request, STREAMS, operator.user_id, operator.first_institution)
    subscriber = await feed.subscribe(operator, context.address, ends_at)
    return EventStream(_messages(subscriber), lambda: feed.unsubscribe(subscriber))


async def _no_messages() -> AsyncIterator[ServerSentEventMessage]:
    nothing: tuple[ServerSentEventMessage, ...] = ()
    for message in nothing:
        yield message


async def _messages(subscriber: FeedSubscriber) -> AsyncIterator[ServerSentEventMessage]:
    yield ServerSentEventMessage(
        data=_json(UnreadCountView(subscriber.unread)), event="unread", retry=_RECONNECT_MS
    )
    while True:
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                item = await subscriber.next()
        except TimeoutError:
            yield ServerSentEventMessage(data=None, comment="still here")
            continue
        if item is None:
            return
        data = _json(notification_view(item))
        yield ServerSentEventMessage(data=data, event="notification", id=str(item.id))


def _json(view: msgspec.Struct) -> str:
    return msgspec.json.encode(view).decode()
