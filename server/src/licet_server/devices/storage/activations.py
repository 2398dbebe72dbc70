"""Activations, as they are stored."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.sql.selectable import LateralFromClause

from licet_server.catalog.reading import instant_by
from licet_server.devices.rules.model import (
    Activation,
    ActivationStatus,
    DeviceFacts,
    DeviceFilter,
    DeviceKey,
    DeviceNames,
    KnownDevice,
    NamedDevices,
    SeatedFacts,
    VersionDevices,
)
from licet_server.devices.tables import activations, device_counters
from licet_server.kit.database import Connection, Id, Instant, Json, String
from licet_server.kit.fitting import members_of
from licet_server.kit.folded_columns import folded_column
from licet_server.kit.folding import folded
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays, SoughtDevice, named_like, visible_to
from licet_server.kit.text import part_pattern
from licet_server.kit.together import Found, Query
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License, LicenseId, LicenseTerms


def has_not_lapsed(now: datetime) -> ColumnElement[bool]:
    """Return whether a device counts: it was not released, or its file has not ended."""
    return or_(activations.c.released_at.is_(None), activations.c.file_ends_at > now)


def _has_not_lapsed_each(now: datetime) -> ColumnElement[bool]:
    """Return the same for devices of several products, each by the clock that it may have.

    The clock is looked up for a released device only.
    """
    of = activations.c
    instant = instant_by(of.institution_id, of.product_id, now)
    return or_(of.released_at.is_(None), of.file_ends_at > instant)


def live_seats(now: BindParameter[datetime]) -> ColumnElement[int]:
    """Return the seats in use at `now`, for a row of the counters.

    The lapsed devices are counted only where a released one is stored.
    """
    lapsed = (
        select(func.count())
        .where(
            activations.c.institution_id == device_counters.c.institution_id,
            activations.c.license_id == device_counters.c.license_id,
            activations.c.holds_seat,
            activations.c.released_at.is_not(None),
            activations.c.file_ends_at <= now,
        )
        .correlate(device_counters)
        .scalar_subquery()
    )
    seats = device_counters.c.seats_used
    return case((device_counters.c.seats_waiting == 0, seats), else_=seats - lapsed)


_NAMES = list(Activation.__struct_fields__)
ACTIVATION_COLUMNS = [activations.c["labels" if name == "metadata" else name] for name in _NAMES]


def _of_institutions(institution_ids: Collection[UUID]) -> ColumnElement[bool]:
    return activations.c.institution_id.in_(institution_ids)


ACTIVATIONS = Rows(
    activations,
    Activation,
    _of_institutions,
    computed={"metadata": func.coalesce(activations.c.labels, literal({}, Json))},
    sortable={
        "createdAt": activations.c.id,
        "lastSeenAt": activations.c.last_seen_at,
        "deviceName": activations.c.device_name,
    },
)


_LEVELS = members_of(Activation)["key_level"]


def activation_of(row: Sequence[Any]) -> Activation:
    """Build a device from a row of `ACTIVATION_COLUMNS`, faster than `ACTIVATIONS` does."""
    stored = dict(zip(_NAMES, row, strict=True))
    stored["metadata"] = stored["metadata"] or {}
    stored["key_level"] = _LEVELS[stored["key_level"]]
    return Activation(**stored)


def rows_about(
    institution_id: ColumnElement[UUID],
    license_id: ColumnElement[UUID],
    hardware_id: ColumnElement[str],
) -> LateralFromClause:
    """Return the row of a device under a license, and the other one that this is bound to."""
    on_license = select(*ACTIVATION_COLUMNS).where(
        activations.c.institution_id == institution_id, activations.c.license_id == license_id
    )
    own = on_license.where(activations.c.hardware_id == hardware_id)
    bound_other = on_license.where(activations.c.bound, activations.c.hardware_id != hardware_id)
    return union_all(own, bound_other).lateral("found")


def seats_of(
    institution_id: ColumnElement[UUID], license_id: ColumnElement[UUID]
) -> LateralFromClause:
    """Return `seats_used` of a license at the parameter `now`; no row before its first device."""
    return (
        select(live_seats(bindparam("now", type_=Instant)).label("seats_used"))
        .where(
            device_counters.c.institution_id == institution_id,
            device_counters.c.license_id == license_id,
        )
        .lateral("seats")
    )


_WANTED = Arrays("wanted", institution_id=Id, license_id=Id, hardware_id=String)
_ON_LICENSE = _WANTED.same(activations, "institution_id", "license_id")
_FOUND = rows_about(_WANTED.c.institution_id, _WANTED.c.license_id, _WANTED.c.hardware_id)
_FACTS = select(_FOUND, _WANTED.c.hardware_id.label("wanted_hardware_id")).select_from(
    _WANTED.table.join(_FOUND, true())
)
_LOCK_OWN_FOR_SHARE = (
    select(*ACTIVATION_COLUMNS)
    .join(
        _WANTED.table,
        and_(_ON_LICENSE, activations.c.hardware_id == _WANTED.c.hardware_id),
    )
    .order_by(activations.c.institution_id, activations.c.license_id, activations.c.hardware_id)
    .with_for_update(read=True, of=activations)
)


_SEATS = seats_of(_WANTED.c.institution_id, _WANTED.c.license_id)
_SEATED_FACTS = select(
    _FOUND,
    _WANTED.c.institution_id.label("wanted_institution_id"),
    _WANTED.c.license_id.label("wanted_license_id"),
    _WANTED.c.hardware_id.label("wanted_hardware_id"),
    _SEATS.c.seats_used,
).select_from(_WANTED.table.outerjoin(_SEATS, true()).outerjoin(_FOUND, true()))


async def fetch_facts(db: Connection, keys: Sequence[DeviceKey]) -> dict[DeviceKey, DeviceFacts]:
    """Fetch the facts about these devices in one statement, with two index look-ups for each."""
    own: dict[DeviceKey, Activation] = {}
    bound: dict[DeviceKey, Activation] = {}
    for row in await db.execute(_FACTS, _WANTED.given(keys)):
        *stored, wanted = row
        item = activation_of(stored)
        key = (item.institution_id, item.license_id, wanted)
        (own if item.hardware_id == wanted else bound)[key] = item
    return {key: DeviceFacts(own.get(key), bound.get(key)) for key in keys}


async def fetch_facts_of(
    db: Connection, license_: License | LicenseTerms, hardware_id: str
) -> DeviceFacts:
    """Fetch the facts about one device of a license; no device has an empty hardware ID."""
    key = (license_.institution_id, license_.id, hardware_id)
    return (await fetch_facts(db, [key]))[key]


async def fetch_seated_facts(
    db: Connection, keys: Sequence[DeviceKey], now: datetime
) -> dict[DeviceKey, SeatedFacts]:
    """Fetch what `fetch_facts` does, and the seats in use at `now`, in one statement."""
    own: dict[DeviceKey, Activation] = {}
    bound: dict[DeviceKey, Activation] = {}
    used: dict[DeviceKey, int] = {}
    for row in await db.execute(_SEATED_FACTS, {**_WANTED.given(keys), "now": now}):
        *stored, institution_id, license_id, wanted, seats_used = row
        key = (institution_id, license_id, wanted)
        used[key] = seats_used or 0
        if row.id is not None:
            item = activation_of(stored)
            (own if item.hardware_id == wanted else bound)[key] = item
    return {
        key: SeatedFacts(DeviceFacts(own.get(key), bound.get(key)), used.get(key, 0))
        for key in keys
    }


_NAMED = Arrays("named", place=Integer, institution_id=Id, license_id=Id, hardware_id=String, id=Id)
_KNOWN = (
    activations.c.id,
    activations.c.hardware_id,
    activations.c.blocked_at,
    activations.c.jkt,
)
_OF_LICENSE = _NAMED.same(activations, "institution_id", "license_id")
_EITHER = union_all(
    select(*_KNOWN).where(_OF_LICENSE, activations.c.hardware_id == _NAMED.c.hardware_id),
    select(*_KNOWN).where(_OF_LICENSE, activations.c.id == _NAMED.c.id),
).lateral("either")
_BY_NAMES = select(_NAMED.c.place, _EITHER).select_from(_NAMED.table.join(_EITHER, true()))


async def fetch_named(
    db: Connection, names: Sequence[DeviceNames]
) -> dict[DeviceNames, NamedDevices]:
    """Fetch the devices that these references identify; unknown ones are omitted."""
    own: dict[DeviceNames, KnownDevice] = {}
    named: dict[DeviceNames, KnownDevice] = {}
    given = _NAMED.given((place, *item) for place, item in enumerate(names))
    for place, activation_id, hardware_id, blocked_at, jkt in await db.execute(_BY_NAMES, given):
        item = names[place]
        device = KnownDevice(
            activation_id=activation_id,
            hardware_id=hardware_id,
            blocked=blocked_at is not None,
            jkt=jkt,
        )
        if hardware_id == item[2]:
            own[item] = device
        if activation_id == item[3]:
            named[item] = device
    return {item: NamedDevices(own.get(item), named.get(item)) for item in {**own, **named}}


def locking_own_for_share(keys: Sequence[DeviceKey]) -> Query:
    """Return what locks these devices `FOR SHARE`: none is blocked or removed until the end."""
    return _LOCK_OWN_FOR_SHARE, _WANTED.given(keys)


def devices_in(rows: Found) -> dict[DeviceKey, Activation]:
    """Return the devices that were locked."""
    locked = map(activation_of, rows)
    return {(item.institution_id, item.license_id, item.hardware_id): item for item in locked}


async def update_last_seen(db: Connection, item: Activation, now: datetime) -> None:
    await db.execute(
        update(activations)
        .where(ACTIVATIONS.same(item), activations.c.last_seen_at < now)
        .values(last_seen_at=now)
    )


def is_idle(before: datetime, now: datetime) -> ColumnElement[bool]:
    """Return `rules.admission.is_reclaimable` as SQL, for devices not seen since `before`."""
    return and_(
        or_(activations.c.holds_seat, activations.c.over_limit_at.is_not(None)),
        ~activations.c.bound,
        activations.c.blocked_at.is_(None),
        activations.c.released_at.is_(None),
        or_(activations.c.file_ends_at.is_(None), activations.c.file_ends_at <= now),
        activations.c.last_seen_at <= before,
    )


def _idle_of(
    license_id: LicenseId, before: datetime, now: datetime, in_use: Collection[str]
) -> tuple[ColumnElement[bool], ...]:
    return (
        activations.c.institution_id == license_id[0],
        activations.c.license_id == license_id[1],
        activations.c.hardware_id.not_in(in_use),
        is_idle(before, now),
    )


async def lock_idle(
    db: Connection,
    license_id: LicenseId,
    limit: int,
    *,
    before: datetime,
    now: datetime,
    in_use: Collection[str],
) -> list[Activation]:
    """Lock the devices that were not seen since `before`, longest unseen first, up to `limit`.

    One that is seen meanwhile is left out.
    """
    statement = (
        ACTIVATIONS.select(*_idle_of(license_id, before, now, in_use))
        .order_by(activations.c.last_seen_at, activations.c.id)
        .limit(limit)
        .with_for_update(of=activations)
    )
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


async def delete_lapsed(db: Connection, license_id: LicenseId, now: datetime) -> list[bool]:
    """Delete the released devices whose files have ended. Returns which of them held a seat."""
    statement = (
        delete(activations)
        .where(
            activations.c.institution_id == license_id[0],
            activations.c.license_id == license_id[1],
            activations.c.released_at.is_not(None),
            activations.c.file_ends_at <= now,
        )
        .returning(activations.c.holds_seat)
    )
    return list((await db.execute(statement)).scalars())


async def count_idle(
    db: Connection,
    license_id: LicenseId,
    *,
    before: datetime,
    now: datetime,
    in_use: Collection[str],
) -> int:
    """Count the devices that `lock_idle` would find."""
    statement = (
        select(func.count())
        .select_from(activations)
        .where(*_idle_of(license_id, before, now, in_use))
    )
    return (await db.execute(statement)).scalar_one()


async def fetch_seated(db: Connection, license_id: LicenseId, limit: int) -> list[Activation]:
    """Fetch devices that may use their seats, those first that were not seen for longest."""
    statement = (
        ACTIVATIONS.select(
            activations.c.institution_id == license_id[0],
            activations.c.license_id == license_id[1],
            has_status(ActivationStatus.ACTIVE),
        )
        .order_by(activations.c.last_seen_at, activations.c.id)
        .limit(limit)
    )
    return await ACTIVATIONS.all(db, statement)


async def list_activations(
    db: Connection,
    license_id: LicenseId,
    filters: DeviceFilter,
    *,
    paging: Paging,
    now: datetime,
) -> Listing[Activation]:
    """List the devices of a license at `now` that match."""
    of = (license_id[0], [license_id[1]])
    return await list_of_licenses(db, *of, filters, paging=paging, now=now)


async def list_of_licenses(
    db: Connection,
    institution_id: UUID,
    license_ids: Collection[UUID],
    filters: DeviceFilter,
    *,
    paging: Paging,
    now: datetime,
) -> Listing[Activation]:
    """List the devices of several licenses of an institution at `now` that match."""
    parts = None
    if (search := filters.search) is not None:
        parts = part_pattern(folded(search)), part_pattern(search.lower())
    about = (license_ids, filters.status, parts, now)
    return await ACTIVATIONS.page(db, [institution_id], paging, _on_licenses, *about)


def _on_licenses(
    license_ids: Collection[UUID],
    status: ActivationStatus | None,
    parts: tuple[str, str] | None,
    now: datetime,
) -> list[ColumnElement[bool]]:
    conditions = [activations.c.license_id.in_(license_ids), _has_not_lapsed_each(now)]
    if status is not None:
        conditions.append(has_status(status))
    if parts is not None:
        named, hardware = parts
        is_named = folded_column(activations.c.device_name).like(named)
        conditions.append(or_(is_named, func.lower(activations.c.hardware_id).like(hardware)))
    return conditions


def has_status(status: ActivationStatus) -> ColumnElement[bool]:
    """Return `Activation.status` as SQL."""
    blocked = activations.c.blocked_at.is_not(None)
    over_limit = activations.c.over_limit_at.is_not(None)
    released = activations.c.released_at.is_not(None)
    match status:
        case ActivationStatus.BLOCKED:
            return blocked
        case ActivationStatus.ACTIVE:
            return and_(~blocked, activations.c.holds_seat, ~released)
        case ActivationStatus.PENDING:
            return and_(~blocked, ~activations.c.holds_seat, ~over_limit)
        case ActivationStatus.OVER_LIMIT:
            return and_(~blocked, over_limit, ~released)
        case ActivationStatus.RELEASED:
            return released


async def count_by_status(
    db: Connection, visibility: Visibility, now: datetime
) -> dict[ActivationStatus, int]:
    return await _count_by_status(db, visibility, None, now)


async def count_of_license(
    db: Connection, license_id: LicenseId, now: datetime
) -> dict[ActivationStatus, int]:
    institution, number = license_id
    return await _count_by_status(db, Visibility((institution,)), number, now)


async def _count_by_status(
    db: Connection, visibility: Visibility, license_id: UUID | None, now: datetime
) -> dict[ActivationStatus, int]:
    row = (await db.execute(*_statuses(visibility, license_id, now))).one()
    return dict(zip(ActivationStatus, row, strict=True))


@kept
def _statuses(visibility: Visibility, license_id: UUID | None, now: datetime) -> Select[Any]:
    counts: list[Any] = [
        func.count().filter(has_status(status)).label(status.name) for status in ActivationStatus
    ]
    conditions = [
        visible_to(visibility, activations.c.institution_id, activations.c.product_id),
        has_not_lapsed(now),
    ]
    if license_id is not None:
        conditions.append(activations.c.license_id == license_id)
    return select(*counts).where(*conditions)


async def fetch_most_seats(
    db: Connection, visibility: Visibility, limit: int, now: datetime
) -> list[tuple[UUID, int]]:
    """Fetch the licenses with the most devices that hold a seat, and their numbers of devices."""
    holders = func.count().label("holders")
    statement = (
        select(activations.c.license_id, holders)
        .where(
            visible_to(visibility, activations.c.institution_id, activations.c.product_id),
            activations.c.holds_seat,
            has_not_lapsed(now),
        )
        .group_by(activations.c.license_id)
        .order_by(holders.desc(), activations.c.license_id)
        .limit(limit)
    )
    return [(row.license_id, row.holders) for row in await db.execute(statement)]


async def fetch_device(
    db: Connection, visibility: Visibility, activation_id: UUID, now: datetime
) -> list[Activation]:
    """Fetch the device with this activation."""
    statement = _visible(visibility, now).where(activations.c.id == activation_id)
    return await ACTIVATIONS.all(db, statement)


async def fetch_matching(
    db: Connection, visibility: Visibility, text: str, limit: int, now: datetime
) -> list[Activation]:
    """Fetch devices whose name or hardware ID begins with the text, up to `limit` of each kind."""
    return await ACTIVATIONS.all(
        db,
        *_named_like(visibility, SoughtDevice.of(text), limit, now),
    )


@kept
def _named_like(
    visibility: Visibility, sought: SoughtDevice, limit: int, now: datetime
) -> CompoundSelect[Any]:
    return named_like(_visible(visibility, now), activations, sought, limit)


def _visible(visibility: Visibility, now: datetime) -> Select[Any]:
    return ACTIVATIONS.select(
        visible_to(visibility, activations.c.institution_id, activations.c.product_id),
        _has_not_lapsed_each(now),
    )


async def count_by_version(
    db: Connection, visibility: Visibility, since: datetime, now: datetime
) -> list[VersionDevices]:
    """Count the visible devices that are active."""
    shared = (activations.c.institution_id, activations.c.product_id, activations.c.app_version)
    statement = (
        select(
            *shared,
            func.count().label("devices"),
            func.count().filter(activations.c.last_seen_at >= since).label("seen"),
        )
        .where(
            visible_to(visibility, activations.c.institution_id, activations.c.product_id),
            has_status(ActivationStatus.ACTIVE),
            has_not_lapsed(now),
        )
        .group_by(*shared)
    )
    return [VersionDevices(**row._mapping) for row in await db.execute(statement)]
