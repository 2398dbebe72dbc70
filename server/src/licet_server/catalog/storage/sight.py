"""Which products, and what stands under them, a caller sees."""

from typing import Any

from sqlalchemy import ColumnElement, or_, select

from licet_server.catalog.tables import releases
from licet_server.kit.narrowing import seen
from licet_server.kit.sight import Sight


def seen_product(
    sight: Sight, institution: ColumnElement[Any], product: ColumnElement[Any]
) -> ColumnElement[bool]:
    """Whether a product is seen: whole, or as that of a release that is."""
    whole = seen(sight, institution, product)
    if not sight.releases:
        return whole
    of_releases = select(releases.c.product_id).where(
        releases.c.institution_id.in_(sight.narrowed), releases.c.id.in_(sight.releases)
    )
    return or_(whole, institution.in_(sight.narrowed) & product.in_(of_releases))
