"""Routes by which end users get an account for the portal."""

from uuid import UUID

from litestar import MediaType, Response
from litestar.params import FromPath, JSONBody

from licet_server.customers.schemas import CustomerView, customer_view
from licet_server.customers.service.hooks import CustomerLicenses
from licet_server.identity.http.sign_in import session_response, user_agent
from licet_server.identity.rules.memberships import Role
from licet_server.identity.schemas.sign_in import UserSessionView
from licet_server.identity.service.by_email import PortalAccess
from licet_server.identity.service.tokens import VIEW_SECONDS
from licet_server.institutions.access import InstitutionRole, PortalReader
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.institutions.schemas.institutions import AppearanceView, appearance_view
from licet_server.institutions.service.appearance import fetch_public_appearance, find_appearances
from licet_server.kit.database import Connection
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import ErrorCode
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.licenses.service.holders import find_vendors
from licet_server.portal.schemas import (
    ConfirmAccessBody,
    OwnVendors,
    PortalAccessBody,
    PortalViewToken,
)
from licet_server.portal.service.access import open_view, send_link

ROUTES = Routes("Portal")


@ROUTES.post(
    "/api/portal/access",
    access=Anonymous(),
    problems=(ErrorCode.RATE_LIMITED,),
    status_code=202,
    media_type=MediaType.TEXT,
)
async def request_portal_access(
    request: HttpRequest, portal_access: Given[PortalAccess], data: JSONBody[PortalAccessBody]
) -> None:
    """Request an email that explains how to see the licenses issued to an email address.

    The response is the same for every address. The email has a token to create an account, or says
    that there is one already. If there is neither a license nor an account, none is sent.
    """
    await portal_access.request(context_of(request).origin(), normal_email(data.email))


@ROUTES.post(
    "/api/portal/access/confirm",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
)
async def open_portal_account(
    request: HttpRequest,
    portal_access: Given[PortalAccess],
    data: JSONBody[ConfirmAccessBody],
) -> Response[UserSessionView]:
    """Create an account with the token from an email, and sign in.

    The token works once, and for 24 hours. The email address of the account counts as verified;
    the account belongs to no institution.
    """
    origin = context_of(request).origin()
    session = await portal_access.open_account(origin, data.account(), user_agent(request))
    return session_response(request, session, 201)


@ROUTES.act(
    "/api/customers/{customer_id:uuid}/portal-link",
    access=InstitutionRole(Role.ADMIN, Scope.CUSTOMERS_WRITE),
    problems=(ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
    tags=["Customers"],
)
async def send_portal_link(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    portal_access: Given[PortalAccess],
    customer_licenses: Given[CustomerLicenses],
    customer_id: FromPath[UUID],
) -> CustomerView:
    """Email a customer how to open the portal, up to five times an hour.

    The email has a link to create an account, or says that there is one already.
    """
    customer = await send_link(work, operator, portal_access, customer_id)
    counts = await customer_licenses.count(work.db, [customer])
    return customer_view(customer, counts.get(customer.id, 0))


@ROUTES.post(
    "/api/customers/{customer_id:uuid}/portal-view",
    access=InstitutionRole(Role.ADMIN),
    tags=["Customers"],
)
async def view_portal(
    work: Given[UnitOfWork], operator: Given[Operator], customer_id: FromPath[UUID]
) -> PortalViewToken:
    """Look at the portal as a customer: a token for 15 minutes, recorded in the audit log.

    It reads on `/api/portal` what this institution issued to the customer, without license files.
    No other route accepts it. It ends with the operator's session or role.
    """
    return PortalViewToken(await open_view(work, operator, customer_id), VIEW_SECONDS)


@ROUTES.get("/api/portal/vendors", access=PortalReader())
async def list_own_vendors(db: Given[Connection], operator: Given[Operator]) -> OwnVendors:
    """List the institutions that have issued licenses to the user, by name."""
    found = await find_appearances(db, await find_vendors(db, operator))
    return OwnVendors([appearance_view(item) for item in found])


@ROUTES.get(
    "/api/portal/vendors/{institution_id:uuid}", access=Anonymous(), problems=(ErrorCode.NOT_FOUND,)
)
async def show_vendor(db: Given[Connection], institution_id: FromPath[UUID]) -> AppearanceView:
    """Show how an institution presents itself, for pages that are shown before the sign-in.

    An institution that has set nothing is not found.
    """
    return appearance_view(await fetch_public_appearance(db, institution_id))
