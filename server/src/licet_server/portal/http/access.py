"""Routes by which end users get an account for the portal."""

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
from licet_server.portal.schemas import AccessRequest, ConfirmAccessBody

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
    """Request an e-mail that explains how to see the licenses issued to an e-mail address.

    The response is the same for every address. The e-mail has a token to create an account, or says
    that there is one already. If there is neither a license nor an account, none is sent.
    """
    origin = context_of(request).origin()
    await request_access(platform, origin, normal_email(data.email))


@post("/api/portal/access/confirm", access=Anonymous(), tags=_TAGS)
async def open_portal_account(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    data: JSONBody[ConfirmAccessBody],
) -> Response[SessionView]:
    """Create an account with the token from an e-mail, and sign in.

    The token works once, and for 24 hours. The e-mail address of the account counts as verified;
    the account belongs to no institution.
    """
    origin = context_of(request).origin()
    session = await open_account(platform, passwords, origin, data.newcomer(), user_agent(request))
    return answer_session(request, session, 201)


ROUTES: list[HTTPRouteHandler] = [request_portal_access, open_portal_account]
