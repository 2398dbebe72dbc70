"""In and out: set-up, sign-up, sign-in, refresh, sign-out."""

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from licet_server.identity import errors
from licet_server.identity.http.sessions import (
    COOKIE_PATH,
    REFRESH_COOKIE,
    answer_session,
    user_agent,
)
from licet_server.identity.schemas.accounts import LoginBody, RegisterBody, SessionView, SetupBody
from licet_server.identity.schemas.entrance import SetupView
from licet_server.identity.service import sessions, sign_up, users
from licet_server.identity.service.sessions import SignInAttempt
from licet_server.identity.service.sign_up import find_entrance
from licet_server.identity.service.users import NewAccount
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.text import normal_email
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given


@get("/api/auth/setup", access=Anonymous(), tags=["Sign-in"])
async def show_setup(request: HttpRequest, platform: Given[Platform]) -> SetupView:
    """How people come in here: by the first-run setup, by signing up, or by invitation.

    `session` says that a refresh cookie was sent, and not whether it still opens anything: without
    one there is nothing to refresh. While `required`, nobody may sign up.
    """
    entrance = await find_entrance(platform)
    return SetupView(
        required=entrance.setup_required,
        sign_up=entrance.sign_up,
        session=bool(request.cookies.get(REFRESH_COOKIE)),
    )


@post("/api/auth/setup", access=Anonymous(), tags=["Sign-in"])
async def set_up(
    request: HttpRequest,
    work: Given[UnitOfWork],
    passwords: Given[Passwords],
    data: JSONBody[SetupBody],
) -> Response[SessionView]:
    """First run: make the first Owner with the token that the server printed."""
    account = NewAccount(
        normal_email(data.email), data.password, data.full_name, data.institution_name
    )
    session = await users.set_up(work, passwords, data.setup_token, account, user_agent(request))
    return answer_session(request, session, 201)


@post("/api/auth/register", access=Anonymous(), tags=["Sign-in"])
async def register(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    data: JSONBody[RegisterBody],
) -> Response[SessionView]:
    """Make an account with an institution, where this service is open to everybody.

    A token that verifies the address is mailed. An address that has an account gets the same
    answer, but no new account: its owner is told by mail, and the session opens nothing.
    """
    account = NewAccount(
        normal_email(data.email), data.password, data.full_name, data.institution_name
    )
    origin = context_of(request).origin()
    session = await sign_up.register(platform, passwords, origin, account, user_agent(request))
    return answer_session(request, session, 201)


@post("/api/auth/login", access=Anonymous(), status_code=200, tags=["Sign-in"])
async def sign_in(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    data: JSONBody[LoginBody],
) -> Response[SessionView]:
    """Sign in with e-mail address and password, and a code where there is a second factor.

    `otpCode` takes the code of the app or a recovery code. Without it, `401 OtpRequired` says that
    the password is right and that a code is asked for.
    """
    attempt = SignInAttempt(
        normal_email(data.email), data.password, data.otp_code, user_agent(request)
    )
    session = await sessions.sign_in(platform, passwords, context_of(request).origin(), attempt)
    return answer_session(request, session, 200)


@post("/api/auth/refresh", access=Anonymous(), status_code=200, tags=["Sign-in"])
async def refresh(request: HttpRequest, platform: Given[Platform]) -> Response[SessionView]:
    """A new access token for the refresh cookie, which is rotated."""
    token = request.cookies.get(REFRESH_COOKIE)
    if not token:
        raise errors.session_ended()
    session = await sessions.refresh(platform, context_of(request).origin(), token)
    return answer_session(request, session, 200)


@post("/api/auth/logout", access=Anonymous(), status_code=204, tags=["Sign-in"])
async def sign_out(request: HttpRequest, work: Given[UnitOfWork]) -> Response[None]:
    """End the session of the refresh cookie."""
    token = request.cookies.get(REFRESH_COOKIE)
    if token:
        await sessions.sign_out(work, token)
    response: Response[None] = Response(None, status_code=204)
    response.delete_cookie(REFRESH_COOKIE, path=COOKIE_PATH)
    return response


ROUTES: list[HTTPRouteHandler] = [show_setup, set_up, register, sign_in, refresh, sign_out]
