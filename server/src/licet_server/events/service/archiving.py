"""Old events of the chains, for the archives that they move to."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.events.storage import archiving
from licet_server.events.storage.archiving import ArchivableEvent
from licet_server.kit.database import Connection


async def find_due(
    db: Connection, institution_ids: Sequence[UUID], before: datetime, overdue: datetime, rows: int
) -> list[UUID]:
    """Find the chains that begin with so many events from before `before`, or one `overdue`."""
    return await archiving.find_due(db, institution_ids, before, overdue, rows)


async def fetch_oldest(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivableEvent]:
    """Fetch the events that a chain begins with, as far as they were dispatched and are older.

    The head of the chain is left out, so that the table always has an event of each chain.
    """
    return await archiving.fetch_oldest(db, institution_id, before, limit)


async def remove(db: Connection, institution_id: UUID, numbers: Sequence[int]) -> list[str]:
    """Delete the events at these places of a chain, count them by day, and return them as JSON."""
    return await archiving.remove(db, institution_id, numbers)
