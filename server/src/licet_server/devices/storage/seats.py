"""Seats, as they are stored: the counters of licenses, and devices over the limit.

The locks of the counters serialize changes of a license's devices. Of two devices, the one that was
activated later loses its seat first and gets it back last. Before all others, blocked and released
devices lose theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import (
    ColumnElement,
    Date,
    Integer,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.sql.dml import ReturningInsert, ReturningUpdate

from licet_server.catalog.reading import goes_by
from licet_server.catalog.rules.clocks import Clocked
from licet_server.devices.rules.model import Activation, DeviceCounters
from licet_server.devices.storage.activations import ACTIVATIONS, live_seats
from licet_server.devices.tables import activations, device_counters
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.kept import kept
from licet_server.kit.statements import Arrays, added_to, insert_rows
from licet_server.licenses.rules.model import LicenseId

_WANTED = Arrays("wanted", institution_id=Id, license_id=Id)
_FOUND = (
    select(device_counters, live_seats(bindparam("now", type_=Instant)).label("live_seats"))
    .where(_WANTED.same(device_counters, "institution_id", "license_id"))
    .lateral("found")
)
_LOCK_EXISTING = (
    select(device_counters.c.license_id)
    .join(_WANTED.table, _WANTED.same(device_counters, "institution_id", "license_id"))
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
    .where(_ADDED.same(device_counters, "institution_id", "license_id"))
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
    .where(_REVIEWED.same(device_counters, "institution_id", "license_id"))
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


_blocked = activations.c.blocked_at.is_not(None)
_released = activations.c.released_at.is_not(None)
_over_limit = activations.c.over_limit_at.is_not(None)


def _on(license_id: LicenseId) -> ColumnElement[bool]:
    return and_(
        activations.c.institution_id == license_id[0], activations.c.license_id == license_id[1]
    )


def _first(keep: Sequence[UUID]) -> list[ColumnElement[Any]]:
    """Return the order in which devices get seats: those to keep, then the oldest."""
    kept = [activations.c.id.not_in(keep)] if keep else []
    return [*kept, _released, _blocked, activations.c.activated_at, activations.c.id]


async def fetch_chosen(
    db: Connection, license_id: LicenseId, chosen: Sequence[UUID]
) -> list[Activation]:
    """Fetch those of these devices that hold a seat of the license, or did, and may use it."""
    statement = ACTIVATIONS.select(
        _on(license_id),
        activations.c.id.in_(chosen),
        or_(activations.c.holds_seat, _over_limit),
        ~_blocked,
        ~_released,
    )
    return await ACTIVATIONS.all(db, statement)


async def take_seats(
    db: Connection, license_id: LicenseId, count: int, now: datetime, *, keep: Sequence[UUID] = ()
) -> list[Activation]:
    """Take the seats of this many devices; those to keep are last. Returns the devices."""
    last_first = [item.desc() for item in _first(keep)]
    chosen = select(activations.c.id).where(_on(license_id), activations.c.holds_seat)
    statement = (
        update(activations)
        .where(_on(license_id), _is_among(chosen.order_by(*last_first).limit(count)))
        .values(holds_seat=False, bound=False, over_limit_at=now)
        .returning(*ACTIVATIONS.columns)
    )
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


async def return_seats(
    db: Connection, license_id: LicenseId, count: int | None, *, keep: Sequence[UUID] = ()
) -> list[Activation]:
    """Return seats to this many devices that lost theirs, or to all. Returns the devices.

    A blocked device gets one only where all do.
    """
    usable = true() if count is None else ~_blocked
    chosen = select(activations.c.id).where(_on(license_id), _over_limit, usable)
    statement = (
        update(activations)
        .where(_on(license_id), _is_among(chosen.order_by(*_first(keep)).limit(count)))
        .values(holds_seat=True, over_limit_at=None)
        .returning(*ACTIVATIONS.columns)
    )
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


async def bind_first(
    db: Connection, license_id: LicenseId, *, keep: Sequence[UUID] = ()
) -> list[Activation]:
    """Bind a node-locked license to the first device that lost its seat and is not blocked."""
    chosen = select(activations.c.id).where(_on(license_id), _over_limit, ~_blocked)
    statement = (
        update(activations)
        .where(_on(license_id), _is_among(chosen.order_by(*_first(keep)).limit(1)))
        .values(holds_seat=True, bound=True, over_limit_at=None)
        .returning(*ACTIVATIONS.columns)
    )
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


async def forget_files(db: Connection, license_id: LicenseId) -> list[bool]:
    """Forget license files, and the devices that were kept because of them.

    Returns which of these held a seat.
    """
    gone = delete(activations).where(_on(license_id), _released).returning(activations.c.holds_seat)
    held = list((await db.execute(gone)).scalars())
    has_file = activations.c.file_ends_at.is_not(None)
    await db.execute(update(activations).where(_on(license_id), has_file).values(file_ends_at=None))
    return held


async def unbind(db: Connection, license_id: LicenseId, now: datetime) -> int:
    """Release the devices of a node-locked license from its ways.

    The bound machine keeps its seat, and a blocked device that waited for approval is one that
    lost its seat. Returns how many those are.
    """
    bound = update(activations).where(_on(license_id), activations.c.bound).values(bound=False)
    await db.execute(bound)
    blocked = (
        update(activations)
        .where(_on(license_id), _blocked, ~activations.c.holds_seat, ~_over_limit)
        .values(over_limit_at=now, activated_at=activations.c.created_at)
    )
    return (await db.execute(blocked)).rowcount


async def delete_pending(db: Connection, license_id: LicenseId) -> list[Activation]:
    """Delete the devices that wait for approval. Returns them."""
    statement = (
        delete(activations)
        .where(_on(license_id), ~activations.c.holds_seat, ~_over_limit, ~_blocked)
        .returning(*ACTIVATIONS.columns)
    )
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


async def fetch_newest(db: Connection, license_id: LicenseId, limit: int) -> list[Activation]:
    """Fetch the devices of a license that lost their seats and are not released, newest first."""
    newest_first = (activations.c.activated_at.desc(), activations.c.id.desc())
    statement = ACTIVATIONS.select(_on(license_id), _over_limit, ~_released)
    return await ACTIVATIONS.all(db, statement.order_by(*newest_first).limit(limit))


async def fetch_lapsed_pools(
    db: Connection, now: datetime, limit: int, clocked: Clocked | None
) -> list[LicenseId]:
    """Fetch licenses, across institutions, with a device over the limit and a seat that is free.

    Such a seat was that of a released device whose license file has ended. They are of one product,
    or of all that go by the present.
    """
    rows = await db.execute(*_lapsed_pools(now, limit, clocked))
    return [(row.institution_id, row.license_id) for row in rows]


@kept
def _lapsed_pools(now: datetime, limit: int, clocked: Clocked | None) -> Select[Any]:
    lapsed = (
        select(activations.c.id)
        .where(
            activations.c.institution_id == device_counters.c.institution_id,
            activations.c.license_id == device_counters.c.license_id,
            activations.c.holds_seat,
            _released,
            activations.c.file_ends_at <= now,
            goes_by(clocked, activations.c.institution_id, activations.c.product_id),
        )
        .exists()
    )
    return (
        select(device_counters.c.institution_id, device_counters.c.license_id)
        .where(device_counters.c.over_limit > 0, device_counters.c.seats_waiting > 0, lapsed)
        .order_by(device_counters.c.institution_id, device_counters.c.license_id)
        .limit(limit)
    )


async def fetch_next_lapse(db: Connection, clocked: Clocked) -> datetime | None:
    """Fetch when the next license file of a released device of a product ends."""
    statement = select(func.min(activations.c.file_ends_at)).where(
        goes_by(clocked, activations.c.institution_id, activations.c.product_id),
        activations.c.holds_seat,
        _released,
        activations.c.file_ends_at > clocked.now,
    )
    found: datetime | None = (await db.execute(statement)).scalar_one()
    return found


def _is_among(chosen: Select[Any]) -> ColumnElement[bool]:
    """Return whether a device is one of those; PostgreSQL chooses them once for all rows."""
    return activations.c.id.in_(chosen.correlate(None))
