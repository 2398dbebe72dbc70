"""Devices that lose their seats to a lower cap, and that get them back; the counters are locked.

Of two devices, the one that was activated later loses its seat first and gets it back last. Before
all others, blocked and released devices lose theirs.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, func, or_, select, true, update

from licet_server.catalog.reading import goes_by
from licet_server.catalog.rules.clocks import Clocked
from licet_server.devices.rules.model import Activation
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.devices.tables import activations, device_counters
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept
from licet_server.licenses.rules.model import LicenseId

_blocked = activations.c.blocked_at.is_not(None)
_released = activations.c.released_at.is_not(None)
_over_limit = activations.c.over_limit_at.is_not(None)


def _of(license_id: LicenseId) -> ColumnElement[bool]:
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
        _of(license_id),
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
    chosen = select(activations.c.id).where(_of(license_id), activations.c.holds_seat)
    statement = (
        update(activations)
        .where(_of(license_id), _is_among(chosen.order_by(*last_first).limit(count)))
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
    chosen = select(activations.c.id).where(_of(license_id), _over_limit, usable)
    statement = (
        update(activations)
        .where(_of(license_id), _is_among(chosen.order_by(*_first(keep)).limit(count)))
        .values(holds_seat=True, over_limit_at=None)
        .returning(*ACTIVATIONS.columns)
    )
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


async def bind_first(
    db: Connection, license_id: LicenseId, *, keep: Sequence[UUID] = ()
) -> list[Activation]:
    """Bind a node-locked license to the first device that lost its seat and is not blocked."""
    chosen = select(activations.c.id).where(_of(license_id), _over_limit, ~_blocked)
    statement = (
        update(activations)
        .where(_of(license_id), _is_among(chosen.order_by(*_first(keep)).limit(1)))
        .values(holds_seat=True, bound=True, over_limit_at=None)
        .returning(*ACTIVATIONS.columns)
    )
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


async def forget_files(db: Connection, license_id: LicenseId) -> list[bool]:
    """Forget license files, and the devices that were kept because of them.

    Returns which of these held a seat.
    """
    gone = delete(activations).where(_of(license_id), _released).returning(activations.c.holds_seat)
    held = list((await db.execute(gone)).scalars())
    has_file = activations.c.file_ends_at.is_not(None)
    await db.execute(update(activations).where(_of(license_id), has_file).values(file_ends_at=None))
    return held


async def unbind(db: Connection, license_id: LicenseId, now: datetime) -> int:
    """Release the devices of a node-locked license from its ways.

    The bound machine keeps its seat, and a blocked device that waited for approval is one that
    lost its seat. Returns how many those are.
    """
    bound = update(activations).where(_of(license_id), activations.c.bound).values(bound=False)
    await db.execute(bound)
    blocked = (
        update(activations)
        .where(_of(license_id), _blocked, ~activations.c.holds_seat, ~_over_limit)
        .values(over_limit_at=now, activated_at=activations.c.created_at)
    )
    return (await db.execute(blocked)).rowcount


async def delete_pending(db: Connection, license_id: LicenseId) -> list[Activation]:
    """Delete the devices that wait for approval. Returns them."""
    statement = (
        delete(activations)
        .where(_of(license_id), ~activations.c.holds_seat, ~_over_limit, ~_blocked)
        .returning(*ACTIVATIONS.columns)
    )
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


async def fetch_newest(db: Connection, license_id: LicenseId, limit: int) -> list[Activation]:
    """Fetch the devices of a license that lost their seats and are not released, newest first."""
    newest_first = (activations.c.activated_at.desc(), activations.c.id.desc())
    statement = ACTIVATIONS.select(_of(license_id), _over_limit, ~_released)
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
