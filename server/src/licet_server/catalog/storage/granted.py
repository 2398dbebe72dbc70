"""The features that entitlement sets grant, for a join in statistics of licenses."""

from sqlalchemy import FromClause, and_, select

from licet_server.catalog.tables import entitlement_set_features as members
from licet_server.catalog.tables import features


def granted_features() -> FromClause:
    """Return a subquery of the entries of all sets, with the names of their features."""
    return (
        select(
            members.c.institution_id,
            members.c.product_id,
            members.c.entitlement_set_id,
            features.c.name,
            members.c.value,
        )
        .join(
            features,
            and_(
                features.c.institution_id == members.c.institution_id,
                features.c.id == members.c.feature_id,
            ),
        )
        .subquery("granted")
    )
