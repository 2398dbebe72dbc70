"""Queries of enrollment keys."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, func, or_, select, update

from licet_server.devices.rules.enrollment import EnrollmentKey
from licet_server.devices.tables import enrollment_keys as keys
from licet_server.kit.database import Connection
from licet_server.kit.rows import Rows
from licet_server.kit.statements import added_to
from licet_server.licenses.rules.model import LicenseId

KEYS = Rows[EnrollmentKey, Collection[UUID]](
    keys,
    EnrollmentKey,
    keys.c.institution_id.in_,
    sortable={"name": keys.c.name, "createdAt": keys.c.id},
)


def of_license(license_id: UUID) -> list[ColumnElement[bool]]:
    """Return the condition of the keys of a license."""
    return [keys.c.license_id == license_id]


async def count_keys(db: Connection, license_id: LicenseId) -> int:
    statement = (
        select(func.count())
        .select_from(keys)
        .where(keys.c.institution_id == license_id[0], keys.c.license_id == license_id[1])
    )
    return int((await db.execute(statement)).scalar_one())


async def fetch_by_secret(
    db: Connection, institution_id: UUID, secret_hash: bytes
) -> EnrollmentKey | None:
    """Fetch the key with this secret."""
    statement = KEYS.select(
        keys.c.institution_id == institution_id, keys.c.secret_hash == secret_hash
    )
    return await KEYS.one(db, statement)


async def claim(db: Connection, item: EnrollmentKey, devices: int, now: datetime) -> bool:
    """Count a use of the key, and the devices that took a seat with it, unless it was used up.

    Returns whether they are counted; a key that was deleted counts none.
    """
    enrolled = added_to(keys.c.enrolled_devices, devices)
    statement = (
        update(keys)
        .where(
            KEYS.same(item),
            or_(keys.c.max_devices.is_(None), enrolled <= keys.c.max_devices),
        )
        .values(enrolled_devices=enrolled, last_used_at=now)
    )
    return bool((await db.execute(statement)).rowcount)
