"""Filters for products, and rows of products, that are visible to a caller."""

from typing import Any

from sqlalchemy import ColumnElement, or_, select

from licet_server.catalog.tables import releases
from licet_server.kit.filters import one_of, visible_to
from licet_server.kit.visibility import Visibility


def product_visible_to(
    visibility: Visibility, institution: ColumnElement[Any], product: ColumnElement[Any]
) -> ColumnElement[bool]:
    """Return the condition that a product is visible, as a whole or through one of its releases."""
    whole = visible_to(visibility, institution, product)
    if not visibility.releases:
        return whole
    of_releases = select(releases.c.product_id).where(
        one_of(releases.c.institution_id, visibility.narrowed),
        one_of(releases.c.id, visibility.releases),
    )
    return or_(whole, one_of(institution, visibility.narrowed) & product.in_(of_releases))
