"""Routes of connectors and their inboxes."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE

from licet_server.connectors.rules.model import Connector, InboxEventStatus, InboxFilter
from licet_server.connectors.rules.providers import MAX_BODY_BYTES
from licet_server.connectors.schemas.connectors import (
    ConnectorBody,
    ConnectorChange,
    ConnectorEventView,
    ConnectorView,
    InboxReceipt,
    IssuedConnectorView,
    RotateConnectorSecretBody,
    SaleRuleBody,
    connector_view,
    event_view,
    issued_connector_view,
)
from licet_server.connectors.service import connectors, inbox
from licet_server.connectors.service.connectors import Activity
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

_READ = InstitutionRole(Role.ADMIN, Scope.CONNECTORS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.CONNECTORS_WRITE)
ROUTES = Routes("Connectors")
_CONNECTOR = "/api/connectors/{connector_id:uuid}"


@ROUTES.get("/api/connectors", access=_READ, problems=(ErrorCode.NOT_FOUND,))
async def list_connectors(
    db: Given[Connection],
    operator: Given[Operator],
    platform: Given[Platform],
    paging: Given[Paging],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[ConnectorView]:
    """List the connectors of the caller's institutions. Sorts by name, createdAt, updatedAt."""
    listing = await connectors.list_connectors(db, operator, institution_id, paging)
    return listing.with_items(await _views(db, platform.settings.address, listing.items))


@ROUTES.post("/api/connectors", access=_WRITE)
async def create_connector(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[ConnectorBody]
) -> IssuedConnectorView:
    """Create a connector. A signing secret that the service generates is only in this response."""
    issued = await connectors.create_connector(
        work,
        operator,
        data.institution_id,
        data.fields(),
        signing_secret=data.signing_secret,
        api_key=data.api_key,
    )
    return issued_connector_view(issued, work.address, Activity())


@ROUTES.get(_CONNECTOR, access=_READ)
async def show_connector(
    db: Given[Connection],
    operator: Given[Operator],
    platform: Given[Platform],
    connector_id: FromPath[UUID],
) -> ConnectorView:
    """Show a connector."""
    connector = await connectors.fetch_connector(db, operator, connector_id)
    [view] = await _views(db, platform.settings.address, [connector])
    return view


@ROUTES.put(_CONNECTOR, access=_WRITE)
async def change_connector(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    connector_id: FromPath[UUID],
    data: JSONBody[ConnectorChange],
) -> ConnectorView:
    """Change a connector. Orders without a matching rule are processed again.

    Licenses of other orders change with the next event about the order.
    """
    changed = await connectors.change_connector(
        work, operator, connector_id, data.changes(), data.new_api_key()
    )
    [view] = await _views(work.db, work.address, [changed])
    return view


@ROUTES.delete(_CONNECTOR, access=_WRITE)
async def delete_connector(
    work: Given[UnitOfWork], operator: Given[Operator], connector_id: FromPath[UUID]
) -> None:
    """Delete a connector with its events and orders. The licenses stay as they are."""
    await connectors.delete_connector(work, operator, connector_id)


@ROUTES.act(f"{_CONNECTOR}/rules", access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def add_connector_rule(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    connector_id: FromPath[UUID],
    data: JSONBody[SaleRuleBody],
) -> ConnectorView:
    """Add a rule, and process the orders without a matching rule again."""
    changed = await connectors.add_rule(work, operator, connector_id, data.rule())
    [view] = await _views(work.db, work.address, [changed])
    return view


@ROUTES.act(f"{_CONNECTOR}/rotate-secret", access=_WRITE)
async def rotate_connector_secret(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    connector_id: FromPath[UUID],
    data: JSONBody[RotateConnectorSecretBody],
) -> IssuedConnectorView:
    """Replace the signing secret. The current one stays valid for 24 hours.

    A secret that the service generates is only in this response.
    """
    issued = await connectors.rotate_secret(work, operator, connector_id, data.signing_secret)
    activity = await connectors.fetch_activity(work.db, [issued.connector])
    return issued_connector_view(issued, work.address, activity[issued.connector.id])


async def _views(db: Connection, address: str, found: Sequence[Connector]) -> list[ConnectorView]:
    activity = await connectors.fetch_activity(db, found)
    return [connector_view(item, address, activity[item.id]) for item in found]


_BODY = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}


@ROUTES.act(
    "/api/connectors/{connector_id:uuid}/inbox",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.CONFLICT),
    opt={"request_body": _BODY},
    request_max_body_size=MAX_BODY_BYTES,
)
async def receive_event(
    request: HttpRequest, platform: Given[Platform], connector_id: FromPath[UUID]
) -> InboxReceipt:
    """Receive an event from the provider, signed as the provider documents it.

    The event is stored before the response is sent. Duplicates are not stored again.
    """
    try:
        body = await request.body()
    except HTTPException as error:
        if error.status_code == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
            raise await inbox.reject_too_large(platform, connector_id) from None
        raise
    receipt = await inbox.receive(platform, connector_id, dict(request.headers), body)
    return InboxReceipt(received=True, duplicate=not receipt.is_new)


@ROUTES.get("/api/connectors/{connector_id:uuid}/events", access=_READ)
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


@ROUTES.post(
    "/api/connector-events/{event_id:uuid}/replay",
    access=_WRITE,
    problems=(ErrorCode.CONFLICT,),
    status_code=202,
)
async def replay_connector_event(
    work: Given[UnitOfWork], operator: Given[Operator], event_id: FromPath[UUID]
) -> ConnectorEventView:
    """Process an event and its order again."""
    return event_view(await inbox.replay(work, operator, event_id))
