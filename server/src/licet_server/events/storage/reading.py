"""Queries of events: by ID, in lists, the newest first, and counted by day."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import (
    ColumnElement,
    Date,
    DateTime,
    Select,
    and_,
    case,
    cast,
    func,
    or_,
    select,
    true,
    union_all,
)

from licet_server.events.rules.kinds import TAKEN_BACK_BY, EventKind
from licet_server.events.rules.model import Erasure, RecordedEvent, SealedEvent
from licet_server.events.tables import event_days, events
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.ids import least_id
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays, visible_to
from licet_server.kit.text import start_pattern
from licet_server.kit.visibility import Visibility

_JSON = {
    name: cast(events.c[name.removesuffix("_json")], String)
    for name in ("data_json", "changes_json")
}
_SORTABLE = {"occurredAt": events.c.id}  # UUIDv7: in the order of time


_erasure = msgspec.json.Decoder(Erasure)
_NONE_OF_OURS = Erasure(digests={}, salts={})
"""Stands for an erasure that the service did not write: its mark fits no event."""


def _of_institution(institution_id: UUID) -> ColumnElement[bool]:
    return events.c.institution_id == institution_id


def _erasure_of(stored: str | None) -> Erasure | None:
    try:
        return None if stored is None else _erasure.decode(stored)
    except (msgspec.MsgspecError, RecursionError):
        return _NONE_OF_OURS


class _SealedRows(Rows[SealedEvent, UUID]):
    """Reads erasures from text, so that one in a form of its own does not stop the reading."""

    def item_of(self, stored: Mapping[str, Any]) -> SealedEvent:
        read = {**stored, "erasure": _erasure_of(stored["erasure"])}
        return msgspec.convert(read, SealedEvent)


EVENTS = Rows(events, RecordedEvent, _of_institution, computed=_JSON, sortable=_SORTABLE)
SEALED_EVENTS = _SealedRows(
    events,
    SealedEvent,
    _of_institution,
    computed={**_JSON, "erasure": cast(events.c.erasure, String)},
    sortable=_SORTABLE,
)


_KEYS = Arrays("wanted", institution_id=Id, id=Id)
_BY_KEYS = EVENTS.select(_KEYS.same(events, "institution_id", "id"))
_PRODUCTS = Arrays("wanted", product_id=Id)
_LATER = Arrays("later", institution_id=Id, subject_id=Id, kind=String, id=Id)


async def fetch_events(
    db: Connection, keys: Iterable[tuple[UUID, UUID]]
) -> dict[UUID, RecordedEvent]:
    """Fetch events by institution and ID; missing ones are omitted."""
    found = [EVENTS.item(row) for row in await db.execute(_BY_KEYS, _KEYS.given(keys))]
    return {item.id: item for item in found}


async def list_subjects(db: Connection, institution_id: UUID, kind: str) -> list[UUID]:
    """List the subjects of an institution's events of one kind."""
    statement = select(events.c.subject_id).distinct()
    statement = statement.where(events.c.institution_id == institution_id, events.c.kind == kind)
    return list((await db.execute(statement)).scalars())


async def fetch_recorded(
    db: Connection,
    institution_id: UUID,
    kind: str,
    subject_ids: Collection[UUID],
    sealed_until: int,
) -> list[RecordedEvent]:
    """Fetch events of a kind about these subjects that were not sealed at the given number."""
    if not subject_ids:
        return []
    statement = EVENTS.select(
        events.c.institution_id == institution_id,
        events.c.subject_id.in_(subject_ids),
        events.c.kind == kind,
        or_(events.c.seal_number.is_(None), events.c.seal_number > sealed_until),
    )
    return await EVENTS.all(db, statement)


async def list_license_events(
    db: Connection,
    institution_id: UUID,
    license_id: UUID,
    without: Collection[str],
    kind: str | None,
    paging: Paging,
) -> Listing[RecordedEvent]:
    """List the events that concern a license, its devices, sessions and wallet as well.

    Some families of kinds are left out. `kind` is the only one, or a family such as `license.*`.
    """
    exact, family = of_kind(kind)
    about = (license_id, _kinds_of(without), exact, family)
    return await EVENTS.page(db, institution_id, paging, _of_license, *about)


def of_kind(kind: str | None) -> tuple[str | None, str | None]:
    """Return a kind as it is, or the pattern of a family of kinds."""
    if kind is not None and kind.endswith("*"):
        return None, start_pattern(kind.removesuffix("*"))
    return kind, None


def _of_license(
    license_id: UUID, without: Collection[str], kind: str | None, family: str | None
) -> list[ColumnElement[bool]]:
    found = [events.c.license_id == license_id, *_except(without)]
    if kind is not None:
        found.append(events.c.kind == kind)
    if family is not None:
        found.append(events.c.kind.like(family))
    return found


