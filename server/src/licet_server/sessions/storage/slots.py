"""Queries of the slots: look, lock, claim, fill and empty them.

Whoever waits for locks of several slots takes them in the order of (institution, license, number),
in one statement; all others skip what is locked. So nobody waits in a circle.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Subquery,
    Update,
    and_,
    bindparam,
    delete,
    func,
    select,
    true,
    union,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.selectable import LateralFromClause

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Bytes, Connection, Id, Instant, String, violated_constraint
from licet_server.licenses.rules.model import LicenseId
from licet_server.sessions.errors import InstanceTaken
from licet_server.sessions.rules.model import SessionKey, Slot, SlotPlace
from licet_server.sessions.tables import session_slots as slots

_NAMES = [field.name for field in fields(Slot)]
COLUMNS = [slots.c[name] for name in _NAMES]
_CONTENT = [name for name in _NAMES if name not in {"institution_id", "license_id", "n"}]
_IN_ORDER = (slots.c.institution_id, slots.c.license_id, slots.c.n)
_NOW = bindparam("now", type_=Instant)


@dataclass(frozen=True, slots=True)
class PoolState:
    """The highest number of a license's slots, and how many live sessions were counted."""

    top: int = 0
    live: int = 0


def slot_of(row: Sequence[Any]) -> Slot:
    """A row of `COLUMNS`."""
    return Slot(*row)


def _of_license(wanted: Arrays) -> ColumnElement[bool]:
    return and_(
        slots.c.institution_id == wanted.c.institution_id,
        slots.c.license_id == wanted.c.license_id,
    )


def _at_place(wanted: Any) -> ColumnElement[bool]:
    return and_(
        slots.c.institution_id == wanted.c.institution_id,
        slots.c.license_id == wanted.c.license_id,
        slots.c.n == wanted.c.n,
    )


_POOLS = Arrays("pool", institution_id=Id, license_id=Id, count_to=Integer)
_TOP = (
    select(slots.c.n)
    .where(_of_license(_POOLS))
    .order_by(slots.c.n.desc())
    .limit(1)
    .lateral("highest")
)
_LIVE = (
    select(func.count().label("live"))
    .where(_of_license(_POOLS), slots.c.n <= _POOLS.c.count_to, slots.c.expires_at > _NOW)
    .lateral("counted")
)
_LOOK = select(_POOLS.c.license_id, _TOP.c.n, _LIVE.c.live).select_from(
    _POOLS.table.join(_TOP, true()).join(_LIVE, true())
)


async def look_at_pools(
    db: Connection, pools: Sequence[tuple[UUID, UUID, int]], now: datetime
) -> dict[UUID, PoolState]:
    """The state of licenses, by id: live sessions are counted up to a slot's number.

    `pools` are (institution, license, number to count to). A license without slots is absent.
    """
    rows = await db.execute(_LOOK, {**_POOLS.given(pools), "now": now})
    return {row.license_id: PoolState(row.n, row.live) for row in rows}


_OWN = Arrays("own", institution_id=Id, instance_key=Bytes)
_OVER = Arrays("over", institution_id=Id, license_id=Id, cap=Integer)
_OWN_PLACES = select(*_IN_ORDER).where(
    slots.c.institution_id == _OWN.c.institution_id,
    slots.c.instance_key == _OWN.c.instance_key,
)
_OVER_PLACES = select(*_IN_ORDER).where(_of_license(_OVER), slots.c.n > _OVER.c.cap)


def _lock_at(places: Subquery) -> Select[Any]:
    return (
        select(*COLUMNS)
        .join(places, _at_place(places))
        .order_by(*_IN_ORDER)
        .with_for_update(of=slots)
    )


_LOCK_OWN = _lock_at(_OWN_PLACES.subquery("place"))
# Apart, since nobody can foresee how many slots lie beyond a cap: the plan for it reads them all.
_LOCK_OWN_AND_OVER = _lock_at(union(_OWN_PLACES, _OVER_PLACES).subquery("place"))


async def lock_own_and_over(
    db: Connection,
    own: Sequence[tuple[UUID, bytes]],
    over: Sequence[tuple[UUID, UUID, int]],
) -> list[Slot]:
    """The slots of these instances, and all slots beyond these caps, held until the end.

    A slot may stand here with another content than was looked for, if it changed while waiting.
    """
    if not own and not over:
        return []
    if over:
        given = {**_OWN.given(own), **_OVER.given(over)}
        return [slot_of(row) for row in await db.execute(_LOCK_OWN_AND_OVER, given)]
    return [slot_of(row) for row in await db.execute(_LOCK_OWN, _OWN.given(own))]


_NEEDS = Arrays("need", institution_id=Id, license_id=Id, cap=Integer, count=Integer)


def _claim(condition: ColumnElement[bool]) -> LateralFromClause:
    return (
        select(*COLUMNS)
        .where(_of_license(_NEEDS), condition, slots.c.n <= _NEEDS.c.cap)
        .order_by(slots.c.n)
        .limit(_NEEDS.c["count"])
        .with_for_update(skip_locked=True)
        .lateral("found")
    )


_FREE = _claim(slots.c.session_id.is_(None))
_TAKE_FREE = select(_FREE).select_from(_NEEDS.table.join(_FREE, true()))
_EXPIRED = _claim(slots.c.expires_at <= _NOW)
_TAKE_EXPIRED = select(_EXPIRED).select_from(_NEEDS.table.join(_EXPIRED, true()))

Need = tuple[UUID, UUID, int, int]
"""Institution, license, the cap and how many slots are wanted."""


async def take_free(db: Connection, needs: Sequence[Need]) -> Mapping[UUID, list[Slot]]:
    """Free slots up to the cap by license, the lowest first, held; fewer where none is left."""
    return _by_license(await db.execute(_TAKE_FREE, _NEEDS.given(needs)))


