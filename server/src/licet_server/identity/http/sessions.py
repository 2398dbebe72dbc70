"""Sessions as responses and cookies, and the routes of a user's sessions."""

from uuid import UUID

from litestar import Response, delete, get
from litestar.datastructures import Cookie
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from licet_server.identity.access import UserOnly
from licet_server.identity.rules.lasting import Lasting
from licet_server.identity.rules.users import SignedInUser
from licet_server.identity.schemas.account_security import SignInView, sign_in_view
from licet_server.identity.schemas.sign_in import UserSessionView, session_view
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.sessions import UserSession, end_all_sessions, end_session
from licet_server.identity.storage import sessions as storage
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given

REFRESH_COOKIE = "licet_refresh"
COOKIE_PATH = "/api/auth"


def session_response(
    request: HttpRequest, session: UserSession, status: int
) -> Response[UserSessionView]:
    """Respond with a session, and its refresh token in a cookie that scripts cannot read."""
    view = session_view(session.access_token, session.user, session.memberships)
    return Response(view, status_code=status, cookies=[session_cookie(request, session)])


def session_cookie(request: HttpRequest, session: UserSession) -> Cookie:
    """Return the refresh token in a cookie that scripts cannot read."""
    return Cookie(
        key=REFRESH_COOKIE,
        value=session.refresh_token,
        path=COOKIE_PATH,
        max_age=session.lasts_for,
        httponly=True,
        secure=context_of(request).secure,
        samesite="strict",
    )


def user_agent(request: HttpRequest) -> str | None:
    return request.headers.get("user-agent")


@get("/api/auth/sessions", access=UserOnly(), tags=["Sign-in"])
async def list_sign_ins(
    platform: Given[Platform],
    db: Given[Connection],
    user: Given[SignedInUser],
    paging: Given[Paging],
) -> Listing[SignInView]:
    """List the user's sessions, newest first.

    A session that an identity provider opened lists, and ends, those of the same provider only.
    """
    listing = await storage.list_sign_ins(
        db, user.user_id, platform.clock(), paging, through=user.through
    )
    return listing.of(lambda found: sign_in_view(found, user.sign_in_id))


@delete(
    "/api/auth/sessions/{sign_in_id:uuid}",
    access=UserOnly(leaves=Lasting.NOTHING),
    tags=["Sign-in"],
)
async def end_sign_in(
    work: Given[UnitOfWork],
    account_hooks: Given[AccountHooks],
    user: Given[SignedInUser],
    sign_in_id: FromPath[UUID],
) -> None:
    """End one session, effective immediately."""
    await end_session(work, account_hooks, user, sign_in_id)


@delete("/api/auth/sessions", access=UserOnly(leaves=Lasting.NOTHING), tags=["Sign-in"])
async def end_all_sign_ins(
    work: Given[UnitOfWork], account_hooks: Given[AccountHooks], user: Given[SignedInUser]
) -> None:
    """Sign out everywhere, including this session.

    A session that an identity provider opened ends those of the same provider.
    """
    await end_all_sessions(work, account_hooks, user)


ROUTES: list[HTTPRouteHandler] = [list_sign_ins, end_sign_in, end_all_sign_ins]
