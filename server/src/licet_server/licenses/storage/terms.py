"""The little that devices and sessions ask of licenses, and so ask often."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any
from uuid import UUID

from sqlalchemy import Row, and_, select, true

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.licenses.rules.model import LicenseId, LicenseTerms
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType
from licet_server.licenses.tables import licenses

_WANTED_IDS = Arrays("wanted", institution_id=Id, id=Id)
_STANDING_COLUMNS = [licenses.c[field.name] for field in fields(LicenseTerms)]
_STANDING = select(*_STANDING_COLUMNS).where(
    licenses.c.institution_id == _WANTED_IDS.c.institution_id,
    licenses.c.id == _WANTED_IDS.c.id,
)
_STANDING_FOUND = _STANDING.limit(1).lateral("found")
_TERMS = select(_STANDING_FOUND).select_from(_WANTED_IDS.table.join(_STANDING_FOUND, true()))
_LOCKED_TERMS = (
    select(*_STANDING_COLUMNS)
    .join(
        _WANTED_IDS.table,
        and_(
            licenses.c.institution_id == _WANTED_IDS.c.institution_id,
            licenses.c.id == _WANTED_IDS.c.id,
        ),
    )
    .order_by(licenses.c.institution_id, licenses.c.id)
    .with_for_update(key_share=True, of=licenses)
)


async def fetch_terms(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, LicenseTerms]:
    return _terms_of(await db.execute(_TERMS, _WANTED_IDS.given(ids)))


async def lock_terms(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, LicenseTerms]:
    """The same, held by one at a time: nobody changes these licenses until the transaction ends."""
    return _terms_of(await db.execute(_LOCKED_TERMS, _WANTED_IDS.given(ids)))


def _terms_of(rows: Iterable[Row[Any]]) -> dict[UUID, LicenseTerms]:
    stored = [
        LicenseTerms(
            row.institution_id,
            row.id,
            row.product_id,
            LicenseType(row.type),
            DeviceBindingMode(row.device_binding_mode) if row.device_binding_mode else None,
            row.max_active_users_count,
            row.expiration_date,
            row.suspended_at,
            row.revoked_at,
        )
        for row in rows
    ]
    return {item.id: item for item in stored}
