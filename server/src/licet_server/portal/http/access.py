"""How people whom licenses are issued to get an account."""

from litestar import MediaType, Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from licet_server.identity.http.sessions import answer_session, user_agent
from licet_server.identity.schemas.accounts import SessionView
from licet_server.identity.service.portal_access import open_account, request_access
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.text import normal_email
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.portal.schemas import AccessRequest, WelcomeBody

_TAGS = ["Portal"]


@post(
    "/api/portal/access",
    access=Anonymous(),
    status_code=202,
    media_type=MediaType.TEXT,
    tags=_TAGS,
)
async def request_portal_access(
    request: HttpRequest, platform: Given[Platform], data: JSONBody[AccessRequest]
) -> None:
    """Have a letter mailed that says how to see the licenses that are issued to an address.

    The answer is the same for every address. The letter has a token that makes an account, or says
    that there is one already; where there is neither a license nor an account, none is sent.
    """
    origin = context_of(request).origin()
    await request_access(platform, origin, normal_email(data.email))


@post("/api/portal/access/confirm", access=Anonymous(), tags=_TAGS)
async def open_portal_account(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    data: JSONBody[WelcomeBody],
) -> Response[SessionView]:
    """Make an account with a mailed token, which works once and for 24 hours, and sign in.

    Its address counts as verified. It belongs to no institution.
    """
    origin = context_of(request).origin()
    session = await open_account(platform, passwords, origin, data.newcomer(), user_agent(request))
    return answer_session(request, session, 201)


ROUTES: list[HTTPRouteHandler] = [request_portal_access, open_portal_account]
