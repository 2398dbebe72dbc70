"""The status dates of a license, for a join in a statement of metering."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, select

from licet_server.licenses.tables import licenses


def status_dates(institution_id: ColumnElement[Any], license_id: ColumnElement[Any]) -> FromClause:
    """A subquery of at most one row: `revoked_at`, `suspended_at`, `expiration_date`."""
    return (
        select(licenses.c.revoked_at, licenses.c.suspended_at, licenses.c.expiration_date)
        .where(licenses.c.institution_id == institution_id, licenses.c.id == license_id)
        .limit(1)
        .lateral("status_dates")
    )