async def take_expired(
    db: Connection, needs: Sequence[Need], now: datetime
) -> Mapping[UUID, list[Slot]]:
    """The same for slots whose session timed out. This reads all slots of the license."""
    return _by_license(await db.execute(_TAKE_EXPIRED, {**_NEEDS.given(needs), "now": now}))


def _by_license(rows: Any) -> Mapping[UUID, list[Slot]]:
    found: defaultdict[UUID, list[Slot]] = defaultdict(list)
    for row in rows:
        item = slot_of(row)
        found[item.license_id].append(item)
    return found


_FILLED = Arrays(
    "filled",
    institution_id=Id,
    license_id=Id,
    n=Integer,
    session_id=Id,
    product_id=Id,
    hardware_id=String,
    instance_key=Bytes,
    connected_at=Instant,
    beat_at=Instant,
    expires_at=Instant,
)
_FILL = (
    update(slots)
    .where(_at_place(_FILLED))
    .values({name: _FILLED.c[name] for name in _CONTENT})
    .execution_options(synchronize_session=False)
)
_ADD = (
    insert(slots)
    .from_select(
        _NAMES,
        select(*(_FILLED.c[name] for name in _NAMES)).order_by(
            _FILLED.c.institution_id, _FILLED.c.license_id, _FILLED.c.n
        ),
    )
    .on_conflict_do_nothing(index_elements=["institution_id", "license_id", "n"])
    .returning(*_IN_ORDER)
)


def _filled(items: Sequence[Slot]) -> dict[str, list[Any]]:
    return _FILLED.given([[getattr(item, name) for name in _NAMES] for item in items])


async def fill_slots(db: Connection, items: Sequence[Slot]) -> None:
    """Write the content of slots that are held.

    Raises:
        InstanceTaken: when another transaction let one of the instances in.
    """
    if not items:
        return
    try:
        await db.execute(_FILL, _filled(items))
    except IntegrityError as error:
        raise _instance_taken(error) from None


async def add_slots(db: Connection, items: Sequence[Slot]) -> set[SlotPlace]:
    """Add slots with their content; those that somebody else added first are left out.

    Raises:
        InstanceTaken: when another transaction let one of the instances in.
    """
    if not items:
        return set()
    try:
        rows = (await db.execute(_ADD, _filled(items))).all()
    except IntegrityError as error:
        raise _instance_taken(error) from None
    return {(row.institution_id, row.license_id, row.n) for row in rows}


def _instance_taken(error: IntegrityError) -> Exception:
    taken = violated_constraint(error) == "session_slots_instance_key"
    return InstanceTaken() if taken else error


_GONE = Arrays("gone", institution_id=Id, license_id=Id, n=Integer)
_EMPTY: Update = (
    update(slots)
    .where(_at_place(_GONE))
    .values(
        session_id=None,
        hardware_id=None,
        instance_key=None,
        connected_at=None,
        beat_at=None,
        expires_at=None,
    )
)
_DELETE = delete(slots).where(_at_place(_GONE))


async def empty_slots(db: Connection, places: Sequence[SlotPlace]) -> None:
    """Free slots that are held."""
    if places:
        await db.execute(_EMPTY, _GONE.given(places))


async def delete_slots(db: Connection, places: Sequence[SlotPlace]) -> None:
    """Remove slots that are held."""
    if places:
        await db.execute(_DELETE, _GONE.given(places))


def _of_session(key: SessionKey) -> ColumnElement[bool]:
    institution_id, session_id = key
    return and_(slots.c.institution_id == institution_id, slots.c.session_id == session_id)


async def lock_by_session(db: Connection, key: SessionKey) -> Slot | None:
    """The slot of a session, held; `None` also where it was moved while this waited."""
    statement = select(*COLUMNS).where(_of_session(key)).with_for_update()
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else slot_of(row)


async def has_slot(db: Connection, key: SessionKey) -> bool:
    """Whether the session stands in a slot at this moment."""
    return (await db.execute(select(slots.c.n).where(_of_session(key)))).first() is not None


def _of_device(license_id: LicenseId, hardware_id: str, now: datetime) -> ColumnElement[bool]:
    return and_(
        slots.c.institution_id == license_id[0],
        slots.c.license_id == license_id[1],
        slots.c.hardware_id == hardware_id,
        slots.c.expires_at > now,
    )


async def lock_by_device(
    db: Connection, license_id: LicenseId, hardware_id: str, now: datetime
) -> list[Slot]:
    """The slots of a device's live sessions, held. This reads all slots of the license."""
    statement = (
        select(*COLUMNS)
        .where(_of_device(license_id, hardware_id, now))
        .order_by(*_IN_ORDER)
        .with_for_update()
    )
    return [slot_of(row) for row in await db.execute(statement)]


async def device_has_slot(
    db: Connection, license_id: LicenseId, hardware_id: str, now: datetime
) -> bool:
    """Whether a live session of the device stands in a slot at this moment."""
    statement = select(slots.c.n).where(_of_device(license_id, hardware_id, now)).limit(1)
    return (await db.execute(statement)).first() is not None


_PLACE = func.row(*_IN_ORDER)


async def lock_expired_after(
    db: Connection, after: SlotPlace, limit: int, now: datetime
) -> list[Slot]:
    """Slots of timed-out sessions beyond a place, of all institutions, in order; held.

    Those that somebody else holds are skipped.
    """
    statement = (
        select(*COLUMNS)
        .where(
            func.row(*after) < _PLACE,
            slots.c.expires_at <= now,
        )
        .order_by(*_IN_ORDER)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return [slot_of(row) for row in await db.execute(statement)]