async def fetch_latest(
    db: Connection, institution_id: UUID, license_id: UUID, kind: str, before: UUID | None = None
) -> RecordedEvent | None:
    """Fetch the latest event of a kind about a license, or the latest before another event."""
    conditions = [
        events.c.institution_id == institution_id,
        events.c.license_id == license_id,
        events.c.kind == kind,
    ]
    if before is not None:
        conditions.append(events.c.id < before)
    statement = EVENTS.select(*conditions).order_by(events.c.id.desc()).limit(1)
    found = await EVENTS.all(db, statement)
    return found[0] if found else None


async def fetch_of_request(
    db: Connection,
    visibility: Visibility,
    request_id: str,
    kinds: Collection[str],
    since: datetime,
) -> list[RecordedEvent]:
    """Fetch the visible events of these kinds that a request recorded since an instant."""
    statement = EVENTS.select(
        visible_to(visibility, events.c.institution_id, events.c.product_id),
        events.c.kind.in_(kinds),
        events.c.occurred_at >= since,
        events.c.request_id == request_id,
    )
    return await EVENTS.all(db, statement.order_by(events.c.id))


async def fetch_latest_before(
    db: Connection, later: Iterable[tuple[RecordedEvent, EventKind]]
) -> dict[UUID, RecordedEvent]:
    """Fetch the latest event of a kind about the subject of each event, before that event.

    They are by the IDs of the later events. One look-up in an index for each.
    """
    before = (
        EVENTS.select(
            _LATER.same(events, "institution_id", "subject_id"),
            events.c.kind == _LATER.c.kind,
            events.c.id < _LATER.c.id,
        )
        .order_by(events.c.id.desc())
        .limit(1)
        .lateral("before")
    )
    statement = select(_LATER.c.id.label("later_id"), before).select_from(
        _LATER.table.join(before, true())
    )
    given = _LATER.given([(it.institution_id, it.subject_id, kind, it.id) for it, kind in later])
    return {row.later_id: EVENTS.item(row) for row in await db.execute(statement, given)}


async def fetch_ids_of_licenses(
    db: Connection,
    institution_id: UUID,
    license_ids: Collection[UUID],
    since: datetime,
    limit: int,
) -> list[UUID]:
    """Fetch the IDs of events that concern these licenses, the newest since an instant."""
    statement = (
        select(events.c.id)
        .where(
            events.c.institution_id == institution_id,
            events.c.license_id.in_(license_ids),
            events.c.id >= least_id(since),
        )
        .order_by(events.c.id.desc())
        .limit(limit)
    )
    return list((await db.execute(statement)).scalars())


async def list_clock_events(
    db: Connection,
    institution_id: UUID,
    product_id: UUID,
    begun_at: datetime,
    between: tuple[datetime | None, datetime | None],
    without: Collection[str],
    paging: Paging,
) -> Listing[RecordedEvent]:
    """List what happened to a product by a test clock that began at an instant of real time.

    `between` are instants of the clock, the second one not included. Some families of kinds are
    left out.
    """
    about = (product_id, begun_at, *between, _kinds_of(without))
    return await EVENTS.page(db, institution_id, paging, _by_clock, *about)


_clock = cast(events.c.data["clock"].astext, Instant)


def _by_clock(
    product_id: UUID,
    begun_at: datetime,
    since: datetime | None,
    until: datetime | None,
    without: Collection[str],
) -> list[ColumnElement[bool]]:
    found = [
        events.c.product_id == product_id,
        events.c.occurred_at >= begun_at,
        events.c.data.has_key("clock"),
    ]
    if since is not None:
        found.append(_clock >= since)
    if until is not None:
        found.append(_clock < until)
    return [*found, *_except(without)]


async def list_subject_events(
    db: Connection,
    institution_id: UUID,
    subject_id: UUID,
    license_ids: Collection[UUID],
    without: Collection[str],
    paging: Paging,
) -> Listing[RecordedEvent]:
    """List the events about a subject or these licenses, without some families of kinds."""
    about = (subject_id, license_ids, _kinds_of(without))
    return await EVENTS.page(db, institution_id, paging, _concerning, *about)


def _concerning(
    subject_id: UUID, license_ids: Collection[UUID], without: Collection[str]
) -> list[ColumnElement[bool]]:
    concerned = or_(events.c.subject_id == subject_id, events.c.license_id.in_(license_ids))
    return [concerned, *_except(without)]


async def fetch_newest(
    db: Connection, institution_id: UUID, without: Collection[str], limit: int
) -> list[RecordedEvent]:
    """Fetch the newest events of an institution, newest first, without some families of kinds."""
    statement = (
        EVENTS.select(events.c.institution_id == institution_id, *_except(_kinds_of(without)))
        .order_by(events.c.id.desc())
        .limit(limit)
    )
    return await EVENTS.all(db, statement)


