"""Whom products were offered to by e-mail."""

from collections.abc import Collection
from uuid import UUID

from licet_server.catalog.storage import persons as storage
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork


async def is_invited(db: Connection, institution_id: UUID, emails: Collection[str]) -> bool:
    """Tell whether an institution was invited by one of these addresses and has not accepted."""
    return await storage.is_invited(db, institution_id, emails)


async def invited_elsewhere(
    db: Connection, institution_id: UUID, emails: Collection[str]
) -> set[str]:
    """Return those of these addresses that another institution has invited."""
    return await storage.fetch_invited_elsewhere(db, institution_id, emails)


async def erase_invitations(work: UnitOfWork, institution_id: UUID, emails: Collection[str]) -> int:
    """Replace these addresses in the invitations of an institution, none of which is open."""
    return await storage.erase_invitations(work.db, institution_id, emails)
