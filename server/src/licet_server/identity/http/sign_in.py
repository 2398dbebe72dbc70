"""Routes of setup, sign-up, sign-in, refresh, and sign-out."""

from uuid import UUID

from litestar import MediaType, Response
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody

from licet_server.identity import errors
from licet_server.identity.access import UserOnly
from licet_server.identity.rules.users import Lasting, SignedInUser
from licet_server.identity.schemas.sign_in import (
    LoginBody,
    PasswordResetPreview,
    PasswordResetRequest,
    RegisterBody,
    ResetPasswordBody,
    SetupBody,
    SetupView,
    SignInView,
    TokenBody,
    UserSessionView,
    password_reset_preview,
    session_view,
    sign_in_view,
)
from licet_server.identity.service import sessions
from licet_server.identity.service.by_email import PasswordReset
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.sessions import UserSession, end_all_sessions, end_session
from licet_server.identity.service.sign_in import SignIn
from licet_server.identity.service.sign_up import SignUps
from licet_server.identity.storage import sessions as storage
from licet_server.kit.database import Connection
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Sign-in")

REFRESH_COOKIE = "licet_refresh"
_COOKIE_PATH = "/api/auth"


def session_response(
    request: HttpRequest, session: UserSession, status: int
) -> Response[UserSessionView]:
    """Respond with a session, and its refresh token in a cookie that scripts cannot read."""
    view = session_view(session.access_token, session.user, session.memberships)
    return Response(view, status_code=status, cookies=[session_cookie(request, session)])


def cookie_path(request: HttpRequest) -> str:
    """Return the path to whose requests browsers attach the refresh token."""
    return f"{context_of(request).platform.settings.base_path}{_COOKIE_PATH}"


def session_cookie(request: HttpRequest, session: UserSession) -> Cookie:
    """Return the refresh token in a cookie that scripts cannot read."""
    return Cookie(
        key=REFRESH_COOKIE,
        value=session.refresh_token,
        path=cookie_path(request),
        max_age=session.lasts_for,
        httponly=True,
        secure=context_of(request).secure,
        samesite="strict",
    )


def user_agent(request: HttpRequest) -> str | None:
    return request.headers.get("user-agent")


@ROUTES.get("/api/auth/sessions", access=UserOnly())
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


@ROUTES.delete("/api/auth/sessions/{sign_in_id:uuid}", access=UserOnly(leaves=Lasting.NOTHING))
async def end_sign_in(
    work: Given[UnitOfWork],
    account_hooks: Given[AccountHooks],
    user: Given[SignedInUser],
    sign_in_id: FromPath[UUID],
) -> None:
    """End one session, effective immediately."""
    await end_session(work, account_hooks, user, sign_in_id)


@ROUTES.delete("/api/auth/sessions", access=UserOnly(leaves=Lasting.NOTHING))
async def end_all_sign_ins(
    work: Given[UnitOfWork], account_hooks: Given[AccountHooks], user: Given[SignedInUser]
) -> None:
    """Sign out everywhere, including this session.

    A session that an identity provider opened ends those of the same provider.
    """
    await end_all_sessions(work, account_hooks, user)


@ROUTES.get("/api/auth/setup", access=Anonymous(), problems=(ErrorCode.INVALID_REQUEST,))
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


