"""Routes of sign-in through an identity provider, which browsers open."""

from typing import Annotated
from urllib.parse import urlencode

from litestar import MediaType, Response
from litestar.datastructures import Cookie
from litestar.params import QueryParameter

from licet_server.identity.http.sign_in import session_cookie, user_agent
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.sso.rules.configuration import ATTEMPT_LIFE
from licet_server.sso.service.sign_in import Answer, SsoSignIn

ROUTES = Routes("Sign-in")

_COOKIE = "licet_sso"
_PATH = "/api/auth/sso"
_BROWSER_MAX = 200
_SENT_MAX = 4_096

Sent = Annotated[str | None, QueryParameter(max_length=_SENT_MAX)]


@ROUTES.get(
    f"{_PATH}/start",
    access=Anonymous(),
    problems=(ErrorCode.NOT_FOUND, ErrorCode.RATE_LIMITED),
    status_code=302,
    media_type=MediaType.TEXT,
)
async def start_sso(
    request: HttpRequest,
    sso_sign_in: Given[SsoSignIn],
    email: Annotated[str, QueryParameter(min_length=3, max_length=254)],
    again: Annotated[
        bool, QueryParameter(description="Have the provider ask for credentials again.")
    ] = False,
) -> Response[None]:
    """Redirect to the identity provider that is responsible for the domain of the address.

    A browser that asks for a page is sent back to the sign-in page if that is not possible.
    """
    browser = request.cookies.get(_COOKIE, "")[:_BROWSER_MAX] or None
    try:
        started = await sso_sign_in.start(
            context_of(request).origin(), normal_email(email), browser=browser, again=again
        )
    except Refused as refused:
        return _refusal(request, refused)
    cookie = Cookie(
        key=_COOKIE,
        value=started.browser,
        path=f"{_base_path(request)}{_PATH}",
        max_age=int(ATTEMPT_LIFE.total_seconds()),
        httponly=True,
        secure=context_of(request).secure,
        samesite="lax",
    )
    return _redirect(started.url, [cookie])


@ROUTES.get(
    f"{_PATH}/callback",
    access=Anonymous(),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.FORBIDDEN,
        ErrorCode.SSO_REQUIRED,
        ErrorCode.NOT_FOUND,
        ErrorCode.CONFLICT,
    ),
    status_code=302,
    media_type=MediaType.TEXT,
)
async def finish_sso(
    request: HttpRequest,
    sso_sign_in: Given[SsoSignIn],
    code: Sent = None,
    sent_state: Annotated[str | None, QueryParameter(name="state", max_length=_SENT_MAX)] = None,
    iss: Sent = None,
    error: Sent = None,
) -> Response[None]:
    """Finish a sign-in when the provider sends the browser back; sets the refresh cookie.

    The answer must be for a sign-in that this browser began within 10 minutes, and works once.
    """
    answer = Answer(
        code=code,
        state=sent_state,
        issuer=iss,
        error=error,
        browser=request.cookies.get(_COOKIE),
        user_agent=user_agent(request),
    )
    try:
        session = await sso_sign_in.finish(context_of(request).origin(), answer)
    except Refused as refused:
        return _refusal(request, refused)
    return _redirect(f"{_base_path(request)}/", [session_cookie(request, session)])


def _refusal(request: HttpRequest, refused: Refused) -> Response[None]:
    """Redirect a browser to the sign-in page with the reason; raise for a program."""
    if "text/html" not in request.headers.get("accept", ""):
        raise refused
    query = {"sso": refused.code.value}
    if (reason := refused.extra.get("reason")) is not None:
        query["reason"] = str(reason)[:40]
    return _redirect(f"{_base_path(request)}/login?{urlencode(query)}", [])


def _base_path(request: HttpRequest) -> str:
    return context_of(request).platform.settings.base_path


def _redirect(url: str, cookies: list[Cookie]) -> Response[None]:
    headers: dict[str, str] = {
        "location": url,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
    }
    return Response(
        None, status_code=302, headers=headers, cookies=cookies, media_type=MediaType.TEXT
    )