async def fetch_newest_of_products(
    db: Connection,
    institution_id: UUID,
    product_ids: Sequence[UUID],
    without: Collection[str],
    limit: int,
) -> list[RecordedEvent]:
    """Fetch the newest events of some products, newest first, without some families of kinds.

    Reads `limit` events of each product from an index that begins with the product. In the order of
    IDs, the primary key would be scanned back until enough events of a rare product were found.
    """
    of_product = (
        EVENTS.select(
            events.c.institution_id == institution_id,
            events.c.product_id == _PRODUCTS.c.product_id,
            *_except(_kinds_of(without)),
        )
        .order_by(events.c.occurred_at.desc(), events.c.id.desc())
        .limit(limit)
        .lateral("of_product")
    )
    statement = (
        select(of_product)
        .select_from(_PRODUCTS.table.join(of_product, true()))
        .order_by(of_product.c.occurred_at.desc(), of_product.c.id.desc())
        .limit(limit)
    )
    given = _PRODUCTS.given([(item,) for item in product_ids])
    return [EVENTS.item(row) for row in await db.execute(statement, given)]


def _kinds_of(families: Collection[str]) -> list[str]:
    return [start_pattern(f"{family}.") for family in sorted(families)]


def _except(kinds: Collection[str]) -> list[ColumnElement[bool]]:
    return [~events.c.kind.like(pattern) for pattern in kinds]


_later = events.alias("later")
_field = case(TAKEN_BACK_BY, value=events.c.kind)
_turned, _back = (item.c.changes.op("->")(_field) for item in (events, _later))
TAKEN_BACK = events.join(
    _later,
    and_(
        _later.c.institution_id == events.c.institution_id,
        _later.c.subject_id == events.c.subject_id,
        _later.c.id > events.c.id,
        events.c.kind.in_(TAKEN_BACK_BY),
        _back.op("->")(0) == _turned.op("->")(1),
        _back.op("->")(1) == _turned.op("->")(0),
    ),
)
"""The events that were taken back, once for each later event that did so. A join on the key of the
institution, since a database that is spread does not take each condition that says the same."""


async def count_by_day(
    db: Connection,
    visibility: Visibility,
    kinds: Sequence[str],
    *,
    since: datetime,
    until: datetime,
) -> dict[tuple[date, str], int]:
    """Count the visible events of each kind on each UTC day in `[since, until)`.

    Archived events count on the days that begin in this time. What was taken back does not count.
    """
    counted = _numbers(visibility, kinds, since, until, since.date(), until.date())
    return {(row.day, row.kind): int(row.number) for row in await db.execute(*counted)}


@kept
def _numbers(
    visibility: Visibility,
    kinds: Sequence[str],
    since: datetime,
    until: datetime,
    first: date,
    last: date,
) -> Select[Any]:
    day = cast(func.timezone("UTC", events.c.occurred_at), Date).label("day")
    conditions = (
        visible_to(visibility, events.c.institution_id, events.c.product_id),
        events.c.kind.in_(kinds),
        events.c.occurred_at >= since,
        events.c.occurred_at < until,
    )
    by_day = (day, events.c.kind)
    parts = [
        select(*by_day, func.count().label("number")).where(*conditions).group_by(*by_day),
    ]
    if TAKEN_BACK_BY.keys() & set(kinds):
        less = (-func.count(events.c.id.distinct())).label("number")
        taken_back = select(*by_day, less).select_from(TAKEN_BACK)
        parts.append(taken_back.where(*conditions).group_by(*by_day))
    begins = func.timezone("UTC", cast(event_days.c.day, DateTime))
    archived = select(event_days.c.day, event_days.c.kind, event_days.c.number).where(
        visible_to(visibility, event_days.c.institution_id, event_days.c.product_id),
        event_days.c.kind.in_(kinds),
        event_days.c.day.between(first, last),
        begins >= since,
        begins < until,
    )
    found = union_all(*parts, archived).subquery("found")
    return select(found.c.day, found.c.kind, func.sum(found.c.number).label("number")).group_by(
        found.c.day, found.c.kind
    )


async def find_latest_of_licenses(
    db: Connection, visibility: Visibility, kinds: Sequence[str], since: datetime, limit: int
) -> dict[UUID, datetime]:
    """Return the licenses with a visible event of these kinds since then, the latest first."""
    found = await db.execute(*_latest_of_licenses(visibility, kinds, since, limit))
    return {row.license_id: row.latest for row in found}


@kept
def _latest_of_licenses(
    visibility: Visibility, kinds: Sequence[str], since: datetime, limit: int
) -> Select[Any]:
    latest = func.max(events.c.occurred_at).label("latest")
    return (
        select(events.c.license_id, latest)
        .where(
            visible_to(visibility, events.c.institution_id, events.c.product_id),
            events.c.kind.in_(kinds),
            events.c.occurred_at >= since,
            events.c.license_id.is_not(None),
        )
        .group_by(events.c.license_id)
        .order_by(latest.desc())
        .limit(limit)
    )


async def count_since(
    db: Connection, institution_id: UUID, subject_id: UUID, kind: str, since: datetime
) -> int:
    """Count the events of a kind about a subject, after an instant."""
    statement = select(func.count()).where(
        events.c.institution_id == institution_id,
        events.c.subject_id == subject_id,
        events.c.kind == kind,
        events.c.occurred_at > since,
    )
    return int((await db.execute(statement)).scalar_one())
