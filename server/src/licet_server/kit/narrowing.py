"""Narrows queries to what a caller sees."""

from typing import Any

from sqlalchemy import ColumnElement, and_, or_

from licet_server.kit.sight import Sight


def seen(
    sight: Sight,
    institution: ColumnElement[Any],
    product: ColumnElement[Any],
    release: ColumnElement[Any] | None = None,
) -> ColumnElement[bool]:
    """Whether a row is seen, by its columns; without one for the release, by whole products only.

    What is empty is left out, so that most callers get the plain condition on the institution.
    """
    whole = institution.in_(sight.institutions)
    if not sight.narrowed:
        return whole
    assigned: ColumnElement[bool] = product.in_(sight.products)
    if release is not None and sight.releases:
        assigned = or_(assigned, release.in_(sight.releases))
    part = and_(institution.in_(sight.narrowed), assigned)
    return or_(whole, part) if sight.institutions else part
