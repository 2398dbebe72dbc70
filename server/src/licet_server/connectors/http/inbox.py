"""Routes of the inbox of a connector, and of the events in it."""

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.connectors.rules.model import InboxEventStatus, InboxFilter
from licet_server.connectors.rules.providers import MAX_BODY_BYTES
from licet_server.connectors.schemas.connectors import (
    ConnectorEventView,
    InboxReceipt,
    event_view,
)
from licet_server.connectors.service import inbox
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.dependencies import Given

_ADMIN = InstitutionRole(Role.ADMIN)
_TAGS = ["Connectors"]
_BODY = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}


@post(
    "/api/connectors/{connector_id:uuid}/inbox",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.CONFLICT),
    opt={"request_body": _BODY},
    request_max_body_size=MAX_BODY_BYTES,
    status_code=200,
    tags=_TAGS,
)
async def receive_event(
    request: HttpRequest, platform: Given[Platform], connector_id: FromPath[UUID]
) -> InboxReceipt:
    """Receive an event from the provider, signed as the provider documents it.

    The event is stored before the response is sent. Duplicates are not stored again.
    """
    receipt = await inbox.receive(
        platform, connector_id, dict(request.headers), await request.body()
    )
    return InboxReceipt(received=True, duplicate=not receipt.is_new)


@get("/api/connectors/{connector_id:uuid}/events", access=_ADMIN, tags=_TAGS)
async def list_connector_events(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    connector_id: FromPath[UUID],
    status: Annotated[InboxEventStatus | None, QueryParameter(name="status")] = None,
    order_id: Annotated[UUID | None, QueryParameter(name="orderId")] = None,
) -> Listing[ConnectorEventView]:
    """List the events that a connector received. Sorts by receivedAt, occurredAt."""
    filters = InboxFilter(status, order_id)
    listing = await inbox.list_events(db, operator, connector_id, filters, paging)
    return listing.of(event_view)


@post(
    "/api/connector-events/{event_id:uuid}/replay",
    access=_ADMIN,
    problems=(ErrorCode.CONFLICT,),
    status_code=202,
    tags=_TAGS,
)
async def replay_connector_event(
    work: Given[UnitOfWork], operator: Given[Operator], event_id: FromPath[UUID]
) -> ConnectorEventView:
    """Process an event and its order again."""
    return event_view(await inbox.replay(work, operator, event_id))


ROUTES: list[HTTPRouteHandler] = [receive_event, list_connector_events, replay_connector_event]
