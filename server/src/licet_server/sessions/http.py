"""Routes by which an application connects, sends heartbeats and disconnects."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.catalog.access import ProductKey, product_caller
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.access import shown_proof
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import DEVICE_SEARCH
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, RequestContext
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.sessions.rules.model import EndReason, SessionFilter, SessionStatus
from licet_server.sessions.schemas import (
    ConnectAnswer,
    ConnectBody,
    HeartbeatAnswer,
    SeatSessionView,
    SessionBody,
    session_view,
)
from licet_server.sessions.service import ending, reading
from licet_server.sessions.service.runtime import Sessions

ROUTES = Routes("Sessions")

_RUNTIME = ["Runtime"]


@ROUTES.post(
    "/api/sessions/connect",
    access=ProductKey(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.PENDING_APPROVAL,
        ErrorCode.ACTIVATION_REQUIRED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
        ErrorCode.TRIAL_ALREADY_USED,
    ),
    tags=_RUNTIME,
)
async def connect(
    context: Given[RequestContext],
    sessions: Given[Sessions],
    data: JSONBody[ConnectBody],
) -> ConnectAnswer:
    """Start a session, which holds a seat of a Floating license while it is live."""
    caller = product_caller(context)
    connected = await sessions.connect(caller, data.request(shown_proof(context)), context.origin())
    return ConnectAnswer(
        session_id=connected.session_id,
        expires_at=connected.expires_at,
        heartbeat_interval_seconds=caller.settings.heartbeat_interval_seconds,
        session_timeout_seconds=caller.settings.session_timeout_seconds,
        seats_used=connected.seats_used,
        seats_total=connected.seats_total,
        test=caller.test,
    )


@ROUTES.act(
    "/api/sessions/heartbeat",
    access=ProductKey(),
    problems=(
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.SESSION_NOT_FOUND,
    ),
    tags=_RUNTIME,
)
async def heartbeat(
    context: Given[RequestContext], sessions: Given[Sessions], data: JSONBody[SessionBody]
) -> HeartbeatAnswer:
    """Extend a session by its timeout."""
    caller = product_caller(context)
    expires_at = await sessions.heartbeat(caller, data.session_id, shown_proof(context))
    return HeartbeatAnswer(
        session_id=data.session_id,
        expires_at=expires_at,
        heartbeat_interval_seconds=caller.settings.heartbeat_interval_seconds,
    )


@ROUTES.post(
    "/api/sessions/disconnect",
    access=ProductKey(),
    problems=(
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.SESSION_NOT_FOUND,
        ErrorCode.CONFLICT,
    ),
    status_code=204,
    tags=_RUNTIME,
)
async def disconnect(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    sessions: Given[Sessions],
    shown_proof: Given[ShownProof],
    data: JSONBody[SessionBody],
) -> None:
    """End a session; its seat is free at once. One whose seat is borrowed goes on."""
    await sessions.disconnect(caller, data.session_id, context.origin(), shown_proof)


@ROUTES.get(
    "/api/licenses/{license_id:uuid}/sessions",
    access=InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_READ),
)
async def list_sessions(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[SessionStatus, QueryParameter(name="status")] = SessionStatus.LIVE,
    search: Annotated[str | None, QueryParameter(max_length=200, description=DEVICE_SEARCH)] = None,
    reason: Annotated[
        EndReason | None, QueryParameter(name="endReason", description="Of past sessions.")
    ] = None,
) -> Listing[SeatSessionView]:
    """List the live sessions of a license, or with `status=Ended` the past ones.

    With `Accept: text/csv`, all of them as CSV. Sessions that ended 90 days ago, or what the
    service is set to, are in archives. Members and Viewers see the number of live ones only, in the
    counts of the license.
    """
    now, filters = platform.clock(), SessionFilter(status, (search or "").strip() or None, reason)

    async def fetch(connection: Connection, step: Paging) -> Listing[SeatSessionView]:
        found = await reading.list_sessions(
            connection, operator, license_id, filters=filters, paging=step, now=now
        )
        return found.of(session_view)

    of = operator.first_institution
    return await list_or_csv(
        request, db, platform, paging, operator.user_id, of, "sessions.csv", SeatSessionView, fetch
    )


@ROUTES.act(
    "/api/sessions/{session_id:uuid}/disconnect",
    access=InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE),
    problems=(ErrorCode.CONFLICT,),
)
async def force_disconnect(
    work: Given[UnitOfWork], operator: Given[Operator], session_id: FromPath[UUID]
) -> SeatSessionView:
    """End a session; its seat is free at once."""
    return session_view(await ending.force_disconnect(work, operator, session_id))
