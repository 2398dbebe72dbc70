"""What is done with a mailed token, and how to get one."""

from litestar import MediaType, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from licet_server.identity.schemas.accounts import ResetBody, ResetRequest, TokenBody
from licet_server.identity.service import recovery, sign_up
from licet_server.identity.service.recovery import request_reset
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.text import normal_email
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given


@post(
    "/api/auth/password-reset",
    access=Anonymous(),
    status_code=202,
    media_type=MediaType.TEXT,
    tags=["Sign-in"],
)
async def request_password_reset(
    request: HttpRequest, platform: Given[Platform], data: JSONBody[ResetRequest]
) -> None:
    """Have a token mailed that sets a new password; the answer is the same for every address."""
    origin = context_of(request).origin()
    await request_reset(platform, origin, normal_email(data.email))


@post("/api/auth/password-reset/confirm", access=Anonymous(), status_code=204, tags=["Sign-in"])
async def reset_password(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    data: JSONBody[ResetBody],
) -> None:
    """Set a new password with a mailed token, which works once and for an hour.

    All sessions end; a second factor stays.
    """
    origin = context_of(request).origin()
    await recovery.reset_password(platform, passwords, origin, data.token, data.password)


@post("/api/auth/verify-email", access=Anonymous(), status_code=204, tags=["Sign-in"])
async def verify_email(
    request: HttpRequest, platform: Given[Platform], data: JSONBody[TokenBody]
) -> None:
    """Verify an address with the token that was mailed to it."""
    await sign_up.verify_email(platform, context_of(request).origin(), data.token)


ROUTES: list[HTTPRouteHandler] = [request_password_reset, reset_password, verify_email]
