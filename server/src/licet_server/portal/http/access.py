"""How end users get an account."""

from litestar import MediaType, Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from licet_server.identity.http.sessions import session_response, user_agent
from licet_server.identity.schemas.sign_in import UserSessionView
from licet_server.identity.service.portal_access import PortalAccess
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
    request: HttpRequest, portal_access: Given[PortalAccess], data: JSONBody[AccessRequest]
) -> None:
    """E-mail instructions for viewing the licenses that were issued to an address.

    The response is the same for every address. The e-mail has a token that creates an account, or
    says that one already exists; without a license or an account, no e-mail is sent.
    """
    await portal_access.request(context_of(request).origin(), normal_email(data.email))


@post("/api/portal/access/confirm", access=Anonymous(), tags=_TAGS)
async def open_portal_account(
    request: HttpRequest, portal_access: Given[PortalAccess], data: JSONBody[WelcomeBody]
) -> Response[UserSessionView]:
    """Create an account with an e-mailed token, which works once and for 24 hours, and sign in.

    Its address counts as verified. It belongs to no institution.
    """
    origin = context_of(request).origin()
    session = await portal_access.open_account(origin, data.account(), user_agent(request))
    return session_response(request, session, 201)


ROUTES: list[HTTPRouteHandler] = [request_portal_access, open_portal_account]
