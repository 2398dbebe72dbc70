"""Records what happens to an account, in every institution that the person belongs to."""

from dataclasses import replace
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_events
from licet_server.identity.storage.users import fetch_memberships
from licet_server.kit.unit_of_work import UnitOfWork


async def tell(work: UnitOfWork, kind: EventKind, user_id: UUID, email: str) -> None:
    """Record an event that the person himself caused, in the transaction of the change."""
    await tell_of(by_himself(work, user_id, email), kind, user_id, email)


async def tell_of(work: UnitOfWork, kind: EventKind, user_id: UUID, email: str) -> None:
    """Record an event that whoever the work is done for caused to the person."""
    data = {"id": user_id, "email": email}
    memberships = await fetch_memberships(work.db, user_id)
    events = [Event(kind, held.institution_id, user_id, data) for held in memberships]
    await record_events(work, events)


def by_himself(work: UnitOfWork, user_id: UUID, email: str) -> UnitOfWork:
    """The same work as done by that person, who was not signed in when it began."""
    origin = replace(work.origin, actor_kind="User", actor_id=user_id, actor_name=email)
    return replace(work, origin=origin)
