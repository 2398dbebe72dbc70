"""Queries of access attempts."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    func,
    insert,
    select,
    true,
    update,
)

from licet_server.devices.rules.model import (
    AccessAttempt,
    DeviceKey,
    EntryPoint,
    UnreviewedAttempts,
)
from licet_server.devices.tables import access_attempts
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, String
from licet_server.kit.filters import visible_to
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId

_NAMES = [field.name for field in fields(AccessAttempt)]
_COLUMNS = [access_attempts.c[name] for name in _NAMES]

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "firstSeenAt": access_attempts.c.id,
    "lastSeenAt": access_attempts.c.last_seen_at,
    "attemptCount": access_attempts.c.attempt_count,
}


def _attempt(row: Row[Any]) -> AccessAttempt:
    stored = {name: getattr(row, name) for name in _NAMES}
    stored["entry_point"] = EntryPoint(stored["entry_point"])
    return AccessAttempt(**stored)


_WANTED = Arrays("wanted", institution_id=Id, license_id=Id, hardware_id=String)
_FOUND = (
    select(*_COLUMNS)
    .where(
        access_attempts.c.institution_id == _WANTED.c.institution_id,
        access_attempts.c.license_id == _WANTED.c.license_id,
        access_attempts.c.attempted_hardware_id == _WANTED.c.hardware_id,
    )
    .lateral("found")
)
_BY_KEYS = select(_FOUND).select_from(_WANTED.table.join(_FOUND, true()))


async def fetch_attempts(
    db: Connection, keys: Sequence[DeviceKey]
) -> dict[DeviceKey, AccessAttempt]:
    """Fetch the attempts of these devices."""
    found = [_attempt(row) for row in await db.execute(_BY_KEYS, _WANTED.given(keys))]
    return {
        (item.institution_id, item.license_id, item.attempted_hardware_id): item for item in found
    }


async def insert_attempts(db: Connection, items: Sequence[AccessAttempt]) -> None:
    if items:
        rows = [{name: getattr(item, name) for name in _NAMES} for item in items]
        await db.execute(insert(access_attempts), rows)


_CHANGED_NAMES = (
    "institution_id",
    "id",
    "bound_hardware_id",
    "ip_address",
    "entry_point",
    "attempt_count",
    "last_seen_at",
    "alerted_on",
)
_CHANGED = Arrays("changed", **{name: access_attempts.c[name].type for name in _CHANGED_NAMES})
_UPDATE = (
    update(access_attempts)
    .where(
        access_attempts.c.institution_id == _CHANGED.c.institution_id,
        access_attempts.c.id == _CHANGED.c.id,
    )
    .values(
        bound_hardware_id=_CHANGED.c.bound_hardware_id,
        ip_address=_CHANGED.c.ip_address,
        entry_point=_CHANGED.c.entry_point,
        attempt_count=_CHANGED.c.attempt_count,
        last_seen_at=_CHANGED.c.last_seen_at,
        alerted_on=_CHANGED.c.alerted_on,
    )
)


async def update_attempts(db: Connection, items: Sequence[AccessAttempt]) -> None:
    """Store changes of fetched attempts; the counters of their licenses must be locked."""
    if items:
        rows = [[getattr(item, name) for name in _CHANGED_NAMES] for item in items]
        await db.execute(_UPDATE, _CHANGED.given(rows))


async def fetch_attempt(
    db: Connection, license_id: LicenseId, attempt_id: UUID
) -> AccessAttempt | None:
    statement = select(*_COLUMNS).where(
        access_attempts.c.institution_id == license_id[0],
        access_attempts.c.license_id == license_id[1],
        access_attempts.c.id == attempt_id,
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _attempt(row)


async def mark_reviewed(db: Connection, item: AccessAttempt, now: datetime) -> None:
    await db.execute(
        update(access_attempts)
        .where(
            and_(
                access_attempts.c.institution_id == item.institution_id,
                access_attempts.c.id == item.id,
            )
        )
        .values(reviewed_at=now)
    )


async def list_attempts(
    db: Connection, license_id: LicenseId, paging: Paging
) -> Listing[AccessAttempt]:
    statement = select(*_COLUMNS).where(
        access_attempts.c.institution_id == license_id[0],
        access_attempts.c.license_id == license_id[1],
    )
    listing = await fetch_listing(
        db, statement, paging, id_column=access_attempts.c.id, sortable=_SORTABLE
    )
    return listing.of(_attempt)


async def count_of_license(db: Connection, license_id: LicenseId) -> int:
    institution, number = license_id
    statement = select(func.count()).where(
        access_attempts.c.institution_id == institution, access_attempts.c.license_id == number
    )
    return int((await db.execute(statement)).scalar_one())


def _unreviewed(visibility: Visibility) -> ColumnElement[bool]:
    return and_(
        visible_to(visibility, access_attempts.c.institution_id, access_attempts.c.product_id),
        access_attempts.c.reviewed_at.is_(None),
    )


async def fetch_unreviewed(
    db: Connection, visibility: Visibility, limit: int
) -> list[UnreviewedAttempts]:
    """Fetch the licenses with unreviewed attempts, the one with the latest attempt first."""
    last = func.max(access_attempts.c.last_seen_at)
    statement = (
        select(
            access_attempts.c.license_id,
            func.count().label("attempts"),
            last.label("last_seen_at"),
        )
        .where(_unreviewed(visibility))
        .group_by(access_attempts.c.license_id)
        .order_by(last.desc(), access_attempts.c.license_id)
        .limit(limit)
    )
    return [
        UnreviewedAttempts(
            license_id=row.license_id, attempts=row.attempts, last_seen_at=row.last_seen_at
        )
        for row in await db.execute(statement)
    ]


async def count_unreviewed(db: Connection, visibility: Visibility) -> int:
    statement = select(func.count()).select_from(access_attempts).where(_unreviewed(visibility))
    return int((await db.execute(statement)).scalar_one())
