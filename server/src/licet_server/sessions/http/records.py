"""Routes of sessions for operators."""

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.sessions.rules.model import SessionStatus
from licet_server.sessions.schemas import SeatSessionView, session_view
from licet_server.sessions.service import ending, reading

_TAGS = ["Sessions"]


@get(
    "/api/licenses/{license_id:uuid}/sessions",
    access=InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_READ),
    tags=_TAGS,
)
async def list_sessions(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    status: Annotated[SessionStatus, QueryParameter(name="status")] = SessionStatus.LIVE,
) -> Listing[SeatSessionView]:
    """List the live sessions of a license, or with `status=Ended` the past ones.

    Sessions that ended 90 days ago, or what the service is set to, are in archives.
    Members and Viewers see the number of live ones only, in the counts of the license.
    """
    listing = await reading.list_sessions(
        db, operator, license_id, status=status, paging=paging, now=platform.clock()
    )
    return listing.of(session_view)


@post(
    "/api/sessions/{session_id:uuid}/disconnect",
    access=InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE),
    problems=(ErrorCode.CONFLICT,),
    status_code=200,
    tags=_TAGS,
)
async def force_disconnect(
    work: Given[UnitOfWork], operator: Given[Operator], session_id: FromPath[UUID]
) -> SeatSessionView:
    """End a session; its seat is free at once."""
    return session_view(await ending.force_disconnect(work, operator, session_id))


ROUTES: list[HTTPRouteHandler] = [list_sessions, force_disconnect]
