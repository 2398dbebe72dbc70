"""Routes of e-mailed tokens: requesting and using them."""

from litestar import MediaType, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from licet_server.identity.schemas.emailed_tokens import (
    PasswordResetPreview,
    PasswordResetRequest,
    ResetPasswordBody,
    TokenBody,
    password_reset_preview,
)
from licet_server.identity.service.password_reset import PasswordReset
from licet_server.identity.service.sign_up import SignUps
from licet_server.kit.errors import ErrorCode
from licet_server.kit.text import normal_email
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given


@post(
    "/api/auth/password-reset",
    access=Anonymous(),
    problems=(ErrorCode.RATE_LIMITED,),
    status_code=202,
    media_type=MediaType.TEXT,
    tags=["Sign-in"],
)
async def request_password_reset(
    request: HttpRequest, password_reset: Given[PasswordReset], data: JSONBody[PasswordResetRequest]
) -> None:
    """E-mail a token that sets a new password; the response is the same for every address."""
    await password_reset.request(context_of(request).origin(), normal_email(data.email))


@post(
    "/api/auth/password-reset/preview",
    access=Anonymous(),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.RATE_LIMITED,
    ),
    status_code=200,
    tags=["Sign-in"],
)
async def preview_password_reset(
    request: HttpRequest, password_reset: Given[PasswordReset], data: JSONBody[TokenBody]
) -> PasswordResetPreview:
    """List the API keys of the account that a token is for: a new password does not end them.

    The token stays valid.
    """
    keys = await password_reset.preview(context_of(request).origin(), data.token)
    return password_reset_preview(keys)


@post(
    "/api/auth/password-reset/confirm",
    access=Anonymous(),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.RATE_LIMITED,
    ),
    status_code=204,
    tags=["Sign-in"],
)
async def reset_password(
    request: HttpRequest, password_reset: Given[PasswordReset], data: JSONBody[ResetPasswordBody]
) -> None:
    """Set a new password with an e-mailed token, which works once and for an hour.

    All sessions end; a second factor stays. `revokeApiKeys` ends the API keys of the account as
    well; the e-mail that follows lists them.
    """
    await password_reset.reset(
        context_of(request).origin(),
        data.token,
        data.password,
        revokes_api_keys=data.revoke_api_keys,
    )


@post(
    "/api/auth/verify-email",
    access=Anonymous(),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.RATE_LIMITED,
    ),
    status_code=204,
    tags=["Sign-in"],
)
async def verify_email(
    request: HttpRequest, sign_ups: Given[SignUps], data: JSONBody[TokenBody]
) -> None:
    """Verify an e-mail address with the token that was sent to it."""
    await sign_ups.verify_email(context_of(request).origin(), data.token)


ROUTES: list[HTTPRouteHandler] = [
    request_password_reset,
    preview_password_reset,
    reset_password,
    verify_email,
]
