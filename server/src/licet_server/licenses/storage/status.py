"""Facts of licenses, for a join in a statement of metering or of sessions."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, select

from licet_server.licenses.rules.traits import models_where
from licet_server.licenses.tables import licenses


def status_dates(institution_id: ColumnElement[Any], license_id: ColumnElement[Any]) -> FromClause:
    """A subquery of at most one row: `revoked_at`, `suspended_at`, `expiration_date`."""
    return (
        select(licenses.c.revoked_at, licenses.c.suspended_at, licenses.c.expiration_date)
        .where(licenses.c.institution_id == institution_id, licenses.c.id == license_id)
        .limit(1)
        .lateral("status_dates")
    )


def metered_licenses() -> FromClause:
    """A subquery of the licenses that have a wallet: the key, `product_id` and `type`."""
    metered = models_where(lambda traits: traits.is_metered)
    return (
        select(licenses.c.institution_id, licenses.c.id, licenses.c.product_id, licenses.c.type)
        .where(licenses.c.type.in_(metered))
        .subquery("metered")
    )
