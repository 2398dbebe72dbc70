"""Heads of chains and their events, as they are stored, and the oldest, as they are archived."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Date,
    Select,
    and_,
    bindparam,
    cast,
    delete,
    func,
    null,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.events.rules.chain import Chain
from licet_server.events.rules.model import (
    INSTANCE,
    RecordedEvent,
    RecordedEventFilter,
    SealedEvent,
)
from licet_server.events.storage.reading import EVENTS, SEALED_EVENTS, TAKEN_BACK, of_kind
from licet_server.events.tables import audit_chains, event_days, events
from licet_server.events.tables import audit_chains as chains
from licet_server.kit.backlogs import Backlog, count_waiting
from licet_server.kit.database import Bytes, Connection, Id, Instant, array_parameter
from licet_server.kit.old_rows import INSTITUTIONS, deleted, gone, line_of, lines_of
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.statements import Arrays

_COLUMNS = (chains.c.institution_id, chains.c.id, chains.c.number, chains.c.seal, chains.c.mark)


async def fetch_times(db: Connection) -> tuple[datetime, datetime | None]:
    """Fetch the database's time, and that of the last seal, if a chain has begun."""
    statement = select(func.clock_timestamp(type_=Instant), func.max(chains.c.sealed_at))
    now, sealed_at = (await db.execute(statement)).one()
    return now, sealed_at


async def insert_chain(db: Connection, chain: Chain, secret: bytes, now: datetime) -> None:
    """Insert an empty chain, unless the institution has one."""
    statement = insert(chains).values(**asdict(chain), secret=secret, sealed_at=now)
    await db.execute(statement.on_conflict_do_nothing())


async def lock_chain(db: Connection, institution_id: UUID) -> tuple[Chain, bytes] | None:
    """Lock a chain until the transaction ends; returns it with its encrypted secret.

    Returns `None` if there is no chain, or another process is extending it.
    """
    return await _fetch(db, _of(institution_id).with_for_update(skip_locked=True))


async def hold_chain(db: Connection, institution_id: UUID) -> tuple[Chain, bytes] | None:
    """Lock a chain as `lock_chain` does, but wait for a process that is extending it."""
    return await _fetch(db, _of(institution_id).with_for_update())


async def fetch_chain(db: Connection, institution_id: UUID) -> tuple[Chain, bytes] | None:
    """Fetch a chain with its encrypted secret."""
    return await _fetch(db, _of(institution_id))


def _of(institution_id: UUID) -> Select[Any]:
    return select(*_COLUMNS, chains.c.secret).where(chains.c.institution_id == institution_id)


async def _fetch(db: Connection, statement: Select[Any]) -> tuple[Chain, bytes] | None:
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else (Chain(*row[:-1]), row.secret)


async def list_chained(db: Connection) -> list[UUID]:
    """List the institutions that have a chain, the instance included."""
    statement = select(chains.c.institution_id).order_by(chains.c.institution_id)
    return list((await db.execute(statement)).scalars())


async def find_chains(db: Connection, among: Collection[UUID]) -> set[UUID]:
    """Find the institutions, among these, that have a chain."""
    statement = select(chains.c.institution_id).where(chains.c.institution_id.in_(among))
    return set((await db.execute(statement)).scalars())


async def save_head(db: Connection, chain: Chain, now: datetime) -> None:
    """Store the new head of a chain."""
    await db.execute(
        update(chains)
        .where(chains.c.institution_id == chain.institution_id, chains.c.id == chain.id)
        .values(number=chain.number, seal=chain.seal, mark=chain.mark, sealed_at=now)
    )


async def fetch_chains(db: Connection) -> list[tuple[Chain, bytes]]:
    """Fetch every chain with its encrypted secret."""
    rows = await db.execute(select(*_COLUMNS, chains.c.secret).order_by(chains.c.institution_id))
    return [(Chain(*row[:-1]), row.secret) for row in rows]


