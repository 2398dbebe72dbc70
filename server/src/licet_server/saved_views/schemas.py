"""Wire shapes of saved views."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from licet_server.kit.characters import label_breaches
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of
from licet_server.saved_views.rules import (
    COLUMNS_MAX,
    ListKind,
    SavedView,
    filter_breaches,
)

FieldName = Annotated[str, Meta(min_length=1, max_length=64)]
Value = Annotated[str, Meta(max_length=500)]
Filters = dict[FieldName, Value | list[Value]]
Columns = Annotated[list[FieldName], Meta(max_length=COLUMNS_MAX)]


def _name_breaches(name: object) -> Iterator[FieldError]:
    """Check a name without the spaces around it, which are not stored."""
    if isinstance(name, str):
        yield from label_breaches("name", name.strip())


class SavedViewBody(Body):
    """A new view of a list. `filters` are names with one value or several, as the page has them.

    `columns` are the names of those to show; null leaves the choice to the page.
    """

    list_kind: ListKind = field(name="list")
    name: Name
    institution_id: UUID | None = None
    filters: Filters | None = None
    columns: Columns | None = None
    sort: FieldName | None = None
    shared: bool = False

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _name_breaches(self.name)
        yield from filter_breaches(self.filters or {})

    def fields(self) -> dict[str, Any]:
        """Return the fields of the view to create, by the names of `SavedView`."""
        return {
            "list_kind": self.list_kind,
            "name": self.name.strip(),
            "filters": self.filters or {},
            "columns": self.columns,
            "sort": self.sort,
        }


class SavedViewChange(Change):
    """A change of a view; given filters and columns replace the current ones."""

    name: Name | UnsetType = UNSET
    filters: Filters | UnsetType = UNSET
    columns: Columns | UnsetType | None = UNSET
    sort: FieldName | UnsetType | None = UNSET
    shared: bool | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _name_breaches(self.name)
        if isinstance(self.filters, dict):
            yield from filter_breaches(self.filters)

    def changes(self) -> dict[str, Any]:
        """Return the fields to change, by the names of `SavedView`, and `shared`."""
        changes = given(self)
        if "name" in changes:
            changes["name"] = changes["name"].strip()
        return changes


class SavedViewView(Struct, rename="camel", kw_only=True):
    """A saved view; `mayChange` is whether the caller may change and delete it."""

    id: UUID
    institution_id: UUID
    list_kind: ListKind = field(name="list")
    name: str
    shared: bool
    filters: dict[str, str | list[str]]
    columns: list[str] | None
    sort: str | None
    may_change: bool
    created_at: datetime
    updated_at: datetime


def saved_view_view(view: SavedView, *, may_change: bool) -> SavedViewView:
    return view_of(SavedViewView, view, shared=view.is_shared, may_change=may_change)
