"""Saved views: created, listed, changed and deleted by operators."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from licet_server.customers.rules.personal_data import DataSubject
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.members import lock_institution
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.saved_views import errors, storage
from licet_server.saved_views.rules import ListKind, SavedView, limit_of
from licet_server.saved_views.storage import SAVED_VIEWS, Reader


async def create_view(
    work: UnitOfWork,
    operator: Operator,
    institution_id: UUID | None,
    fields: Mapping[str, Any],
    *,
    shared: bool,
) -> SavedView:
    """Save a view with these fields, by the names of `SavedView`, for the operator or shared.

    Raises:
        Refused: `InvalidRequest` for an institution that the operator does not see, `Forbidden` to
            share one without the role, `Conflict` for a name that is taken or too many views.
    """
    owner_id = operator.institution_for_new(institution_id)
    if owner_id is None:
        raise bad_field("institutionId", "is not an institution that you have access to.")
    view = SavedView(
        institution_id=owner_id,
        id=work.new_id(),
        user_id=None if shared else operator.user_id,
        created_at=work.now,
        updated_at=work.now,
        **fields,
    )
    _require_change(operator, view)
    await _require_room(work, view)
    await SAVED_VIEWS.insert(work.db, view)
    return view


async def list_views(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    list_kind: ListKind | None,
    paging: Paging,
) -> Listing[SavedView]:
    """List the operator's own views and the shared ones."""
    seen = operator.visibility_of(institution_id)
    reader = Reader(operator.user_id, seen.institutions + seen.narrowed)
    return await storage.list_views(db, reader, list_kind, paging)


async def fetch_view(db: Connection, operator: Operator, view_id: UUID) -> SavedView:
    """Fetch a view that is the operator's own or shared."""
    return operator.found(await SAVED_VIEWS.fetch(db, _reader(operator), view_id), "view")


async def change_view(
    work: UnitOfWork, operator: Operator, view_id: UUID, changes: Mapping[str, Any]
) -> SavedView:
    """Change the fields in `changes`, by the names of `SavedView`, or whether it is `shared`.

    A view that is no longer shared is the operator's.

    Raises:
        Refused: `NotFound`, `Forbidden` for a shared one without the role, `Conflict`.
    """
    view = await _lock(work, operator, view_id)
    _require_change(operator, view)
    kept = {name: value for name, value in changes.items() if name != "shared"}
    changed = replace(view, **kept, updated_at=work.now)
    if changes.get("shared", view.is_shared) != view.is_shared:
        changed = replace(changed, user_id=operator.user_id if view.is_shared else None)
        _require_change(operator, changed)
        await _require_room(work, changed)
    await SAVED_VIEWS.save(work.db, changed)
    return changed


async def delete_view(work: UnitOfWork, operator: Operator, view_id: UUID) -> None:
    """Delete a view.

    Raises:
        Refused: `NotFound`, `Forbidden` for a shared one without the role.
    """
    view = await _lock(work, operator, view_id)
    _require_change(operator, view)
    await SAVED_VIEWS.delete(work.db, view)


def may_change(operator: Operator, view: SavedView) -> bool:
    """Check whether the operator may change a view that they see."""
    return not view.is_shared or operator.is_admin_of(view.institution_id)


def _require_change(operator: Operator, view: SavedView) -> None:
    if not may_change(operator, view):
        raise errors.shared_by_admins()


async def _lock(work: UnitOfWork, operator: Operator, view_id: UUID) -> SavedView:
    found = await SAVED_VIEWS.lock_for_deletion(work.db, _reader(operator), view_id)
    return operator.found(found, "view")


async def _require_room(work: UnitOfWork, view: SavedView) -> None:
    """Check that there is room; concurrent callers wait at the lock, then count what was added."""
    if await lock_institution(work, view.institution_id) is None:
        raise bad_field("institutionId", "is not an institution that you have access to.")
    if await storage.count_like(work.db, view) >= limit_of(view):
        raise errors.too_many_views(limit_of(view))


def _reader(operator: Operator) -> Reader:
    return Reader(operator.user_id, list(operator.roles))


class PersonalDataOfViews:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, subject: DataSubject) -> Exported:
        """Return nothing: a view is what an operator looked for, not what is known of a person."""
        return {}

    async def erase(self, work: UnitOfWork, subject: DataSubject) -> Counts:
        """Delete the views that are named by an address of the person, or look for it or an ID."""
        sought = {*subject.addresses, *map(str, subject.subject_ids)}
        deleted = await storage.delete_searching(work.db, subject.institution_id, sought)
        return {"savedViews": deleted}
