"""Records domain events in the transaction of the change that they describe."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.storage import recording
from licet_server.kit.unit_of_work import UnitOfWork


async def record_event(
    work: UnitOfWork,
    kind: EventKind,
    *,
    institution_id: UUID,
    subject_id: UUID,
    data: Mapping[str, object],
    product_id: UUID | None = None,
    changes: Mapping[str, object] | None = None,
) -> UUID:
    """Record one event, which commits with the change or not at all; returns its id."""
    event = Event(kind, institution_id, subject_id, data, product_id, changes)
    return await recording.record(work.db, event, work.origin, work.now)


async def record_events(work: UnitOfWork, events: Sequence[Event]) -> None:
    """Record events of one origin in one round trip."""
    await recording.record_many(work.db, [(event, work.origin) for event in events], work.now)
