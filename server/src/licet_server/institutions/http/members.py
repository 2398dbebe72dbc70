"""Routes of the members of an institution."""

from typing import Annotated
from uuid import UUID

from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.access import StepUpFor
from licet_server.identity.http.sign_in import session_response, user_agent
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import Lasting
from licet_server.identity.schemas.sign_in import TokenBody, UserSessionView, session_view
from licet_server.institutions.access import InstitutionRole, MaybeSignedIn, operator_if_any
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.institutions.schemas.members import (
    AcceptInvitationBody,
    InvitationBody,
    InvitationPreviewView,
    InvitationView,
    MemberChange,
    MemberView,
    invitation_preview_view,
    invitation_view,
    member_view,
)
from licet_server.institutions.service import invitations as service
from licet_server.institutions.service import members
from licet_server.institutions.service.invitations import InvitationAcceptance, Invitations
from licet_server.institutions.service.members import AssignableCatalog
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Members")
_READ = InstitutionRole(Role.ADMIN, Scope.MEMBERS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.MEMBERS_WRITE)
_MEMBERS = "/api/institutions/{institution_id:uuid}/members"


@ROUTES.get(_MEMBERS, access=InstitutionRole(Role.VIEWER, Scope.MEMBERS_READ))
async def list_members(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    assignable_catalog: Given[AssignableCatalog],
    paging: Given[Paging],
    institution_id: FromPath[UUID],
    search: Annotated[
        str | None,
        QueryParameter(max_length=200, description="The beginning of the name or address."),
    ] = None,
    role: Role | None = None,
    has_second_factor: Annotated[
        bool | None,
        QueryParameter(name="hasSecondFactor", description="Those who have one, or the others."),
    ] = None,
) -> Listing[MemberView]:
    """List the members of an institution; with `Accept: text/csv`, all of them as CSV.

    Sorts by fullName, email, joinedAt. Assigned products and releases are listed as far as the
    caller sees them. The keyset walk is in the order of account creation.
    """

    async def fetch(connection: Connection, step: Paging) -> Listing[MemberView]:
        found = await members.list_members(
            connection,
            operator,
            assignable_catalog,
            institution_id=institution_id,
            paging=step,
            search=search,
            role=role,
            has_second_factor=has_second_factor,
        )
        return found.of(member_view)

    return await list_or_csv(
        request,
        db,
        platform,
        paging,
        operator.user_id,
        institution_id,
        "members.csv",
        MemberView,
        fetch,
    )


@ROUTES.put(
    f"{_MEMBERS}/{{user_id:uuid}}",
    access=_WRITE,
    step_up=StepUpFor("make someone an Owner"),
    problems=(ErrorCode.CONFLICT,),
)
async def change_member(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    assignable_catalog: Given[AssignableCatalog],
    institution_id: FromPath[UUID],
    user_id: FromPath[UUID],
    data: JSONBody[MemberChange],
) -> MemberView:
    """Change a member's role, or the products and releases that are assigned to a Member.

    `productIds` and `releaseIds` replace those that were assigned. Any other role than Member
    removes them; a Member without assignments sees nothing. Only an Owner can add or change an
    Owner, and the last Owner stays one.
    """
    changed = await members.change_member(
        work,
        operator,
        assignable_catalog,
        institution_id=institution_id,
        user_id=user_id,
        edit=data.edit(),
    )
    return member_view(changed)


@ROUTES.delete(
    f"{_MEMBERS}/{{user_id:uuid}}",
    access=InstitutionRole(Role.VIEWER, Scope.MEMBERS_WRITE),
    problems=(ErrorCode.CONFLICT,),
)
async def remove_member(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    user_id: FromPath[UUID],
) -> None:
    """Remove a member from an institution, or leave it; API keys they created there are revoked.

    Removing others requires the role Admin, and removing an Owner requires an Owner. The last Owner
    stays.
    """
    await members.remove_member(work, operator, institution_id, user_id)


_INVITATIONS = "/api/institutions/{institution_id:uuid}/invitations"
_ONE_INVITATION = f"{_INVITATIONS}/{{invitation_id:uuid}}"


