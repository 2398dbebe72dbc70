"""Finds the events that may have personal data of someone, and stores what is left of them."""

from collections.abc import Collection, Sequence
from operator import attrgetter
from uuid import UUID

from sqlalchemy import ColumnElement, and_, cast, func, or_, select, update
from sqlalchemy.dialects.postgresql import JSONB

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE, SealedEvent
from licet_server.events.rules.personal_data import Traces, as_written
from licet_server.events.storage.reading import SEALED_EVENTS
from licet_server.events.tables import events
from licet_server.kit.database import Bytes, Connection, Id, String
from licet_server.kit.statements import Arrays

_LEFT = Arrays(
    "remaining",
    institution_id=Id,
    id=Id,
    subject_name=String,
    actor_name=String,
    ip_address=String,
    data=String,
    changes=String,
    salt=Bytes,
    erasure=String,
)
_JSON = ("data", "changes", "erasure")
_STORED = {
    item.name: cast(item, JSONB) if item.name in _JSON else item for item in list(_LEFT.c)[2:]
}
_SAVE = update(events).where(_LEFT.same(events, "institution_id", "id")).values(_STORED)
_NAMES = [item.name for item in _LEFT.c]
_values_of = attrgetter(*(f"{name}_json" if name in _JSON else name for name in _NAMES))


async def find_boundary(
    db: Connection, institution_id: UUID, after: UUID, rows: int
) -> UUID | None:
    """Find the ID of the last of so many events; `None` if there are fewer.

    A person can be named anywhere, so all events are looked through, this many at a time.
    """
    statement = (
        select(events.c.id)
        .where(events.c.institution_id == institution_id, events.c.id > after)
        .order_by(events.c.id)
        .offset(rows - 1)
        .limit(1)
    )
    found: UUID | None = (await db.execute(statement)).scalar_one_or_none()
    return found


async def find_events(
    db: Connection, institution_id: UUID, traces: Traces, after: UUID, until: UUID | None
) -> list[SealedEvent]:
    """Find the events of an institution that may be about a person, oldest first."""
    condition = and_(events.c.institution_id == institution_id, _leads_to(traces))
    return await _between(db, condition, after, until)


async def find_copies(
    db: Connection, institution_id: UUID, traces: Traces, after: UUID, until: UUID | None
) -> list[SealedEvent]:
    """Find the copies of such events that the instance has recorded for itself."""
    condition = and_(
        events.c.institution_id == INSTANCE,
        events.c.data["institutionId"].astext == str(institution_id),
        or_(
            _leads_to(traces),
            events.c.data["licenseId"].astext.in_([str(item) for item in traces.license_ids]),
        ),
    )
    return await _between(db, condition, after, until)


async def _between(
    db: Connection, condition: ColumnElement[bool], after: UUID, until: UUID | None
) -> list[SealedEvent]:
    statement = SEALED_EVENTS.select(condition, events.c.id > after)
    if until is not None:
        statement = statement.where(events.c.id <= until)
    found = await db.execute(statement.order_by(events.c.id))
    return [SEALED_EVENTS.item(row) for row in found]


def _leads_to(traces: Traces) -> ColumnElement[bool]:
    said = func.lower(
        func.concat(cast(events.c.data, String), cast(events.c.changes, String), type_=String)
    )
    addressed = [func.strpos(said, as_written(item)) > 0 for item in traces.addresses]
    return or_(
        events.c.license_id.in_(traces.license_ids),
        events.c.subject_id.in_(traces.license_ids | traces.subject_ids),
        and_(events.c.actor_id.is_not(None), events.c.actor_id.in_(traces.user_ids)),
        *addressed,
    )


async def find_deleted_licenses(
    db: Connection, institution_id: UUID, names: Collection[str]
) -> dict[UUID, str]:
    """Find the deleted licenses that were issued to one of these names, in lower case."""
    receiver = func.lower(events.c.data["issuedTo"].astext)
    statement = select(events.c.subject_id, receiver.label("receiver")).where(
        events.c.institution_id == institution_id,
        events.c.kind == EventKind.LICENSE_DELETED,
        receiver.in_(names),
    )
    return {row.subject_id: row.receiver for row in await db.execute(statement)}


async def save_left(db: Connection, left: Sequence[SealedEvent]) -> None:
    """Store what is left of events of which something was erased."""
    await db.execute(_SAVE, _LEFT.given(map(_values_of, left)))
