"""Routes of the notifications of the signed-in user."""

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.identity.rules.lasting import Lasting
from licet_server.institutions.access import SignedIn
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.notifications.schemas import NotificationView, UnreadCountView, notification_view
from licet_server.notifications.service import reading

_TAGS = ["Notifications"]


@get("/api/notifications", access=SignedIn(), tags=_TAGS)
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


@get("/api/notifications/unread-count", access=SignedIn(), tags=_TAGS)
async def count_unread(db: Given[Connection], operator: Given[Operator]) -> UnreadCountView:
    """Count your unread notifications."""
    return UnreadCountView(await reading.count_unread(db, operator))


@post(
    "/api/notifications/{notification_id:uuid}/read",
    access=SignedIn(leaves=Lasting.INSTITUTION),
    status_code=200,
    tags=_TAGS,
)
async def read_notification(
    work: Given[UnitOfWork], operator: Given[Operator], notification_id: FromPath[UUID]
) -> NotificationView:
    """Mark a notification as read; a repetition changes nothing."""
    return notification_view(await reading.mark_read(work, operator, notification_id))


@post(
    "/api/notifications/read-all",
    access=SignedIn(leaves=Lasting.INSTITUTION),
    status_code=200,
    tags=_TAGS,
)
async def read_all_notifications(
    work: Given[UnitOfWork], operator: Given[Operator]
) -> UnreadCountView:
    """Mark all your notifications as read."""
    return UnreadCountView(await reading.mark_all_read(work, operator))


ROUTES: list[HTTPRouteHandler] = [
    list_notifications,
    count_unread,
    read_notification,
    read_all_notifications,
]