@ROUTES.get(_INVITATIONS, access=_READ)
async def list_invitations(
    db: Given[Connection],
    operator: Given[Operator],
    invitations: Given[Invitations],
    paging: Given[Paging],
    institution_id: FromPath[UUID],
    is_open: Annotated[
        bool | None,
        QueryParameter(name="open", description="Neither accepted nor revoked, or the others."),
    ] = None,
) -> Listing[InvitationView]:
    """List the invitations of an institution, including closed ones unless `open` is true.

    Sorts by email, createdAt, expiresAt.
    """
    listing = await invitations.list_invitations(
        db, operator, institution_id, paging, is_open=is_open
    )
    return listing.of(invitation_view)


@ROUTES.post(
    _INVITATIONS,
    access=_WRITE,
    step_up=StepUpFor("invite an Owner"),
    problems=(ErrorCode.CONFLICT,),
)
async def invite_member(
    request: HttpRequest,
    operator: Given[Operator],
    invitations: Given[Invitations],
    assignable_catalog: Given[AssignableCatalog],
    institution_id: FromPath[UUID],
    data: JSONBody[InvitationBody],
) -> InvitationView:
    """Invite a user by email; `acceptUrl` is a link to hand over if no email is configured.

    It works once and for seven days. Only an Owner can invite an Owner.
    """
    shown = await invitations.invite(
        context_of(request).origin(),
        operator,
        assignable_catalog,
        institution_id=institution_id,
        draft=data.draft(),
    )
    return invitation_view(shown)


@ROUTES.delete(_ONE_INVITATION, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def revoke_invitation(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    invitation_id: FromPath[UUID],
) -> None:
    """Revoke an invitation that was not accepted; its email and its link stop working."""
    await service.revoke_invitation(work, operator, institution_id, invitation_id)


@ROUTES.act(
    f"{_ONE_INVITATION}/resend",
    access=_WRITE,
    step_up=StepUpFor("invite an Owner"),
    problems=(ErrorCode.CONFLICT,),
)
async def resend_invitation(
    request: HttpRequest,
    operator: Given[Operator],
    invitations: Given[Invitations],
    institution_id: FromPath[UUID],
    invitation_id: FromPath[UUID],
) -> InvitationView:
    """Email a pending or expired invitation again, for seven days; earlier tokens stop working."""
    shown = await invitations.resend(
        context_of(request).origin(),
        operator,
        institution_id=institution_id,
        invitation_id=invitation_id,
    )
    return invitation_view(shown)


@ROUTES.act(
    "/api/auth/invitation",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED),
    tags=["Sign-in"],
)
async def preview_invitation(
    request: HttpRequest,
    invitation_acceptance: Given[InvitationAcceptance],
    data: JSONBody[TokenBody],
) -> InvitationPreviewView:
    """Show the invitation of a token; the token stays valid.

    `hasAccount` says how to accept it: by signing in to the account of the invited address, which
    is not revealed then, or with a password for a new account.
    """
    origin = context_of(request).origin()
    return invitation_preview_view(await invitation_acceptance.preview(origin, data.token))


@ROUTES.post(
    "/api/auth/accept-invitation",
    access=MaybeSignedIn(leaves=Lasting.MEMBERSHIP),
    problems=(
        ErrorCode.SSO_REQUIRED,
        ErrorCode.UNAUTHORIZED,
        ErrorCode.FORBIDDEN,
        ErrorCode.CONFLICT,
        ErrorCode.RATE_LIMITED,
    ),
    responses={200: ResponseSpec(UserSessionView, description="An account has joined.")},
    tags=["Sign-in"],
)
async def accept_invitation(
    request: HttpRequest,
    invitation_acceptance: Given[InvitationAcceptance],
    data: JSONBody[AcceptInvitationBody],
) -> Response[UserSessionView]:
    """Join an institution with the token of an invitation.

    If the invited address has no account, send `password` and `fullName`: the account is created
    and signed in (201). If it has one, send its access token; the response has a new one (200).
    The emailed token verifies the address, the token of the link does not.
    """
    origin = context_of(request).origin()
    acceptance = data.acceptance(user_agent(request))
    operator = operator_if_any(request)
    if operator is None:
        session = await invitation_acceptance.accept_with_new_account(origin, acceptance)
        return session_response(request, session, 201)
    joined = await invitation_acceptance.accept_as(origin, operator, acceptance.token)
    view = session_view(joined.access_token, joined.user, joined.memberships)
    return Response(view, status_code=200)
