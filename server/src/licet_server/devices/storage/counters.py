"""Device counters, whose locks serialize changes of a license's devices."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Date, Integer, Row, Update, and_, bindparam, case, func, select, true, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.sql.dml import ReturningInsert, ReturningUpdate

from licet_server.devices.rules.model import DeviceCounters
from licet_server.devices.storage.activations import live_seats
from licet_server.devices.tables import device_counters
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.kept import kept
from licet_server.kit.statements import Arrays, added_to, insert_rows
from licet_server.licenses.rules.model import LicenseId

_WANTED = Arrays("wanted", institution_id=Id, license_id=Id)
_FOUND = (
    select(device_counters, live_seats(bindparam("now", type_=Instant)).label("live_seats"))
    .where(
        device_counters.c.institution_id == _WANTED.c.institution_id,
        device_counters.c.license_id == _WANTED.c.license_id,
    )
    .lateral("found")
)
_LOCK_EXISTING = (
    select(device_counters.c.license_id)
    .join(
        _WANTED.table,
        and_(
            device_counters.c.institution_id == _WANTED.c.institution_id,
            device_counters.c.license_id == _WANTED.c.license_id,
        ),
    )
    .order_by(device_counters.c.institution_id, device_counters.c.license_id)
    .with_for_update(of=device_counters)
)
_BY_IDS = select(_FOUND).select_from(_WANTED.table.join(_FOUND, true()))


def _counters(row: Row[Any]) -> DeviceCounters:
    return msgspec.convert(row._mapping, DeviceCounters)


async def fetch_counters(
    db: Connection, ids: Sequence[LicenseId], now: datetime
) -> dict[UUID, DeviceCounters]:
    """Fetch counters by license ID, with the seats in use at `now`.

    Licenses that never had a device are omitted.
    """
    if not ids:
        return {}
    rows = await db.execute(_BY_IDS, {**_WANTED.given(ids), "now": now})
    return {row.license_id: replace(_counters(row), seats_used=row.live_seats) for row in rows}


async def lock_counters(
    db: Connection, ids: Sequence[LicenseId], today: date
) -> dict[UUID, DeviceCounters]:
    """Lock the counters in a fixed order until the transaction ends, and create missing ones.

    The daily counters restart on a new day. The day never goes back, even if a clock is behind.
    """
    statement, given = _locking(sorted(set(ids)))
    rows = await db.execute(statement, {**given, "today": today})
    return {row.license_id: _counters(row) for row in rows}


@kept
def _locking(ids: Sequence[LicenseId]) -> ReturningInsert[Any]:
    today = bindparam("today", type_=Date)
    fresh = insert(device_counters).values(
        [
            {"institution_id": institution_id, "license_id": license_id, "day": today}
            for institution_id, license_id in ids
        ]
    )
    same_day = device_counters.c.day >= fresh.excluded.day
    return fresh.on_conflict_do_update(
        index_elements=["institution_id", "license_id"],
        set_={
            "day": func.greatest(device_counters.c.day, fresh.excluded.day),
            "new_rows": case((same_day, device_counters.c.new_rows), else_=0),
            "uncounted": case((same_day, device_counters.c.uncounted), else_=0),
        },
    ).returning(*device_counters.c)


async def insert_counters(db: Connection, seats: Mapping[LicenseId, int], today: date) -> None:
    """Begin to count the seats of licenses that never had a device, in one statement."""
    rows = [
        {
            "institution_id": institution_id,
            "license_id": license_id,
            "seats_used": used,
            "day": today,
        }
        for (institution_id, license_id), used in seats.items()
    ]
    await insert_rows(db, device_counters, rows)


async def increment_seats(db: Connection, license_id: LicenseId, cap: int | None) -> int | None:
    """Count one more seat unless that exceeds `cap`. Returns the seats used, or `None` if full."""
    row = (await db.execute(*_one_more_seat(license_id, cap))).one_or_none()
    return None if row is None else int(row.seats_used)


@kept
def _one_more_seat(license_id: LicenseId, cap: int | None) -> ReturningUpdate[Any]:
    statement = _of(license_id).values(seats_used=added_to(device_counters.c.seats_used, 1))
    if cap is not None:
        statement = statement.where(device_counters.c.seats_used < cap)
    return statement.returning(device_counters.c.seats_used)


async def move_seats(
    db: Connection, license_id: LicenseId, *, used: int = 0, waiting: int = 0, over_limit: int = 0
) -> DeviceCounters:
    """Add to the numbers of seats. Returns the counters as they are now."""
    seats_used = added_to(device_counters.c.seats_used, used)
    statement = _of(license_id).values(
        seats_used=seats_used,
        seats_waiting=func.least(added_to(device_counters.c.seats_waiting, waiting), seats_used),
        over_limit=added_to(device_counters.c.over_limit, over_limit),
    )
    return _counters((await db.execute(statement.returning(*device_counters.c))).one())


async def add_new_rows(db: Connection, license_id: LicenseId, count: int) -> None:
    """Add to the number of rows created today; negative for a row of today that was removed."""
    await db.execute(*_more_rows(license_id, count))


@kept
def _more_rows(license_id: LicenseId, count: int) -> Update:
    return _of(license_id).values(new_rows=added_to(device_counters.c.new_rows, count))


_ADDED = Arrays("added", institution_id=Id, license_id=Id, new=Integer, uncounted=Integer)
_ADD_ATTEMPTS = (
    update(device_counters)
    .where(
        device_counters.c.institution_id == _ADDED.c.institution_id,
        device_counters.c.license_id == _ADDED.c.license_id,
    )
    .values(
        unreviewed_attempts=added_to(device_counters.c.unreviewed_attempts, _ADDED.c.new),
        new_rows=added_to(device_counters.c.new_rows, _ADDED.c.new),
        uncounted=added_to(device_counters.c.uncounted, _ADDED.c.uncounted),
    )
)


async def add_attempts(db: Connection, counts: Mapping[LicenseId, tuple[int, int]]) -> None:
    """Count attempts by license: new ones, and denials beyond the daily limit."""
    rows = [(*license_id, *numbers) for license_id, numbers in counts.items()]
    await db.execute(_ADD_ATTEMPTS, _ADDED.given(rows))


async def lock_existing(db: Connection, ids: Sequence[LicenseId]) -> None:
    """Lock the counters that exist, in the order of `lock_counters`, until the transaction ends."""
    await db.execute(_LOCK_EXISTING, _WANTED.given(sorted(ids)))


_REVIEWED = Arrays("reviewed", institution_id=Id, license_id=Id, number=Integer)
_SUBTRACT_REVIEWED = (
    update(device_counters)
    .where(
        device_counters.c.institution_id == _REVIEWED.c.institution_id,
        device_counters.c.license_id == _REVIEWED.c.license_id,
    )
    .values(
        unreviewed_attempts=added_to(device_counters.c.unreviewed_attempts, -_REVIEWED.c.number)
    )
)


async def subtract_unreviewed(db: Connection, counts: Mapping[LicenseId, int]) -> None:
    """Subtract from the numbers of unreviewed attempts, by license; the counters are locked."""
    rows = [(*license_id, number) for license_id, number in counts.items()]
    await db.execute(_SUBTRACT_REVIEWED, _REVIEWED.given(rows))


def _of(license_id: LicenseId) -> Update:
    return update(device_counters).where(
        device_counters.c.institution_id == license_id[0],
        device_counters.c.license_id == license_id[1],
    )
