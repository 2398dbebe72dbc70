"""Access attempts, as they are stored."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, select, true, update

from licet_server.devices.rules.model import AccessAttempt, DeviceKey, UnreviewedAttempts
from licet_server.devices.tables import access_attempts
from licet_server.devices.tables import access_attempts as attempts
from licet_server.kit.database import Connection, Id, String
from licet_server.kit.kept import kept
from licet_server.kit.old_rows import OldRows, deleted, lines_of
from licet_server.kit.personal import PersonalLines
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays, visible_to
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId


def _of_license(license_id: LicenseId) -> ColumnElement[bool]:
    return and_(
        access_attempts.c.institution_id == license_id[0],
        access_attempts.c.license_id == license_id[1],
    )


ACCESS_ATTEMPTS = Rows(
    access_attempts,
    AccessAttempt,
    _of_license,
    sortable={
        "firstSeenAt": access_attempts.c.id,
        "lastSeenAt": access_attempts.c.last_seen_at,
        "attemptCount": access_attempts.c.attempt_count,
    },
)

_WANTED = Arrays("wanted", institution_id=Id, license_id=Id, hardware_id=String)
_FOUND = (
    select(*ACCESS_ATTEMPTS.columns)
    .where(
        _WANTED.same(access_attempts, "institution_id", "license_id"),
        access_attempts.c.attempted_hardware_id == _WANTED.c.hardware_id,
    )
    .lateral("found")
)
_BY_KEYS = select(_FOUND).select_from(_WANTED.table.join(_FOUND, true()))


async def fetch_attempts(
    db: Connection, keys: Sequence[DeviceKey]
) -> dict[DeviceKey, AccessAttempt]:
    """Fetch the attempts of these devices."""
    found = [ACCESS_ATTEMPTS.item(row) for row in await db.execute(_BY_KEYS, _WANTED.given(keys))]
    return {
        (item.institution_id, item.license_id, item.attempted_hardware_id): item for item in found
    }


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
_CHANGED = Arrays.of("changed", access_attempts, *_CHANGED_NAMES)
_UPDATE = (
    update(access_attempts)
    .where(_CHANGED.same(access_attempts, "institution_id", "id"))
    .values({name: _CHANGED.c[name] for name in _CHANGED_NAMES[2:]})
)


async def update_attempts(db: Connection, items: Sequence[AccessAttempt]) -> None:
    """Store changes of fetched attempts; the counters of their licenses must be locked."""
    if items:
        rows = [[getattr(item, name) for name in _CHANGED_NAMES] for item in items]
        await db.execute(_UPDATE, _CHANGED.given(rows))


async def count_of_license(db: Connection, license_id: LicenseId) -> int:
    """Count the access attempts of a license, reviewed or not."""
    statement = select(func.count()).where(_of_license(license_id))
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
    rows = await db.execute(*_latest_unreviewed(visibility, limit))
    return [msgspec.convert(row._mapping, UnreviewedAttempts) for row in rows]


@kept
def _latest_unreviewed(visibility: Visibility, limit: int) -> Select[Any]:
    last = func.max(access_attempts.c.last_seen_at)
    return (
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


async def count_unreviewed(db: Connection, visibility: Visibility) -> int:
    return int((await db.execute(*_unreviewed_count(visibility))).scalar_one())


@kept
def _unreviewed_count(visibility: Visibility) -> Select[Any]:
    return select(func.count()).select_from(access_attempts).where(_unreviewed(visibility))


LINES = PersonalLines(attempts)
"""Rows in archives."""

unseen_attempts = OldRows(attempts, attempts.c.last_seen_at, attempts.c.license_id)

_ARCHIVED = Arrays("archived", institution_id=Id, id=Id)
_DELETE = lines_of(
    deleted(delete(attempts).where(_ARCHIVED.same(attempts, "institution_id", "id"))),
    attempts.c.license_id,
    attempts.c.reviewed_at,
)


async def delete_attempts(
    db: Connection, institution_id: UUID, attempt_ids: Sequence[UUID]
) -> Sequence[Row[Any]]:
    """Delete attempts; return the `license_id` and `reviewed_at` of each, and its `line`."""
    given = _ARCHIVED.given([(institution_id, item) for item in attempt_ids])
    rows: Sequence[Row[Any]] = (await db.execute(_DELETE, given)).all()
    return rows
