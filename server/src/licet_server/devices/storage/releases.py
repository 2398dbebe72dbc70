"""Seats that end users released themselves, as they are stored."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import bindparam, func, insert, select, true

from licet_server.devices.tables import device_releases as releases
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import LicenseId

_WANTED = Arrays("wanted", institution_id=Id, license_id=Id)
_COUNTED = (
    select(func.count().label("number"))
    .where(
        releases.c.institution_id == _WANTED.c.institution_id,
        releases.c.license_id == _WANTED.c.license_id,
        releases.c.released_at > bindparam("since", type_=Instant),
    )
    .lateral("counted")
)
_COUNTS = select(_WANTED.c.license_id, _COUNTED.c.number).select_from(
    _WANTED.table.join(_COUNTED, true())
)


async def count_releases(
    db: Connection, ids: Sequence[LicenseId], since: datetime
) -> dict[UUID, int]:
    """Count the releases after `since` by license ID; every license is included."""
    rows = await db.execute(_COUNTS, {**_WANTED.given(ids), "since": since})
    return {row.license_id: row.number for row in rows}


async def fetch_releases(
    db: Connection, license_id: LicenseId, since: datetime
) -> Sequence[datetime]:
    """Fetch the times of the releases after `since`, newest first."""
    statement = (
        select(releases.c.released_at)
        .where(
            releases.c.institution_id == license_id[0],
            releases.c.license_id == license_id[1],
            releases.c.released_at > since,
        )
        .order_by(releases.c.released_at.desc())
    )
    return (await db.execute(statement)).scalars().all()


async def insert_release(
    db: Connection, *, release_id: UUID, license_id: LicenseId, user_id: UUID, now: datetime
) -> None:
    await db.execute(
        insert(releases).values(
            institution_id=license_id[0],
            id=release_id,
            license_id=license_id[1],
            user_id=user_id,
            released_at=now,
        )
    )
