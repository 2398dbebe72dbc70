"""Queries of license terms: the few columns that devices and sessions read on each request."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, and_, select, true, update

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.licenses.rules.model import LicenseId, LicenseTerms
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType
from licet_server.licenses.storage.status import valid_until
from licet_server.licenses.tables import licenses

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
        .values(blocked_devices=licenses.c.blocked_devices + count)
    )


def _terms_of(rows: Iterable[Row[Any]]) -> dict[UUID, LicenseTerms]:
    stored = [
        LicenseTerms(
            institution_id=row.institution_id,
            id=row.id,
            product_id=row.product_id,
            type=LicenseType(row.type),
            device_binding_mode=(
                DeviceBindingMode(row.device_binding_mode) if row.device_binding_mode else None
            ),
            max_active_users_count=row.max_active_users_count,
            valid_until=row.valid_until,
            suspended_at=row.suspended_at,
            revoked_at=row.revoked_at,
        )
        for row in rows
    ]
    return {item.id: item for item in stored}