async def claim_new_heads(db: Connection) -> list[Chain]:
    """Mark the heads that have moved since they were anchored as anchored, and return them.

    A head that another process has claimed and not committed yet is left out.
    """
    moved = (
        select(chains.c.institution_id)
        .where(chains.c.number > chains.c.anchored)
        .with_for_update(skip_locked=True)
    )
    statement = (
        update(chains)
        .where(chains.c.institution_id.in_(moved))
        .values(anchored=chains.c.number)
        .returning(*_COLUMNS)
    )
    return [Chain(*row) for row in await db.execute(statement)]


_UNSEALED = and_(events.c.seal_number.is_(None), events.c.permanent)
_SEALED = Arrays("sealed", institution_id=Id, id=Id, number=BigInteger, seal=Bytes, salt=Bytes)
_SEAL = (
    update(events)
    .where(
        _SEALED.same(events, "institution_id", "id"),
        events.c.seal_number.is_(None),
    )
    # What is not sealed has no erasure; one that a row has all the same would forbid the salt.
    .values(seal_number=_SEALED.c.number, seal=_SEALED.c.seal, salt=_SEALED.c.salt, erasure=null())
)


async def list_events(
    db: Connection, institution_id: UUID, chosen: RecordedEventFilter, paging: Paging
) -> Listing[SealedEvent]:
    """List the permanent events of an institution that match the filters."""
    kind, family = of_kind(chosen.kind)
    about = (replace(chosen, kind=kind), family)
    return await SEALED_EVENTS.page(db, institution_id, paging, _matching, *about)


