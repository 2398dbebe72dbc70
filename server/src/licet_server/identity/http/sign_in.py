"""Routes of setup, sign-up, sign-in, refresh, and sign-out."""

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from licet_server.identity import errors
from licet_server.identity.http.sessions import (
    COOKIE_PATH,
    REFRESH_COOKIE,
    session_response,
    user_agent,
)
from licet_server.identity.schemas.sign_in import (
    LoginBody,
    RegisterBody,
    SetupBody,
    SetupView,
    UserSessionView,
)
from licet_server.identity.service import sessions
from licet_server.identity.service.sign_in import SignIn
from licet_server.identity.service.sign_up import SignUps
from licet_server.kit.errors import ErrorCode
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given


@get("/api/auth/setup", access=Anonymous(), problems=(ErrorCode.INVALID_REQUEST,), tags=["Sign-in"])
async def show_setup(request: HttpRequest, sign_ups: Given[SignUps]) -> SetupView:
    """Show how to get an account here: by first-run setup, by signing up, or by invitation.

    `session` says that a refresh cookie was sent, not that it is still valid: without one there is
    nothing to refresh. While `required`, no one can sign up.
    """
    status = await sign_ups.status()
    return SetupView(
        required=status.setup_required,
        sign_up=status.sign_up,
        session=bool(request.cookies.get(REFRESH_COOKIE)),
    )


@post(
    "/api/auth/setup",
    access=Anonymous(),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.CONFLICT,
        ErrorCode.RATE_LIMITED,
    ),
    tags=["Sign-in"],
)
async def set_up(
    request: HttpRequest,
    work: Given[UnitOfWork],
    sign_ups: Given[SignUps],
    data: JSONBody[SetupBody],
) -> Response[UserSessionView]:
    """Create the first Owner with the token that the server printed."""
    session = await sign_ups.set_up(work, data.setup_token, data.account(), user_agent(request))
    return session_response(request, session, 201)


@post(
    "/api/auth/register",
    access=Anonymous(),
    problems=(
        ErrorCode.FORBIDDEN,
        ErrorCode.CONFLICT,
        ErrorCode.RATE_LIMITED,
    ),
    tags=["Sign-in"],
)
async def register(
    request: HttpRequest, sign_ups: Given[SignUps], data: JSONBody[RegisterBody]
) -> Response[UserSessionView]:
    """Create an account with an institution, if sign-up is open.

    A token that verifies the address is e-mailed. For an address that already has an account the
    response looks the same, but no account is created and the session is not valid; the user gets
    an e-mail.
    """
    origin = context_of(request).origin()
    session = await sign_ups.register(origin, data.account(), user_agent(request))
    return session_response(request, session, 201)


@post(
    "/api/auth/login",
    access=Anonymous(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.OTP_REQUIRED,
        ErrorCode.FORBIDDEN,
        ErrorCode.SSO_REQUIRED,
        ErrorCode.RATE_LIMITED,
    ),
    status_code=200,
    tags=["Sign-in"],
)
async def sign_in(
    request: HttpRequest, sign_in_service: Given[SignIn], data: JSONBody[LoginBody]
) -> Response[UserSessionView]:
    """Sign in with e-mail address and password, and a second factor if the account has one.

    `otpCode` takes a code from the authenticator app or a recovery code. Without it,
    `401 OtpRequired` says that the password is right and that a code is required, and
    `403 Forbidden` that both are right and the account is disabled. `methods` of the former lists
    what counts, and `passkey` has the options to use a passkey with; send its assertion as
    `passkey`.
    """
    origin = context_of(request).origin()
    session = await sign_in_service.sign_in(origin, data.attempt(user_agent(request)))
    return session_response(request, session, 200)


@post(
    "/api/auth/refresh",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED,),
    status_code=200,
    tags=["Sign-in"],
)
async def refresh(
    request: HttpRequest, sign_in_service: Given[SignIn]
) -> Response[UserSessionView]:
    """Exchange the refresh cookie, which is rotated, for a new access token."""
    token = request.cookies.get(REFRESH_COOKIE)
    if not token:
        raise errors.session_ended()
    session = await sign_in_service.refresh(context_of(request).origin(), token)
    return session_response(request, session, 200)


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
