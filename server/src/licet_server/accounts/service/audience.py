"""Who in institutions is told of what, for features that write to people."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from licet_server.accounts.storage import audience as storage
from licet_server.kit.database import Connection


async def list_reminder_days(db: Connection) -> Mapping[UUID, Sequence[int]]:
    """How many days before the end of a term each institution wants to be reminded."""
    return await storage.fetch_reminder_days(db)