def _matching(chosen: RecordedEventFilter, family: str | None) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [events.c.permanent]
    if family is not None:
        conditions.append(events.c.kind.like(family))
    if chosen.kind is not None:
        conditions.append(events.c.kind == chosen.kind)
    if chosen.actor_id is not None:
        conditions.append(events.c.actor_id == chosen.actor_id)
    if chosen.subject_id is not None:
        conditions.append(events.c.subject_id == chosen.subject_id)
    if chosen.since is not None:
        conditions.append(events.c.occurred_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(events.c.occurred_at < chosen.until)
    return conditions


async def find_institutions(db: Connection, *, sealed: bool) -> list[UUID]:
    """Find the institutions that have sealed, or unsealed, events."""
    state = events.c.seal_number.is_not(None) if sealed else _UNSEALED
    statement = select(events.c.institution_id).distinct().where(state)
    return list((await db.execute(statement)).scalars())


async def count_unsealed(db: Connection) -> Backlog:
    """Count events that have no place in a chain."""
    waiting = (
        select(events.c.occurred_at).where(_UNSEALED).order_by(events.c.institution_id, events.c.id)
    )
    return await count_waiting(db, waiting)


async def fetch_unsealed(db: Connection, institution_id: UUID, limit: int) -> list[RecordedEvent]:
    """Fetch the oldest events of an institution that have no place in its chain."""
    statement = (
        EVENTS.select(events.c.institution_id == institution_id, _UNSEALED)
        .order_by(events.c.id)
        .limit(limit)
    )
    return await EVENTS.all(db, statement)


async def save_seals(
    db: Connection, sealed: Sequence[tuple[RecordedEvent, int, bytes, bytes]]
) -> None:
    """Store the places, seals and salts of events that have none."""
    rows = [(event.institution_id, event.id, *rest) for event, *rest in sealed]
    await db.execute(_SEAL, _SEALED.given(rows))


async def fetch_sealed(
    db: Connection, institution_id: UUID, after: int, limit: int
) -> list[SealedEvent]:
    """Fetch the events whose numbers follow `after`, in the order of the chain."""
    statement = (
        SEALED_EVENTS.select(
            events.c.institution_id == institution_id, events.c.seal_number > after
        )
        .order_by(events.c.seal_number)
        .limit(limit)
    )
    return await SEALED_EVENTS.all(db, statement)


_NUMBERS = Arrays("archived", institution_id=Id, number=BigInteger)
_LINE = line_of(events)


@dataclass(frozen=True, slots=True)
class ArchivableEvent:
    """An event as JSON, its place in the chain, and its time."""

    number: int
    at: datetime
    line: str


_FIRST = (
    select(events.c.seal_number, events.c.occurred_at)
    .where(
        events.c.institution_id == INSTITUTIONS.c.institution_id,
        events.c.seal_number > 0,
    )
    .order_by(events.c.seal_number)
    .limit(1)
    .lateral("first")
)
# Numbers have no gaps, so one look-up tells whether there are enough events.
_ENOUGH = (
    select(events.c.seal_number)
    .where(
        events.c.institution_id == INSTITUTIONS.c.institution_id,
        events.c.seal_number == _FIRST.c.seal_number + bindparam("rows", type_=BigInteger),
        events.c.occurred_at < bindparam("before", type_=Instant),
    )
    .exists()
)
_DUE = (
    select(INSTITUTIONS.c.institution_id)
    .select_from(INSTITUTIONS.table.join(_FIRST, true()))
    .where(or_(_FIRST.c.occurred_at < bindparam("overdue", type_=Instant), _ENOUGH))
)


async def find_due(
    db: Connection, institution_ids: Sequence[UUID], before: datetime, overdue: datetime, rows: int
) -> list[UUID]:
    """Find the chains that begin with `rows` events from before `before`, or one `overdue`."""
    given = INSTITUTIONS.given([(item,) for item in institution_ids])
    values = {**given, "before": before, "overdue": overdue, "rows": rows - 1}
    return list((await db.execute(_DUE, values)).scalars())


async def fetch_oldest(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivableEvent]:
    """Fetch the first events of a chain, up to one that is not old, not dispatched, or the head.

    The head is left out, so that the table always has an event of each chain.
    """
    head = (
        select(audit_chains.c.number)
        .where(audit_chains.c.institution_id == institution_id)
        .scalar_subquery()
    )
    statement = (
        select(events.c.seal_number, events.c.occurred_at, events.c.dispatched, _LINE)
        .where(
            events.c.institution_id == institution_id,
            events.c.seal_number > 0,
            events.c.seal_number < head,
        )
        .order_by(events.c.seal_number)
        .limit(limit)
    )
    rows = (await db.execute(statement)).all()
    due = takewhile(lambda row: row.dispatched and row.occurred_at < before, rows)
    return [ArchivableEvent(row.seal_number, row.occurred_at, row.line) for row in due]


_GONE = deleted(
    delete(events).where(
        events.c.institution_id == _NUMBERS.c.institution_id,
        events.c.seal_number == _NUMBERS.c.number,
    )
)
_OF_DAY = (
    select(
        gone(events.c.institution_id).label("institution_id"),
        cast(func.timezone("UTC", gone(events.c.occurred_at)), Date).label("day"),
        func.coalesce(gone(events.c.product_id), INSTANCE).label("product_id"),
        gone(events.c.kind).label("kind"),
    )
    .select_from(_GONE)
    .where(gone(events.c.seal_number) != func.all(array_parameter("uncounted", BigInteger)))
    .subquery("of_day")
)
_KEY = ("institution_id", "day", "product_id", "kind")
_ON = [_OF_DAY.c[name] for name in _KEY]
_COUNTED = upsert(event_days).from_select(
    [*_KEY, "number"],
    select(*_ON, func.count()).group_by(*_ON).order_by(*_ON),
)
_COUNT = _COUNTED.on_conflict_do_update(
    index_elements=_KEY, set_={"number": event_days.c.number + _COUNTED.excluded.number}
).cte("counted")
_UNCOUNTED = (
    select(events.c.seal_number)
    .distinct()
    .select_from(TAKEN_BACK)
    .join(
        _NUMBERS.table,
        and_(
            events.c.institution_id == _NUMBERS.c.institution_id,
            events.c.seal_number == _NUMBERS.c.number,
        ),
    )
)
_REMOVE = lines_of(_GONE).add_cte(_COUNT)


async def remove(db: Connection, institution_id: UUID, numbers: Sequence[int]) -> list[str]:
    """Delete the events at these places of a chain, and return them as JSON.

    They are counted by day, without those that were taken back.
    """
    given = _NUMBERS.given([(institution_id, number) for number in numbers])
    uncounted = list((await db.execute(_UNCOUNTED, given)).scalars())
    return list((await db.execute(_REMOVE, {**given, "uncounted": uncounted})).scalars())
