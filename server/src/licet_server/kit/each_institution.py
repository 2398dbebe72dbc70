"""Reads the first rows of several institutions, each from its own index, and merges them.

An index that begins with the institution has the rows of one in order, but not those of several:
given a list of institutions, the database fetches and sorts every row of all of them.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, ColumnElement, Select, column, func, literal, select, true
from sqlalchemy.sql.util import ClauseAdapter

from licet_server.kit.database import Id
from licet_server.kit.visibility import Visibility


class EachInstitution:
    """The institutions of a list, and the column that names them in its statement."""

    def __init__(self, named_by: ColumnElement[UUID], institutions: Sequence[UUID]) -> None:
        self._named_by = named_by
        ids = func.unnest(literal(institutions, ARRAY(Id)))
        self._table = ids.table_valued(column("id", Id)).render_derived(name="each_institution")

    def within(self, statement: Select[Any]) -> Select[Any]:
        """Restrict a statement to the institution at hand; it can only be run by `merge`."""
        mine = statement.where(self._named_by == self._table.c.id)
        return mine.correlate(self._table)

    def merge(
        self, ordered: Select[Any], order: Sequence[ColumnElement[Any]], rows: Any
    ) -> Select[Any]:
        """Run a statement of `within` for each institution, and order the first `rows` of each."""
        first = ordered.limit(rows).correlate(self._table).lateral("first_rows")
        place = ClauseAdapter(first)
        return (
            select(*first.c)
            .select_from(self._table.join(first, true()))
            .order_by(*(place.traverse(item) for item in order))
        )


def each_of(visibility: Visibility, named_by: ColumnElement[UUID]) -> EachInstitution | None:
    """Return the institutions of a visibility if these are several; one needs no merging."""
    institutions = visibility.institutions + visibility.narrowed
    return EachInstitution(named_by, institutions) if len(institutions) > 1 else None
