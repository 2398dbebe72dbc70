"""Restricts queries to the rows that are visible to a caller."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, or_

from licet_server.kit.visibility import Visibility


def one_of(column: ColumnElement[Any], ids: Sequence[UUID]) -> ColumnElement[bool]:
    """Return the condition that a column has one of these values.

    Most callers see a single institution: for that, a plain comparison, since SQLAlchemy writes the
    list of an `IN` again for each run of a statement.
    """
    return column == ids[0] if len(ids) == 1 else column.in_(ids)


def visible_to(
    visibility: Visibility,
    institution: ColumnElement[Any],
    product: ColumnElement[Any],
    release: ColumnElement[Any] | None = None,
) -> ColumnElement[bool]:
    """Return the condition that a row is visible, given the columns that identify its scope.

    Without a release column, single releases grant nothing. Empty parts are left out, so most
    callers get a plain condition on the institution.
    """
    whole = one_of(institution, visibility.institutions)
    if not visibility.narrowed:
        return whole
    assigned: ColumnElement[bool] = one_of(product, visibility.products)
    if release is not None and visibility.releases:
        assigned = or_(assigned, one_of(release, visibility.releases))
    part = and_(one_of(institution, visibility.narrowed), assigned)
    return or_(whole, part) if visibility.institutions else part
