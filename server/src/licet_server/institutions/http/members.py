"""Routes of the members of an institution."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.access import StepUpFor
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.schemas.members import MemberChange, MemberView, member_view
from licet_server.institutions.service import members
from licet_server.institutions.service.members import AssignableCatalog
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given

_TAGS = ["Members"]
_MEMBERS = "/api/institutions/{institution_id:uuid}/members"


@get(_MEMBERS, access=InstitutionRole(Role.VIEWER), tags=_TAGS)
async def list_members(
    db: Given[Connection],
    operator: Given[Operator],
    assignable_catalog: Given[AssignableCatalog],
    paging: Given[Paging],
    institution_id: FromPath[UUID],
    search: Annotated[
        str | None,
        QueryParameter(max_length=200, description="The beginning of the name or address."),
    ] = None,
    role: Role | None = None,
) -> Listing[MemberView]:
    """List the members of an institution. Sorts by fullName, email, joinedAt.

    Assigned products and releases are listed as far as the caller sees them. The keyset walk is in
    the order of account creation.
    """
    listing = await members.list_members(
        db,
        operator,
        assignable_catalog,
        institution_id=institution_id,
        paging=paging,
        search=search,
        role=role,
    )
    return listing.of(member_view)


@put(
    f"{_MEMBERS}/{{user_id:uuid}}",
    access=InstitutionRole(Role.ADMIN),
    step_up=StepUpFor("make someone an Owner"),
    problems=(ErrorCode.CONFLICT,),
    tags=_TAGS,
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


@delete(
    f"{_MEMBERS}/{{user_id:uuid}}",
    access=InstitutionRole(Role.VIEWER),
    problems=(ErrorCode.CONFLICT,),
    tags=_TAGS,
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


ROUTES: list[HTTPRouteHandler] = [list_members, change_member, remove_member]
