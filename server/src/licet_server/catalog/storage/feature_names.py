"""The names of features as their vendor spells them, for a join in a statement of metering."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, func, select

from licet_server.catalog.tables import features


def feature_named(
    institution_id: ColumnElement[Any], product_id: ColumnElement[Any], name: ColumnElement[Any]
) -> FromClause:
    """Return a subquery of `name` of the feature of this name, compared without case, if any."""
    return (
        select(features.c.name)
        .where(
            features.c.institution_id == institution_id,
            features.c.product_id == product_id,
            func.lower(features.c.name) == func.lower(name),
        )
        .limit(1)
        .lateral("feature_named")
    )
