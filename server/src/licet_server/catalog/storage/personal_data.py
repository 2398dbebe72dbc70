"""Personal data in invitations of other institutions to a product."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import exists, func, select, update

from licet_server.catalog.tables import associations
from licet_server.kit.database import Connection
from licet_server.kit.text import ERASED


async def is_invited(db: Connection, institution_id: UUID, emails: Collection[str]) -> bool:
    """Check whether an invitation to one of these addresses is open."""
    statement = select(
        exists().where(
            associations.c.institution_id == institution_id,
            func.lower(associations.c.email).in_(emails),
            associations.c.accepted_at.is_(None),
        )
    )
    return bool((await db.execute(statement)).scalar())


async def fetch_invited_elsewhere(
    db: Connection, institution_id: UUID, emails: Collection[str]
) -> set[str]:
    """Return those of these addresses, in lower case, that another institution has invited."""
    statement = select(associations.c.email).where(
        associations.c.institution_id != institution_id,
        associations.c.email.in_(emails),
        associations.c.accepted_at.is_(None),
    )
    return set((await db.execute(statement)).scalars())


async def erase_invitations(db: Connection, institution_id: UUID, emails: Collection[str]) -> int:
    """Replace these addresses in the accepted invitations; returns in how many."""
    statement = (
        update(associations)
        .where(
            associations.c.institution_id == institution_id,
            func.lower(associations.c.email).in_(emails),
        )
        .values(email=ERASED)
    )
    return int((await db.execute(statement)).rowcount)
