"""Reads and writes saved views."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, and_, cast, delete, func, or_, select

from licet_server.kit.database import Connection, String
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.saved_views import errors
from licet_server.saved_views.rules import ListKind, SavedView
from licet_server.saved_views.tables import saved_views


@dataclass(frozen=True, slots=True)
class Reader:
    """A user who reads views, in these institutions."""

    user_id: UUID
    institution_ids: Collection[UUID]


def _visible_to(reader: Reader) -> ColumnElement[bool]:
    return and_(
        saved_views.c.institution_id.in_(reader.institution_ids),
        or_(saved_views.c.user_id.is_(None), saved_views.c.user_id == reader.user_id),
    )


SAVED_VIEWS = Rows(
    saved_views,
    SavedView,
    _visible_to,
    sortable={"name": func.lower(saved_views.c.name), "createdAt": saved_views.c.id},
    refusals={"saved_views_name_key": errors.name_taken},
)


async def list_views(
    db: Connection, reader: Reader, list_kind: ListKind | None, paging: Paging
) -> Listing[SavedView]:
    """List the user's own views and the shared ones, of one list or of all."""
    return await SAVED_VIEWS.page(db, reader, paging, _of_list, list_kind)


def _of_list(list_kind: ListKind | None) -> list[ColumnElement[bool]]:
    return [] if list_kind is None else [saved_views.c.list_kind == list_kind]


async def count_like(db: Connection, view: SavedView) -> int:
    """Count the views of the same list that are of the same user, or shared like this one."""
    statement = select(func.count()).where(
        saved_views.c.institution_id == view.institution_id,
        saved_views.c.user_id.is_not_distinct_from(view.user_id),
        saved_views.c.list_kind == view.list_kind,
    )
    return int((await db.execute(statement)).scalar_one())


async def delete_searching(db: Connection, institution_id: UUID, terms: Collection[str]) -> int:
    """Delete the views whose name, or a value of a filter, is one of these, in lower case."""
    filters = func.lower(cast(saved_views.c.filters, String))
    # In JSON, quotes are around whole texts only.
    statement = delete(saved_views).where(
        saved_views.c.institution_id == institution_id,
        or_(
            func.lower(func.trim(saved_views.c.name)).in_(terms),
            *(func.strpos(filters, f'"{item}"') > 0 for item in terms),
        ),
    )
    return int((await db.execute(statement)).rowcount)
