"""The route that streams new notifications, as server-sent events."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import Request, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import ServerSentEventMessage

from licet_server.identity.access import access_ends_at
from licet_server.institutions.access import SignedIn
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.limits import Kind
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.event_stream import EventStream
from licet_server.kit.web.places import take_place
from licet_server.notifications.schemas import UnreadCountView, notification_view
from licet_server.notifications.service.feed import MAX_SUBSCRIBERS, Feed, FeedSubscriber

STREAMS = Kind(
    "event streams",
    per_user=5,
    per_institution=500,
    per_process=MAX_SUBSCRIBERS,
    retry_after=30,
)
HEARTBEAT_SECONDS = 20.0

_RECONNECT_MS = 2_000


@get(
    "/api/notifications/stream",
    access=SignedIn(),
    media_type="text/event-stream",
    tags=["Notifications"],
)
async def follow_notifications(
    request: Request[Any, Any, Any], operator: Given[Operator], feed: Given[Feed]
) -> EventStream:
    """Follow your notifications: the number of unread ones, then each new one as it is created.

    The events are `unread` and `notification`. The stream ends with the access token or the
    session; reconnect with a fresh token then.
    """
    address, ends_at = context_of(request).address, access_ends_at(request)
    await take_place(request, STREAMS, operator.user_id, operator.first_institution)
    subscriber = await feed.subscribe(operator, address, ends_at)
    return EventStream(_messages(subscriber), lambda: feed.unsubscribe(subscriber))


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


ROUTES: list[HTTPRouteHandler] = [follow_notifications]
