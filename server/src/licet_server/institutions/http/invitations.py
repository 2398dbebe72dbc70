"""Invitations to an institution, and their acceptance."""

from uuid import UUID

from litestar import Response, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.identity.http.sessions import answer_session, user_agent
from licet_server.identity.schemas.accounts import SessionView, TokenBody, session_view
from licet_server.institutions.access import InstitutionRole, MaybeSignedIn, operator_if_any
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.institutions.schemas.members import (
    AcceptanceBody,
    InvitationBody,
    InvitationView,
    OfferView,
    invitation_view,
    offer_view,
)
from licet_server.institutions.service import invitations
from licet_server.institutions.service.accepting import accept_as, accept_as_newcomer, find_offer
from licet_server.institutions.service.invitations import invite, resend
from licet_server.institutions.service.members import Shelf
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given

_ADMIN = InstitutionRole(Role.ADMIN)
_TAGS = ["Members"]
_PATH = "/api/institutions/{institution_id:uuid}/invitations"
_ONE = f"{_PATH}/{{invitation_id:uuid}}"


@get(_PATH, access=_ADMIN, tags=_TAGS)
async def list_invitations(
    platform: Given[Platform],
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    institution_id: FromPath[UUID],
) -> Listing[InvitationView]:
    """The invitations of an institution, past ones too. Sorts by email, createdAt, expiresAt."""
    listing = await invitations.list_invitations(platform, db, operator, institution_id, paging)
    return listing.of(invitation_view)


@post(_PATH, access=_ADMIN, tags=_TAGS)
async def invite_member(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    shelf: Given[Shelf],
    institution_id: FromPath[UUID],
    data: JSONBody[InvitationBody],
) -> InvitationView:
    """Invite somebody by mail; `acceptUrl` is a link to hand over where no mail is set up.

    It works once and for seven days. Only an Owner invites an Owner.
    """
    origin = context_of(request).origin()
    shown = await invite(platform, origin, operator, shelf, institution_id, data.draft())
    return invitation_view(shown)


@delete(_ONE, access=_ADMIN, tags=_TAGS)
async def revoke_invitation(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    invitation_id: FromPath[UUID],
) -> None:
    """Take an invitation back that was not accepted; its letter and its link end at once."""
    await invitations.revoke_invitation(work, operator, institution_id, invitation_id)


@post(f"{_ONE}/resend", access=_ADMIN, status_code=200, tags=_TAGS)
async def resend_invitation(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    invitation_id: FromPath[UUID],
) -> InvitationView:
    """Mail a pending or expired invitation again, for seven days; what was sent before ends."""
    origin = context_of(request).origin()
    shown = await resend(platform, origin, operator, institution_id, invitation_id)
    return invitation_view(shown)


@post("/api/auth/invitation", access=Anonymous(), status_code=200, tags=["Sign-in"])
async def look_at_invitation(
    request: HttpRequest, platform: Given[Platform], data: JSONBody[TokenBody]
) -> OfferView:
    """What the invitation of a token offers; it stays open.

    `hasAccount` says how it is accepted: by signing in to the account of the invited address, which
    is not told then, or with a password for a new one.
    """
    origin = context_of(request).origin()
    return offer_view(await find_offer(platform, origin, data.token))


@post("/api/auth/accept-invitation", access=MaybeSignedIn(), tags=["Sign-in"])
async def accept_invitation(
    request: HttpRequest,
    platform: Given[Platform],
    passwords: Given[Passwords],
    data: JSONBody[AcceptanceBody],
) -> Response[SessionView]:
    """Join an institution with the token of an invitation.

    Where the invited address has no account, send `password` and `fullName`: the account is made
    and signed in (201). Where it has one, send its access token; the answer holds a fresh one
    (200). The token of the letter verifies the address, the one of the link does not.
    """
    origin = context_of(request).origin()
    acceptance = data.acceptance(user_agent(request))
    operator = operator_if_any(request)
    if operator is None:
        session = await accept_as_newcomer(platform, passwords, origin, acceptance)
        return answer_session(request, session, 201)
    joined = await accept_as(platform, origin, operator, acceptance.token)
    view = session_view(joined.access_token, joined.user, joined.memberships)
    return Response(view, status_code=200)


ROUTES: list[HTTPRouteHandler] = [
    list_invitations,
    invite_member,
    revoke_invitation,
    resend_invitation,
    look_at_invitation,
    accept_invitation,
]
