"""The seals of events: their places in the chain of the audit log."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, and_, select, update

from licet_server.events.rules.model import RecordedEvent, RecordedEventFilter, SealedEvent
from licet_server.events.storage.rows import EVENTS, SEALED_EVENTS
from licet_server.events.tables import events
from licet_server.kit.arrays import Arrays
from licet_server.kit.backlogs import Backlog, count_waiting
from licet_server.kit.database import Bytes, Connection, Id
from licet_server.kit.paging import Listing, Paging

_UNSEALED = and_(events.c.seal_number.is_(None), events.c.permanent)
_SEALED = Arrays("sealed", institution_id=Id, id=Id, number=BigInteger, seal=Bytes, salt=Bytes)
_SEAL = (
    update(events)
    .where(
        events.c.institution_id == _SEALED.c.institution_id,
        events.c.id == _SEALED.c.id,
        events.c.seal_number.is_(None),
    )
    .values(seal_number=_SEALED.c.number, seal=_SEALED.c.seal, salt=_SEALED.c.salt)
)


async def list_events(
    db: Connection, institution_id: UUID, chosen: RecordedEventFilter, paging: Paging
) -> Listing[SealedEvent]:
    """List the permanent events of an institution that match the filters."""
    conditions: list[ColumnElement[bool]] = [events.c.permanent]
    if chosen.kind is not None and chosen.kind.endswith("*"):
        start = chosen.kind.removesuffix("*")
        conditions.append(events.c.kind.startswith(start, autoescape=True))
    elif chosen.kind is not None:
        conditions.append(events.c.kind == chosen.kind)
    if chosen.actor_id is not None:
        conditions.append(events.c.actor_id == chosen.actor_id)
    if chosen.subject_id is not None:
        conditions.append(events.c.subject_id == chosen.subject_id)
    if chosen.since is not None:
        conditions.append(events.c.occurred_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(events.c.occurred_at < chosen.until)
    return await SEALED_EVENTS.page(db, institution_id, paging, *conditions)


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
