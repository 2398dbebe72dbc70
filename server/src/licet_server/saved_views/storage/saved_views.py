"""Reads and writes saved views."""

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from licet_server.kit.database import Connection, String, violated_constraint
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.saved_views import errors
from licet_server.saved_views.rules.model import ListKind, SavedView
from licet_server.saved_views.tables import saved_views

_NAMES = [item.name for item in fields(SavedView)]
_COLUMNS = [saved_views.c[name] for name in _NAMES]
_SORTABLE = {"name": func.lower(saved_views.c.name), "createdAt": saved_views.c.id}


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks for views: a user, in these institutions."""

    user_id: UUID
    institution_ids: Collection[UUID]


def _view(row: Row[Any]) -> SavedView:
    stored = dict(zip(_NAMES, row, strict=True))
    return SavedView(**{**stored, "list_kind": ListKind(stored["list_kind"])})


def _values(view: SavedView) -> dict[str, Any]:
    return {name: getattr(view, name) for name in _NAMES}


def _same(view: SavedView) -> ColumnElement[bool]:
    return and_(saved_views.c.institution_id == view.institution_id, saved_views.c.id == view.id)


def _visible(reader: Reader) -> Select[Any]:
    return select(*_COLUMNS).where(
        saved_views.c.institution_id.in_(reader.institution_ids),
        or_(saved_views.c.user_id.is_(None), saved_views.c.user_id == reader.user_id),
    )


async def list_views(
    db: Connection, reader: Reader, list_kind: ListKind | None, paging: Paging
) -> Listing[SavedView]:
    """List the user's own views and the shared ones, of one list or of all."""
    statement = _visible(reader)
    if list_kind is not None:
        statement = statement.where(saved_views.c.list_kind == list_kind)
    listing = await fetch_listing(
        db, statement, paging, id_column=saved_views.c.id, sortable=_SORTABLE
    )
    return listing.of(_view)


async def fetch_view(db: Connection, reader: Reader, view_id: UUID) -> SavedView | None:
    """Fetch a view that is the user's own or shared."""
    row = (await db.execute(_visible(reader).where(saved_views.c.id == view_id))).one_or_none()
    return None if row is None else _view(row)


async def lock_view(db: Connection, reader: Reader, view_id: UUID) -> SavedView | None:
    """Fetch a view `FOR UPDATE`."""
    statement = _visible(reader).where(saved_views.c.id == view_id).with_for_update()
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _view(row)


async def count_like(db: Connection, view: SavedView) -> int:
    """Count the views of the same list that are of the same user, or shared like this one."""
    statement = select(func.count()).where(
        saved_views.c.institution_id == view.institution_id,
        saved_views.c.user_id.is_not_distinct_from(view.user_id),
        saved_views.c.list_kind == view.list_kind,
    )
    return int((await db.execute(statement)).scalar_one())


async def insert_view(db: Connection, view: SavedView) -> None:
    """Raises `Refused` (Conflict) if the name is taken."""
    await _unless_taken(db, insert(saved_views).values(**_values(view)))


async def update_view(db: Connection, view: SavedView) -> None:
    """Raises `Refused` (Conflict) if the name is taken."""
    await _unless_taken(db, update(saved_views).where(_same(view)).values(**_values(view)))


async def _unless_taken(db: Connection, statement: Any) -> None:
    try:
        await db.execute(statement)
    except IntegrityError as error:
        if violated_constraint(error) == "saved_views_name_key":
            raise errors.name_taken() from None
        raise


async def delete_view(db: Connection, view: SavedView) -> None:
    await db.execute(delete(saved_views).where(_same(view)))


async def delete_seeking(db: Connection, institution_id: UUID, sought: Collection[str]) -> int:
    """Delete the views whose name, or a value of a filter, is one of these, in lower case."""
    filters = func.lower(cast(saved_views.c.filters, String))
    # In JSON, quotes are around whole texts only.
    statement = delete(saved_views).where(
        saved_views.c.institution_id == institution_id,
        or_(
            func.lower(func.trim(saved_views.c.name)).in_(sought),
            *(func.strpos(filters, f'"{item}"') > 0 for item in sought),
        ),
    )
    return int((await db.execute(statement)).rowcount)
