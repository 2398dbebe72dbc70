"""What an institution has to do with a person apart from licenses."""

from collections.abc import Collection
from uuid import UUID

from licet_server.institutions.storage import persons as storage
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork


async def institutions_of(db: Connection, user_ids: Collection[UUID]) -> set[UUID]:
    """Return the institutions that these users are members of."""
    return await storage.fetch_institutions(db, user_ids)


async def member_emails(db: Connection, institution_id: UUID) -> set[str]:
    """Return the addresses of the members of an institution, in lower case."""
    return await storage.fetch_member_emails(db, institution_id)


async def is_invited(db: Connection, institution_id: UUID, emails: Collection[str]) -> bool:
    """Check whether one of these addresses, in lower case, has an open invitation."""
    return await storage.is_invited(db, institution_id, emails)


async def invited_elsewhere(
    db: Connection, institution_id: UUID, emails: Collection[str]
) -> set[str]:
    """Return those of these addresses, in lower case, that another institution has invited."""
    return await storage.fetch_invited_elsewhere(db, institution_id, emails)


async def erase_invitations(work: UnitOfWork, institution_id: UUID, emails: Collection[str]) -> int:
    """Replace these addresses in the invitations of an institution, none of which is open."""
    return await storage.erase_invitations(work.db, institution_id, emails)
