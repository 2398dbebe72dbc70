"""Routes of accounts."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Request, Response, delete, get, post, put
from litestar.datastructures import Cookie
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import UNSET

from licet_server.accounts import errors, service
from licet_server.accounts.access import InstitutionRole, SignedIn
from licet_server.accounts.rules import SESSION_DAYS, Operator, Role
from licet_server.accounts.schemas import (
    InstitutionBody,
    InstitutionChange,
    InstitutionView,
    LoginBody,
    ProfileChange,
    SessionView,
    SetupBody,
    UserView,
    institution_view,
    session_view,
    user_view,
)
from licet_server.accounts.service import NewAccount, Session
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.passwords import Passwords
from licet_server.kit.text import normal_email
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.work import Platform, Work

REFRESH_COOKIE = "licet_refresh"
_COOKIE_PATH = "/api/auth"

Asked = Request[Any, Any, Any]


@post("/api/auth/setup", access=Anonymous(), tags=["Sign-in"])
async def set_up(
    request: Asked, work: Given[Work], passwords: Given[Passwords], data: JSONBody[SetupBody]
) -> Response[SessionView]:
    """First run: make the first Owner with the token that the server printed."""
    account = NewAccount(
        normal_email(data.email), data.password, data.full_name, data.institution_name
    )
    user_agent = _user_agent(request)
    session = await service.set_up(work, passwords, data.setup_token, account, user_agent)
    return _answer_session(request, session, 201)


@post("/api/auth/login", access=Anonymous(), status_code=200, tags=["Sign-in"])
async def sign_in(
    request: Asked,
    platform: Given[Platform],
    passwords: Given[Passwords],
    data: JSONBody[LoginBody],
) -> Response[SessionView]:
    """Sign in with e-mail address and password."""
    session = await service.sign_in(
        platform,
        passwords,
        context_of(request).origin(),
        normal_email(data.email),
        data.password,
        _user_agent(request),
    )
    return _answer_session(request, session, 200)


@post("/api/auth/refresh", access=Anonymous(), status_code=200, tags=["Sign-in"])
async def refresh(request: Asked, platform: Given[Platform]) -> Response[SessionView]:
    """A new access token for the refresh cookie, which is rotated."""
    token = request.cookies.get(REFRESH_COOKIE)
    if not token:
        raise errors.session_ended()
    session = await service.refresh(platform, context_of(request).origin(), token)
    return _answer_session(request, session, 200)


@post("/api/auth/logout", access=Anonymous(), status_code=204, tags=["Sign-in"])
async def sign_out(request: Asked, work: Given[Work]) -> Response[None]:
    """End the session of the refresh cookie."""
    token = request.cookies.get(REFRESH_COOKIE)
    if token:
        await service.sign_out(work, token)
    response: Response[None] = Response(None, status_code=204)
    response.delete_cookie(REFRESH_COOKIE, path=_COOKIE_PATH)
    return response


@get("/api/auth/me", access=SignedIn(), tags=["Sign-in"])
async def show_me(db: Given[Connection], operator: Given[Operator]) -> UserView:
    """Who is signed in, and his memberships."""
    return user_view(*await service.fetch_profile(db, operator.user_id))


@put("/api/auth/me", access=SignedIn(), tags=["Sign-in"])
async def change_me(
    work: Given[Work], operator: Given[Operator], data: JSONBody[ProfileChange]
) -> UserView:
    """Change one's own name."""
    if data.full_name is not UNSET:
        await service.rename_user(work, operator.user_id, data.full_name)
    return user_view(*await service.fetch_profile(work.db, operator.user_id))


@get("/api/institutions", access=SignedIn(), tags=["Institutions"])
async def list_institutions(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    search: Annotated[str | None, QueryParameter(max_length=200)] = None,
) -> Listing[InstitutionView]:
    """The institutions that the caller belongs to; for a system Admin, all."""
    listing = await service.list_institutions(db, operator, paging, search)
    return listing.of(institution_view)


@post("/api/institutions", access=SignedIn(), tags=["Institutions"])
async def create_institution(
    work: Given[Work], operator: Given[Operator], data: JSONBody[InstitutionBody]
) -> InstitutionView:
    """Make an institution; the caller becomes its Owner."""
    return institution_view(await service.create_institution(work, operator, data.name))


@get(
    "/api/institutions/{institution_id:uuid}",
    access=InstitutionRole(Role.VIEWER),
    tags=["Institutions"],
)
async def show_institution(
    db: Given[Connection], operator: Given[Operator], institution_id: FromPath[UUID]
) -> InstitutionView:
    """One institution."""
    return institution_view(await service.fetch_institution(db, operator, institution_id))


@put(
    "/api/institutions/{institution_id:uuid}",
    access=InstitutionRole(Role.ADMIN),
    tags=["Institutions"],
)
async def change_institution(
    work: Given[Work],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    data: JSONBody[InstitutionChange],
) -> InstitutionView:
    """Rename an institution."""
    name = None if data.name is UNSET else data.name
    return institution_view(await service.rename_institution(work, operator, institution_id, name))


@delete(
    "/api/institutions/{institution_id:uuid}",
    access=InstitutionRole(Role.OWNER),
    tags=["Institutions"],
)
async def delete_institution(
    work: Given[Work], operator: Given[Operator], institution_id: FromPath[UUID]
) -> None:
    """Delete an institution that has no products, for good."""
    await service.delete_institution(work, operator, institution_id)


def _answer_session(request: Asked, session: Session, status: int) -> Response[SessionView]:
    cookie = Cookie(
        key=REFRESH_COOKIE,
        value=session.refresh_token,
        path=_COOKIE_PATH,
        max_age=SESSION_DAYS * 86_400,
        httponly=True,
        secure=context_of(request).secure,
        samesite="strict",
    )
    view = session_view(session.access_token, session.user, session.memberships)
    return Response(view, status_code=status, cookies=[cookie])


def _user_agent(request: Asked) -> str | None:
    return request.headers.get("user-agent")


ROUTES: list[HTTPRouteHandler] = [
    set_up,
    sign_in,
    refresh,
    sign_out,
    show_me,
    change_me,
    list_institutions,
    create_institution,
    show_institution,
    change_institution,
    delete_institution,
]