@ROUTES.post(
    "/api/auth/setup",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
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


@ROUTES.post(
    "/api/auth/register",
    access=Anonymous(),
    problems=(ErrorCode.FORBIDDEN, ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
)
async def register(
    request: HttpRequest, sign_ups: Given[SignUps], data: JSONBody[RegisterBody]
) -> Response[UserSessionView]:
    """Create an account with an institution, if sign-up is open.

    A token that verifies the address is emailed. For an address that already has an account the
    response looks the same, but no account is created and the session is not valid; the user gets
    an email.
    """
    origin = context_of(request).origin()
    session = await sign_ups.register(origin, data.account(), user_agent(request))
    return session_response(request, session, 201)


@ROUTES.act(
    "/api/auth/login",
    access=Anonymous(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.OTP_REQUIRED,
        ErrorCode.FORBIDDEN,
        ErrorCode.SSO_REQUIRED,
        ErrorCode.RATE_LIMITED,
    ),
)
async def sign_in(
    request: HttpRequest, sign_in_service: Given[SignIn], data: JSONBody[LoginBody]
) -> Response[UserSessionView]:
    """Sign in with email address and password, and a second factor if the account has one.

    `otpCode` takes a code from the authenticator app or a recovery code. Without it,
    `401 OtpRequired` says that the password is right and that a code is required, and
    `403 Forbidden` that both are right and the account is disabled. `methods` of the former lists
    what counts, and `passkey` has the options to use a passkey with; send its assertion as
    `passkey`.
    """
    origin = context_of(request).origin()
    session = await sign_in_service.sign_in(origin, data.attempt(user_agent(request)))
    return session_response(request, session, 200)


@ROUTES.act("/api/auth/refresh", access=Anonymous(), problems=(ErrorCode.UNAUTHORIZED,))
async def refresh(
    request: HttpRequest, sign_in_service: Given[SignIn]
) -> Response[UserSessionView]:
    """Exchange the refresh cookie, which is rotated, for a new access token."""
    token = request.cookies.get(REFRESH_COOKIE)
    if not token:
        raise errors.session_ended()
    session = await sign_in_service.refresh(context_of(request).origin(), token)
    return session_response(request, session, 200)


@ROUTES.post("/api/auth/logout", access=Anonymous(), status_code=204)
async def sign_out(request: HttpRequest, work: Given[UnitOfWork]) -> Response[None]:
    """End the session of the refresh cookie."""
    token = request.cookies.get(REFRESH_COOKIE)
    if token:
        await sessions.sign_out(work, token)
    response: Response[None] = Response(None, status_code=204)
    response.delete_cookie(REFRESH_COOKIE, path=cookie_path(request))
    return response


@ROUTES.post(
    "/api/auth/password-reset",
    access=Anonymous(),
    problems=(ErrorCode.RATE_LIMITED,),
    status_code=202,
    media_type=MediaType.TEXT,
)
async def request_password_reset(
    request: HttpRequest, password_reset: Given[PasswordReset], data: JSONBody[PasswordResetRequest]
) -> None:
    """Email a token that sets a new password; the response is the same for every address."""
    await password_reset.request(context_of(request).origin(), normal_email(data.email))


@ROUTES.act(
    "/api/auth/password-reset/preview",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED),
)
async def preview_password_reset(
    request: HttpRequest, password_reset: Given[PasswordReset], data: JSONBody[TokenBody]
) -> PasswordResetPreview:
    """List the API keys of the account that a token is for: a new password does not end them.

    The token stays valid.
    """
    keys = await password_reset.preview(context_of(request).origin(), data.token)
    return password_reset_preview(keys)


@ROUTES.post(
    "/api/auth/password-reset/confirm",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED),
    status_code=204,
)
async def reset_password(
    request: HttpRequest, password_reset: Given[PasswordReset], data: JSONBody[ResetPasswordBody]
) -> None:
    """Set a new password with an emailed token, which works once and for an hour.

    All sessions end; a second factor stays. `revokeApiKeys` ends the API keys of the account as
    well; the email that follows lists them.
    """
    await password_reset.reset(
        context_of(request).origin(),
        data.token,
        data.password,
        revokes_api_keys=data.revoke_api_keys,
    )


@ROUTES.post(
    "/api/auth/verify-email",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED),
    status_code=204,
)
async def verify_email(
    request: HttpRequest, sign_ups: Given[SignUps], data: JSONBody[TokenBody]
) -> None:
    """Verify an email address with the token that was sent to it."""
    await sign_ups.verify_email(context_of(request).origin(), data.token)
