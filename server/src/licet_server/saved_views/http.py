"""Routes of saved views."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.saved_views import service
from licet_server.saved_views.rules import ListKind, SavedView
from licet_server.saved_views.schemas import (
    SavedViewBody,
    SavedViewChange,
    SavedViewView,
    saved_view_view,
)

_VIEWER = InstitutionRole(Role.VIEWER)
_VIEW = "/api/views/{view_id:uuid}"
ROUTES = Routes("Saved views")


@ROUTES.get("/api/views", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,))
async def list_views(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    list_kind: Annotated[ListKind | None, QueryParameter(name="list")] = None,
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[SavedViewView]:
    """List the caller's own views and the shared ones. Sorts by name, createdAt."""
    listing = await service.list_views(db, operator, institution_id, list_kind, paging)
    return listing.of(lambda view: _shown(operator, view))


@ROUTES.post("/api/views", access=_VIEWER, problems=(ErrorCode.CONFLICT,))
async def create_view(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[SavedViewBody]
) -> SavedViewView:
    """Save a view of a list for the caller; Owners and Admins also for all members, with `shared`.

    A list has at most 50 views of a user, and 100 shared ones.
    """
    view = await service.create_view(
        work, operator, data.institution_id, data.fields(), shared=data.shared
    )
    return _shown(operator, view)


@ROUTES.get(_VIEW, access=_VIEWER)
async def show_view(
    db: Given[Connection], operator: Given[Operator], view_id: FromPath[UUID]
) -> SavedViewView:
    """Show a view that is the caller's own or shared."""
    return _shown(operator, await service.fetch_view(db, operator, view_id))


@ROUTES.put(_VIEW, access=_VIEWER, problems=(ErrorCode.CONFLICT,))
async def change_view(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    view_id: FromPath[UUID],
    data: JSONBody[SavedViewChange],
) -> SavedViewView:
    """Change a view; only Owners and Admins change shared ones, and own those that they unshare."""
    changed = await service.change_view(work, operator, view_id, data.changes())
    return _shown(operator, changed)


@ROUTES.delete(_VIEW, access=_VIEWER)
async def delete_view(
    work: Given[UnitOfWork], operator: Given[Operator], view_id: FromPath[UUID]
) -> None:
    """Delete a view; only Owners and Admins delete shared ones."""
    await service.delete_view(work, operator, view_id)


def _shown(operator: Operator, view: SavedView) -> SavedViewView:
    return saved_view_view(view, may_change=service.may_change(operator, view))
