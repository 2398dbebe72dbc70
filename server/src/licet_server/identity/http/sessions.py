"""Sessions as answers and cookies, and where one is signed in."""

from uuid import UUID

from litestar import Response, delete, get
from litestar.datastructures import Cookie
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from licet_server.identity.rules.people import SESSION_DAYS
from licet_server.identity.schemas.accounts import (
    SessionView,
    SignInView,
    session_view,
    sign_in_view,
)
from licet_server.identity.service import sessions
from licet_server.identity.service.sessions import Session, end_all_sessions, end_session
from licet_server.institutions.access import SignedIn
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given

REFRESH_COOKIE = "licet_refresh"
COOKIE_PATH = "/api/auth"


def answer_session(request: HttpRequest, session: Session, status: int) -> Response[SessionView]:
    """The session, with its refresh token in a cookie that no script can read."""
    cookie = Cookie(
        key=REFRESH_COOKIE,
        value=session.refresh_token,
        path=COOKIE_PATH,
        max_age=SESSION_DAYS * 86_400,
        httponly=True,
        secure=context_of(request).secure,
        samesite="strict",
    )
    view = session_view(session.access_token, session.user, session.memberships)
    return Response(view, status_code=status, cookies=[cookie])


def user_agent(request: HttpRequest) -> str | None:
    """What the program calls itself."""
    return request.headers.get("user-agent")


@get("/api/auth/sessions", access=SignedIn(), tags=["Sign-in"])
async def list_sign_ins(
    platform: Given[Platform],
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
) -> Listing[SignInView]:
    """Where one is signed in, newest first."""
    listing = await sessions.list_sign_ins(db, operator, platform.clock(), paging)
    return listing.of(lambda found: sign_in_view(found, operator.sign_in_id))


@delete("/api/auth/sessions/{sign_in_id:uuid}", access=SignedIn(), tags=["Sign-in"])
async def end_sign_in(
    work: Given[UnitOfWork], operator: Given[Operator], sign_in_id: FromPath[UUID]
) -> None:
    """Sign out at one place, at once."""
    await end_session(work, operator, sign_in_id)


@delete("/api/auth/sessions", access=SignedIn(), tags=["Sign-in"])
async def end_all_sign_ins(work: Given[UnitOfWork], operator: Given[Operator]) -> None:
    """Sign out everywhere, here too."""
    await end_all_sessions(work, operator)


ROUTES: list[HTTPRouteHandler] = [list_sign_ins, end_sign_in, end_all_sign_ins]
