"""Those who belong to an institution."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.institutions.schemas.members import MemberChange, MemberView, member_view
from licet_server.institutions.service import members
from licet_server.institutions.service.members import Shelf
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given

_TAGS = ["Members"]
_PATH = "/api/institutions/{institution_id:uuid}/members"


@get(_PATH, access=InstitutionRole(Role.VIEWER), tags=_TAGS)
async def list_members(
    db: Given[Connection],
    operator: Given[Operator],
    shelf: Given[Shelf],
    paging: Given[Paging],
    institution_id: FromPath[UUID],
    search: Annotated[
        str | None,
        QueryParameter(max_length=200, description="The beginning of the name or address."),
    ] = None,
    role: Role | None = None,
) -> Listing[MemberView]:
    """Those who belong to an institution. Sorts by fullName, email, joinedAt.

    Assigned products and releases are told as far as the caller sees them. The walk goes in the
    order in which the accounts were made.
    """
    listing = await members.list_members(
        db, operator, shelf, institution_id, paging, search=search, role=role
    )
    return listing.of(member_view)


@put(f"{_PATH}/{{user_id:uuid}}", access=InstitutionRole(Role.ADMIN), tags=_TAGS)
async def change_member(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    shelf: Given[Shelf],
    institution_id: FromPath[UUID],
    user_id: FromPath[UUID],
    data: JSONBody[MemberChange],
) -> MemberView:
    """Give somebody another role, or assign other products and releases to a Member.

    `productIds` and `releaseIds` replace those that were assigned. Another role than Member drops
    them; a Member to whom nothing is assigned sees nothing. Only an Owner makes or changes an
    Owner, and the last Owner stays one.
    """
    changed = await members.change_member(
        work, operator, shelf, institution_id, user_id, data.edit()
    )
    return member_view(changed)


@delete(f"{_PATH}/{{user_id:uuid}}", access=InstitutionRole(Role.VIEWER), tags=_TAGS)
async def remove_member(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    user_id: FromPath[UUID],
) -> None:
    """Take somebody out of an institution, or leave it oneself; API keys made there end.

    Removing others takes the role Admin, and removing an Owner takes an Owner. The last Owner
    stays.
    """
    await members.remove_member(work, operator, institution_id, user_id)


ROUTES: list[HTTPRouteHandler] = [list_members, change_member, remove_member]
