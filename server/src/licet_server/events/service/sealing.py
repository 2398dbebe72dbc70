"""The places of events in the chain of the audit log, which computes and checks the seals."""

from collections.abc import Sequence
from uuid import UUID

from licet_server.events.rules.model import RecordedEvent, SealedEvent
from licet_server.events.storage import seals
from licet_server.kit.database import Connection


async def find_institutions(db: Connection, *, sealed: bool) -> list[UUID]:
    """Find the institutions that have sealed, or unsealed, events."""
    return await seals.find_institutions(db, sealed=sealed)


async def find_existing_institutions(db: Connection, among: Sequence[UUID]) -> list[UUID]:
    """Find the institutions, among these, that have events."""
    return await seals.find_existing_institutions(db, among)


async def fetch_unsealed(db: Connection, institution_id: UUID, limit: int) -> list[RecordedEvent]:
    """Fetch the oldest events of an institution that have no place in its chain."""
    return await seals.fetch_unsealed(db, institution_id, limit)


async def save_seals(db: Connection, sealed: Sequence[tuple[RecordedEvent, int, bytes]]) -> None:
    """Store the places and seals of events that have none."""
    await seals.save_seals(db, sealed)


async def fetch_sealed(
    db: Connection, institution_id: UUID, after: int, limit: int
) -> list[SealedEvent]:
    """Fetch the events whose numbers follow `after`, in the order of the chain."""
    return await seals.fetch_sealed(db, institution_id, after, limit)
