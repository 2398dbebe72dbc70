"""Restricts queries to the rows that are visible to a caller."""

from typing import Any

from sqlalchemy import ColumnElement, and_, or_

from licet_server.kit.visibility import Visibility


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
    whole = institution.in_(visibility.institutions)
    if not visibility.narrowed:
        return whole
    assigned: ColumnElement[bool] = product.in_(visibility.products)
    if release is not None and visibility.releases:
        assigned = or_(assigned, release.in_(visibility.releases))
    part = and_(institution.in_(visibility.narrowed), assigned)
    return or_(whole, part) if visibility.institutions else part
