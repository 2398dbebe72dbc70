"""Routes of telemetry."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.catalog.access import ProductKey, provide_product_caller
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given, instant_of
from licet_server.kit.web.routes import Routes
from licet_server.licenses.service.noting import note_device
from licet_server.telemetry.rules import TelemetryFilter
from licet_server.telemetry.schemas import (
    TelemetryAnswer,
    TelemetryBody,
    TelemetryEventView,
    telemetry_event_view,
)
from licet_server.telemetry.service.ingestion import Telemetry
from licet_server.telemetry.service.reading import list_events

ROUTES = Routes("Runtime")

_BODY_BYTES = 64 * 1024


@ROUTES.post(
    "/api/telemetry",
    access=ProductKey(),
    problems=(ErrorCode.INVALID_CREDENTIALS, ErrorCode.LICENSE_NOT_FOUND, ErrorCode.DEVICE_BLOCKED),
    status_code=202,
    request_max_body_size=_BODY_BYTES,
)
async def send_telemetry(
    request: HttpRequest, telemetry: Given[Telemetry], data: JSONBody[TelemetryBody]
) -> TelemetryAnswer:
    """Report events of the application; all events of a request are stored, or none.

    A request has at most 100 events and 64 kB.

    Events that are older than 30 days, or more than a day ahead of the server's clock, are dropped
    and not counted in `accepted`. So are all events beyond 100 MB of a product and day (UTC).
    """
    caller = provide_product_caller(request)
    note_device(data.hardware_id)
    origin = context_of(request).origin()
    return TelemetryAnswer(await telemetry.ingest(caller, data.request(), origin))


@ROUTES.get(
    "/api/products/{product_id:uuid}/telemetry",
    access=InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ),
    tags=["Telemetry"],
)
async def list_telemetry(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    product_id: FromPath[UUID],
    name: Annotated[str | None, QueryParameter(name="name", max_length=100)] = None,
    given_from: Annotated[
        datetime | None,
        QueryParameter(name="from", description="Received at this time or later."),
    ] = None,
    given_to: Annotated[
        datetime | None, QueryParameter(name="to", description="Received before this time.")
    ] = None,
) -> Listing[TelemetryEventView]:
    """List the events of a product's applications, newest first. Sorts by receivedAt."""
    filters = TelemetryFilter(
        name=name or None,
        since=instant_of("from", given_from),
        until=instant_of("to", given_to),
    )
    listing = await list_events(db, operator, product_id, filters, paging)
    return listing.of(telemetry_event_view)
