"""The tally of each license's devices: held by whoever adds or removes one."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import Integer, Row, Update, case, func, select, true, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.devices.rules.model import Tally
from licet_server.devices.tables import device_tallies
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.licenses.rules.model import LicenseId

_WANTED = Arrays("wanted", institution_id=Id, license_id=Id)
_FOUND = (
    select(device_tallies)
    .where(
        device_tallies.c.institution_id == _WANTED.c.institution_id,
        device_tallies.c.license_id == _WANTED.c.license_id,
    )
    .lateral("found")
)
_BY_IDS = select(_FOUND).select_from(_WANTED.table.join(_FOUND, true()))


def _tally(row: Row[Any]) -> Tally:
    return Tally(row.seats_used, row.unreviewed_attempts, row.day, row.new_rows)


async def fetch_tallies(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, Tally]:
    """By license id; a license that never had a device has none."""
    return {row.license_id: _tally(row) for row in await db.execute(_BY_IDS, _WANTED.given(ids))}


async def hold_tallies(db: Connection, ids: Sequence[LicenseId], today: date) -> dict[UUID, Tally]:
    """The tallies, made where there are none, and held in a fixed order until the end.

    A new day begins with no new rows. It never goes back, whose clock ever is behind.
    """
    fresh = insert(device_tallies).values(
        [
            {"institution_id": institution_id, "license_id": license_id, "day": today}
            for institution_id, license_id in sorted(set(ids))
        ]
    )
    same_day = device_tallies.c.day >= fresh.excluded.day
    statement = fresh.on_conflict_do_update(
        index_elements=["institution_id", "license_id"],
        set_={
            "day": func.greatest(device_tallies.c.day, fresh.excluded.day),
            "new_rows": case((same_day, device_tallies.c.new_rows), else_=0),
            "uncounted": case((same_day, device_tallies.c.uncounted), else_=0),
        },
    ).returning(*device_tallies.c)
    return {row.license_id: _tally(row) for row in await db.execute(statement)}


async def take_seat(db: Connection, license_id: LicenseId, cap: int | None) -> int | None:
    """Count one more seat, but never more than `cap`; the number then, or `None` without room."""
    statement = _of(license_id).values(seats_used=device_tallies.c.seats_used + 1)
    if cap is not None:
        statement = statement.where(device_tallies.c.seats_used < cap)
    row = (await db.execute(statement.returning(device_tallies.c.seats_used))).one_or_none()
    return None if row is None else int(row.seats_used)


async def give_back_seats(db: Connection, license_id: LicenseId, count: int) -> None:
    await db.execute(_of(license_id).values(seats_used=device_tallies.c.seats_used - count))


async def count_new_rows(db: Connection, license_id: LicenseId, by: int) -> None:
    """Count rows made today; a row of today that is removed again gives its place back."""
    await db.execute(
        _of(license_id).values(new_rows=func.greatest(device_tallies.c.new_rows + by, 0))
    )


_COUNTED = Arrays("counted", institution_id=Id, license_id=Id, made=Integer, uncounted=Integer)
_COUNT_ATTEMPTS = (
    update(device_tallies)
    .where(
        device_tallies.c.institution_id == _COUNTED.c.institution_id,
        device_tallies.c.license_id == _COUNTED.c.license_id,
    )
    .values(
        unreviewed_attempts=device_tallies.c.unreviewed_attempts + _COUNTED.c.made,
        new_rows=device_tallies.c.new_rows + _COUNTED.c.made,
        uncounted=device_tallies.c.uncounted + _COUNTED.c.uncounted,
    )
)


async def count_attempts(db: Connection, counts: Mapping[LicenseId, tuple[int, int]]) -> None:
    """Count new attempts, and those that came beyond the limit of the day, by license."""
    rows = [(*license_id, *numbers) for license_id, numbers in counts.items()]
    await db.execute(_COUNT_ATTEMPTS, _COUNTED.given(rows))


async def count_review(db: Connection, license_id: LicenseId) -> None:
    await db.execute(
        _of(license_id).values(unreviewed_attempts=device_tallies.c.unreviewed_attempts - 1)
    )


def _of(license_id: LicenseId) -> Update:
    return update(device_tallies).where(
        device_tallies.c.institution_id == license_id[0],
        device_tallies.c.license_id == license_id[1],
    )
