"""Records what happens to an account, in every institution that the person belongs to."""

from dataclasses import replace
from uuid import UUID

from licet_server.accounts import storage
from licet_server.kit.events import Event, record_many
from licet_server.kit.work import Work


async def tell(work: Work, kind: str, user_id: UUID, email: str) -> None:
    """Record an event that the person himself caused, in the transaction of the change."""
    origin = replace(work.origin, actor_kind="User", actor_id=user_id, actor_name=email)
    data = {"id": user_id, "email": email}
    memberships = await storage.fetch_memberships(work.db, user_id)
    events = [Event(kind, held.institution_id, user_id, data) for held in memberships]
    await record_many(work.db, [(event, origin) for event in events], work.now)
