"""Heads of chains, as they are stored."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, Select, and_, func, null, select, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.events.rules.chain import Chain
from licet_server.events.rules.model import RecordedEvent, RecordedEventFilter, SealedEvent
from licet_server.events.storage.reading import EVENTS, SEALED_EVENTS
from licet_server.events.tables import audit_chains as chains
from licet_server.events.tables import events
from licet_server.kit.backlogs import Backlog, count_waiting
from licet_server.kit.database import Bytes, Connection, Id, Instant
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.statements import Arrays
from licet_server.kit.text import start_pattern

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
    family = None
    if chosen.kind is not None and chosen.kind.endswith("*"):
        family = start_pattern(chosen.kind.removesuffix("*"))
        chosen = replace(chosen, kind=None)
    about = (chosen, family)
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
