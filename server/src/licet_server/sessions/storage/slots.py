"""Slots, as they are stored and locked.

A statement that waits for the locks of several slots takes them in the order of (institution,
license, number), and one that follows it in a transaction takes higher numbers of a license; all
others skip locked slots. So these locks cannot cause a deadlock.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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

from licet_server.catalog.reading import goes_by
from licet_server.catalog.rules.clocks import Clocked
from licet_server.kit.database import Bytes, Connection, Id, Instant, String, violated_constraint
from licet_server.kit.kept import kept
from licet_server.kit.statements import Arrays
from licet_server.kit.together import Change, Query, change_together
from licet_server.licenses.rules.model import LicenseId
from licet_server.sessions.errors import InstanceConflict
from licet_server.sessions.rules.model import SessionKey, Slot, SlotPlace
from licet_server.sessions.storage.pools import lowering
from licet_server.sessions.tables import session_slots as slots

_NAMES = list(Slot.__struct_fields__)
COLUMNS = [slots.c[name] for name in _NAMES]
_CONTENT = [name for name in _NAMES if name not in {"institution_id", "license_id", "n"}]
_IN_ORDER = (slots.c.institution_id, slots.c.license_id, slots.c.n)
_NOW = bindparam("now", type_=Instant)


def slot_of(row: Sequence[Any]) -> Slot:
    """Build a slot from a row of `COLUMNS`."""
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


_OWN = Arrays("own", institution_id=Id, instance_key=Bytes, cap=Integer)
_OVERFLOW = Arrays("overflow", institution_id=Id, license_id=Id, cap=Integer)
_OWN_PLACES = select(*_IN_ORDER).where(
    slots.c.institution_id == _OWN.c.institution_id,
    slots.c.instance_key == _OWN.c.instance_key,
)
_OVERFLOW_PLACES = select(*_IN_ORDER).where(_of_license(_OVERFLOW), slots.c.n > _OVERFLOW.c.cap)


def _lock_at(places: Subquery) -> Select[Any]:
    return (
        select(*COLUMNS)
        .join(places, _at_place(places))
        .order_by(*_IN_ORDER)
        .with_for_update(of=slots)
    )


_LOCK_OWN = _lock_at(_OWN_PLACES.where(slots.c.n <= _OWN.c.cap).subquery("place"))
# A separate statement: the planner cannot estimate how many slots are beyond a cap, so that its
# plan reads them all.
_LOCK_BEYOND_CAP = _lock_at(
    union(_OWN_PLACES.where(slots.c.n > _OWN.c.cap), _OVERFLOW_PLACES).subquery("place")
)


def locking_own(own: Sequence[tuple[UUID, bytes, int]]) -> Query:
    """Return what locks the slots of instances up to the caps of their licenses.

    A slot that changed while this waited for its lock is returned with its new content.
    """
    return _LOCK_OWN, _OWN.given(own)


async def lock_beyond_cap(
    db: Connection,
    own: Sequence[tuple[UUID, bytes, int]],
    overflow: Sequence[tuple[UUID, UUID, int]],
) -> list[Slot]:
    """Lock the slots of instances beyond the caps of their licenses, and all beyond some caps.

    Those up to the caps are locked before.
    """
    given = {**_OWN.given(own), **_OVERFLOW.given(overflow)}
    return [slot_of(row) for row in await db.execute(_LOCK_BEYOND_CAP, given)]


_NEEDS = Arrays("need", institution_id=Id, license_id=Id, cap=Integer, count=Integer)


def _lockable(condition: ColumnElement[bool]) -> LateralFromClause:
    return (
        select(*COLUMNS)
        .where(_of_license(_NEEDS), condition, slots.c.n <= _NEEDS.c.cap)
        .order_by(slots.c.n)
        .limit(_NEEDS.c["count"])
        .with_for_update(skip_locked=True)
        .lateral("found")
    )


_FREE = _lockable(slots.c.session_id.is_(None))
_LOCK_FREE = select(_FREE).select_from(_NEEDS.table.join(_FREE, true()))
_EXPIRED = _lockable(slots.c.expires_at <= _NOW)
_LOCK_EXPIRED = select(_EXPIRED).select_from(_NEEDS.table.join(_EXPIRED, true()))

SlotsNeeded = tuple[UUID, UUID, int, int]
"""Institution, license, seat cap, and how many slots to lock."""


def locking_free(needs: Sequence[SlotsNeeded]) -> Query:
    """Return what locks free slots up to the cap, lowest first; fewer if there are not enough.

    Slots that other transactions have locked are skipped.
    """
    return _LOCK_FREE, _NEEDS.given(needs)


async def lock_free(db: Connection, needs: Sequence[SlotsNeeded]) -> Mapping[UUID, list[Slot]]:
    """Lock free slots as `locking_free`, by license ID."""
    return by_license(await db.execute(*locking_free(needs)))


async def lock_expired(
    db: Connection, needs: Sequence[SlotsNeeded], now: datetime
) -> Mapping[UUID, list[Slot]]:
    """Lock slots whose session timed out, as `lock_free`. This reads every slot of the license."""
    return by_license(await db.execute(_LOCK_EXPIRED, {**_NEEDS.given(needs), "now": now}))


def by_license(rows: Iterable[Sequence[Any]]) -> dict[UUID, list[Slot]]:
    """Return slots by the ID of their license."""
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
    last_heartbeat_at=Instant,
    expires_at=Instant,
    jkt=String,
    lease_id=Id,
)
_FILL = (
    update(slots)
    .where(_at_place(_FILLED))
    .values({name: _FILLED.c[name] for name in _CONTENT})
    .execution_options(synchronize_session=False)
)
_INSERT = (
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


async def fill_slots(db: Connection, items: Sequence[Slot], *others: Change) -> None:
    """Write the content of locked slots, together with other changes.

    Raises:
        InstanceConflict: another transaction admitted one of the instances.
    """
    filling = [(_FILL, _filled(items))] if items else []
    try:
        await change_together(db, *filling, *others)
    except IntegrityError as error:
        raise _conflict_of(error) from None


async def insert_slots(db: Connection, items: Sequence[Slot]) -> set[SlotPlace]:
    """Insert slots with their content. Returns those that no other transaction inserted first.

    Raises:
        InstanceConflict: another transaction admitted one of the instances.
    """
    if not items:
        return set()
    try:
        rows = (await db.execute(_INSERT, _filled(items))).all()
    except IntegrityError as error:
        raise _conflict_of(error) from None
    return {(row.institution_id, row.license_id, row.n) for row in rows}


def _conflict_of(error: IntegrityError) -> Exception:
    is_conflict = violated_constraint(error) == "session_slots_instance_key"
    return InstanceConflict() if is_conflict else error


_PLACES = Arrays("place", institution_id=Id, license_id=Id, n=Integer)
_CLEAR: Update = (
    update(slots)
    .where(_at_place(_PLACES))
    .values(
        session_id=None,
        hardware_id=None,
        instance_key=None,
        connected_at=None,
        last_heartbeat_at=None,
        expires_at=None,
        lease_id=None,
    )
)
_DELETE = delete(slots).where(_at_place(_PLACES))


async def clear_slots(db: Connection, places: Sequence[SlotPlace]) -> None:
    """Free locked slots."""
    if places:
        await db.execute(_CLEAR, _PLACES.given(places))


async def delete_slots(db: Connection, places: Sequence[SlotPlace]) -> None:
    """Delete locked slots."""
    if places:
        await db.execute(_DELETE, _PLACES.given(places))


def _of_session(key: SessionKey) -> ColumnElement[bool]:
    institution_id, session_id = key
    return and_(slots.c.institution_id == institution_id, slots.c.session_id == session_id)


async def lock_by_session(db: Connection, key: SessionKey) -> Slot | None:
    """Lock the slot of a session; `None` also if the session moved while this waited."""
    row = (await db.execute(*_locking_of_session(key))).one_or_none()
    return None if row is None else slot_of(row)


@kept
def _locking_of_session(key: SessionKey) -> Select[Any]:
    return select(*COLUMNS).where(_of_session(key)).with_for_update()


async def has_slot(db: Connection, key: SessionKey) -> bool:
    """Return whether the session occupies a slot now."""
    return (await db.execute(select(slots.c.n).where(_of_session(key)))).first() is not None


_is_not_lent = slots.c.lease_id.is_(None)
"""Of the slots whose sessions may be ended; the seat of a lease is only free by its end."""


def _of_device(license_id: LicenseId, hardware_id: str, now: datetime) -> ColumnElement[bool]:
    return and_(
        _is_not_lent,
        slots.c.institution_id == license_id[0],
        slots.c.license_id == license_id[1],
        slots.c.hardware_id == hardware_id,
        slots.c.expires_at > now,
    )


async def lock_by_device(
    db: Connection, license_id: LicenseId, hardware_id: str, now: datetime
) -> list[Slot]:
    """Lock the slots of a device's live sessions, but for borrowed seats.

    This reads every slot of the license.
    """
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
    """Return whether a live session of the device occupies a slot now that is not borrowed."""
    statement = select(slots.c.n).where(_of_device(license_id, hardware_id, now)).limit(1)
    return (await db.execute(statement)).first() is not None


_LICENSES = Arrays("license", institution_id=Id, license_id=Id)
_LOCK_OCCUPIED = (
    select(*COLUMNS)
    .join(_LICENSES.table, _of_license(_LICENSES))
    .where(slots.c.session_id.is_not(None), _is_not_lent)
    .order_by(*_IN_ORDER)
    .with_for_update(of=slots)
)


async def lock_occupied(db: Connection, license_ids: Sequence[LicenseId]) -> list[Slot]:
    """Lock the slots of these licenses that have a session, live or not, but for borrowed seats."""
    rows = await db.execute(_LOCK_OCCUPIED, _LICENSES.given(license_ids))
    return [slot_of(row) for row in rows]


_PLACE = func.row(*_IN_ORDER)


async def lock_expired_after(
    db: Connection, after: SlotPlace, limit: int, now: datetime, clocked: Clocked | None
) -> list[Slot]:
    """Lock slots of timed-out sessions after a place, in order, across institutions.

    Those of one product, or of all that go by the present. Slots that other transactions have
    locked are skipped.
    """
    statement = (
        select(*COLUMNS)
        .where(
            func.row(*after) < _PLACE,
            slots.c.expires_at <= now,
            goes_by(clocked, slots.c.institution_id, slots.c.product_id),
        )
        .order_by(*_IN_ORDER)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return [slot_of(row) for row in await db.execute(statement)]


async def fetch_next_expiry(db: Connection, clocked: Clocked) -> datetime | None:
    """Fetch when the next session of a product times out."""
    statement = select(func.min(slots.c.expires_at)).where(
        goes_by(clocked, slots.c.institution_id, slots.c.product_id),
        slots.c.expires_at > clocked.now,
    )
    found: datetime | None = (await db.execute(statement)).scalar_one()
    return found


async def write_slot(db: Connection, item: Slot) -> None:
    """Write the content of a locked slot whose instance no other transaction can admit.

    The caller has locked the license, if the session times out earlier than before.
    """
    await change_together(db, (_FILL, _filled([item])), *lowering(item))


_LENT = and_(
    slots.c.institution_id == bindparam("of_institution", type_=Id),
    slots.c.license_id == bindparam("of_license", type_=Id),
    slots.c.lease_id.is_not(None),
)
_RELEASE_LENT = update(slots).where(_LENT).values(lease_id=None)


async def release_lent(db: Connection, license_id: LicenseId) -> None:
    """Make borrowed seats of a locked license ordinary ones."""
    await db.execute(_RELEASE_LENT, {"of_institution": license_id[0], "of_license": license_id[1]})
