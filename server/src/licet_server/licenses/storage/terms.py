"""Queries of license terms: the few columns that devices and sessions read on each request."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Integer,
    Row,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    or_,
    select,
    true,
    type_coerce,
    update,
)

from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.dates import LATEST, TermEnd
from licet_server.kit.fitting import Members
from licet_server.kit.statements import Arrays, added_to
from licet_server.licenses.rules.coverage import SHORTER_DAYS, Fallback
from licet_server.licenses.rules.model import GRACE_MAX_DAYS, License, LicenseId, LicenseTerms
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType, models_where
from licet_server.licenses.storage.records import LICENSE_COLUMNS, license_of
from licet_server.licenses.tables import licenses

_TYPES = Members(LicenseType)
_BINDING_MODES = Members(DeviceBindingMode)

DAY: ColumnElement[Any] = literal_column("interval '24 hours'")
"""Not `1 day`, whose length depends on the time zone of the connection."""

_end = licenses.c.expiration_date
_grace = func.least(licenses.c.grace_days, literal_column(str(GRACE_MAX_DAYS))) * DAY
_latest: ColumnElement[Any] = literal_column(f"timestamptz '{LATEST.isoformat()}'")
paid_until: ColumnElement[Any] = type_coerce(
    case((_end < _latest, _end + _grace), else_=_end), Instant
)
"""`License.paid_until` in SQL."""

has_fallback: ColumnElement[bool] = licenses.c.fallback != literal_column(f"'{Fallback.NONE}'")
_after_months = func.least(licenses.c.fallback_after_months, literal_column("12000"))
_earliest: ColumnElement[Any] = literal_column("timestamptz '1970-01-01T00:00:00Z'")


def _finite(instant: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.greatest(func.least(instant, _latest), _earliest)


_paid_since = func.coalesce(licenses.c.paid_since, licenses.c.created_at)
_needed = (
    _after_months * literal_column("365") / literal_column("12") * DAY
    - literal_column(str(SHORTER_DAYS)) * DAY
)
_keeps = and_(
    has_fallback,
    or_(_after_months == literal_column("0"), _finite(_end) - _finite(_paid_since) >= _needed),
)

valid_until: ColumnElement[Any] = type_coerce(
    case((and_(_end.is_not(None), _keeps), _latest), else_=paid_until), Instant
)
"""`License.valid_until` in SQL; a test compares the two."""


def status_dates(
    institution_id: ColumnElement[Any],
    license_id: ColumnElement[Any],
    end: ColumnElement[Any] = valid_until,
) -> FromClause:
    """Return a subquery of at most one row: `revoked_at`, `suspended_at`, `valid_until`.

    With `paid_until` as its end, a license that is only in its fallback has expired.
    """
    return (
        select(licenses.c.revoked_at, licenses.c.suspended_at, end.label("valid_until"))
        .where(licenses.c.institution_id == institution_id, licenses.c.id == license_id)
        .limit(1)
        .lateral("status_dates")
    )


def metered_licenses() -> FromClause:
    """Return a subquery of the licenses that have a wallet: the key, `product_id` and `type`."""
    metered = models_where(lambda traits: traits.is_metered)
    return (
        select(licenses.c.institution_id, licenses.c.id, licenses.c.product_id, licenses.c.type)
        .where(licenses.c.type.in_(metered))
        .subquery("metered")
    )


_WANTED = Arrays("wanted", institution_id=Id, id=Id)
_COLUMNS = [
    valid_until.label(name) if name == "valid_until" else licenses.c[name]
    for name in LicenseTerms.__struct_fields__
]
_FOUND = (
    select(*_COLUMNS)
    .where(
        licenses.c.institution_id == _WANTED.c.institution_id,
        licenses.c.id == _WANTED.c.id,
    )
    .limit(1)
    .lateral("found")
)
_TERMS = select(_FOUND).select_from(_WANTED.table.join(_FOUND, true()))
_LOCKED_TERMS = (
    select(*_COLUMNS)
    .join(
        _WANTED.table,
        and_(
            licenses.c.institution_id == _WANTED.c.institution_id,
            licenses.c.id == _WANTED.c.id,
        ),
    )
    .order_by(licenses.c.institution_id, licenses.c.id)
    .with_for_update(key_share=True, of=licenses)
)


async def fetch_terms(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, LicenseTerms]:
    return _terms_of(await db.execute(_TERMS, _WANTED.given(ids)))


async def lock_terms(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, LicenseTerms]:
    """Fetch terms `FOR NO KEY UPDATE`, in the order of the ids."""
    return _terms_of(await db.execute(_LOCKED_TERMS, _WANTED.given(ids)))


async def add_blocked_devices(db: Connection, license_id: LicenseId, count: int) -> None:
    await db.execute(
        update(licenses)
        .where(licenses.c.institution_id == license_id[0], licenses.c.id == license_id[1])
        .values(blocked_devices=added_to(licenses.c.blocked_devices, count))
    )


def _terms_of(rows: Iterable[Row[Any]]) -> dict[UUID, LicenseTerms]:
    stored = [
        LicenseTerms(
            institution_id=row.institution_id,
            id=row.id,
            product_id=row.product_id,
            type=_TYPES[row.type],
            device_binding_mode=(
                _BINDING_MODES[row.device_binding_mode] if row.device_binding_mode else None
            ),
            max_active_users_count=row.max_active_users_count,
            valid_until=row.valid_until,
            suspended_at=row.suspended_at,
            revoked_at=row.revoked_at,
        )
        for row in rows
    ]
    return {item.id: item for item in stored}


_NOW: Any = bindparam("now", type_=Instant)
_BEGIN = (
    update(licenses)
    .where(
        licenses.c.institution_id == bindparam("of_institution", type_=Id),
        licenses.c.id == bindparam("of_license", type_=Id),
        # Checked on the locked row: another process may have begun the term, made it longer, or
        # revoked it.
        licenses.c.expiration_date.is_(None),
        licenses.c.term_days.is_not_distinct_from(bindparam("before_days", type_=Integer)),
        licenses.c.term_months.is_not_distinct_from(bindparam("before_months", type_=Integer)),
        licenses.c.suspended_at.is_(None),
        licenses.c.revoked_at.is_(None),
    )
    .values(
        expiration_date=bindparam("end", type_=Instant),
        term_anchor_day=bindparam("anchor_day", type_=Integer),
        term_began_at=_NOW,
        paid_since=_NOW,
        term_days=None,
        term_months=None,
        updated_at=_NOW,
    )
    .returning(*LICENSE_COLUMNS)
)


async def begin_term(
    db: Connection, license_: License, end: TermEnd, now: datetime
) -> License | None:
    """Begin the term of an active license; `None` if it is another one now, or not possible."""
    given = {
        "of_institution": license_.institution_id,
        "of_license": license_.id,
        "end": end.end,
        "anchor_day": end.anchor_day,
        "before_days": license_.term_days,
        "before_months": license_.term_months,
        "now": now,
    }
    row = (await db.execute(_BEGIN, given)).one_or_none()
    return None if row is None else license_of(row)
