"""Facts of licenses, for a join in a statement of metering or of sessions."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, case, func, literal_column, select, type_coerce

from licet_server.kit.database import Instant
from licet_server.kit.instants import LATEST
from licet_server.licenses.rules.model import GRACE_MAX_DAYS
from licet_server.licenses.rules.traits import models_where
from licet_server.licenses.tables import licenses

DAY: ColumnElement[Any] = literal_column("interval '24 hours'")
"""Not `1 day`, whose length depends on the time zone of the connection."""

_end = licenses.c.expiration_date
_grace = func.least(licenses.c.grace_days, literal_column(str(GRACE_MAX_DAYS))) * DAY
_latest: ColumnElement[Any] = literal_column(f"timestamptz '{LATEST.isoformat()}'")
valid_until: ColumnElement[Any] = type_coerce(
    case((_end < _latest, _end + _grace), else_=_end), Instant
)
"""`License.valid_until` in SQL."""


def status_dates(institution_id: ColumnElement[Any], license_id: ColumnElement[Any]) -> FromClause:
    """A subquery of at most one row: `revoked_at`, `suspended_at`, `valid_until`."""
    return (
        select(licenses.c.revoked_at, licenses.c.suspended_at, valid_until.label("valid_until"))
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
