"""Routes by which end users get an account for the portal."""

from litestar import MediaType, Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from licet_server.identity.http.sessions import session_response, user_agent
from licet_server.identity.schemas.sign_in import UserSessionView
from licet_server.identity.service.portal_access import PortalAccess
from licet_server.kit.errors import ErrorCode
from licet_server.kit.text import normal_email
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.portal.schemas import ConfirmAccessBody, PortalAccessBody

_TAGS = ["Portal"]


@post(
    "/api/portal/access",
    access=Anonymous(),
    problems=(ErrorCode.RATE_LIMITED,),
    status_code=202,
    media_type=MediaType.TEXT,
    tags=_TAGS,
)
async def request_portal_access(
    request: HttpRequest, portal_access: Given[PortalAccess], data: JSONBody[PortalAccessBody]
) -> None:
    """Request an e-mail that explains how to see the licenses issued to an e-mail address.

    The response is the same for every address. The e-mail has a token to create an account, or says
    that there is one already. If there is neither a license nor an account, none is sent.
    """
    await portal_access.request(context_of(request).origin(), normal_email(data.email))


@post(
    "/api/portal/access/confirm",
    access=Anonymous(),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.CONFLICT,
        ErrorCode.RATE_LIMITED,
    ),
    tags=_TAGS,
)
async def open_portal_account(
    request: HttpRequest,
    portal_access: Given[PortalAccess],
    data: JSONBody[ConfirmAccessBody],
) -> Response[UserSessionView]:
    """Create an account with the token from an e-mail, and sign in.

    The token works once, and for 24 hours. The e-mail address of the account counts as verified;
    the account belongs to no institution.
    """
    origin = context_of(request).origin()
    session = await portal_access.open_account(origin, data.account(), user_agent(request))
    return session_response(request, session, 201)


ROUTES: list[HTTPRouteHandler] = [request_portal_access, open_portal_account]
