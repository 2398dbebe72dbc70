"""Personal data in memberships and invitations."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import exists, func, select, update

from licet_server.identity.tables import users
from licet_server.institutions.tables import invitations, memberships
from licet_server.kit.database import Connection
from licet_server.kit.text import ERASED


async def fetch_institutions(db: Connection, user_ids: Collection[UUID]) -> set[UUID]:
    """Return the institutions that these users are members of."""
    statement = select(memberships.c.institution_id).where(memberships.c.user_id.in_(user_ids))
    return set((await db.execute(statement)).scalars())


async def fetch_member_emails(db: Connection, institution_id: UUID) -> set[str]:
    """Return the addresses of the members of an institution, in lower case."""
    statement = select(func.lower(users.c.email)).where(
        memberships.c.institution_id == institution_id, memberships.c.user_id == users.c.id
    )
    return set((await db.execute(statement)).scalars())


async def is_invited(db: Connection, institution_id: UUID, emails: Collection[str]) -> bool:
    """Return whether one of these addresses has an open invitation of the institution."""
    statement = select(
        exists().where(
            invitations.c.institution_id == institution_id,
            func.lower(invitations.c.email).in_(emails),
            invitations.c.accepted_at.is_(None),
            invitations.c.revoked_at.is_(None),
        )
    )
    return bool((await db.execute(statement)).scalar())


async def fetch_invited_elsewhere(
    db: Connection, institution_id: UUID, emails: Collection[str]
) -> set[str]:
    """Return those of these addresses, in lower case, that another institution has invited."""
    statement = select(invitations.c.email).where(
        invitations.c.institution_id != institution_id,
        invitations.c.email.in_(emails),
        invitations.c.accepted_at.is_(None),
        invitations.c.revoked_at.is_(None),
    )
    return set((await db.execute(statement)).scalars())


async def erase_invitations(db: Connection, institution_id: UUID, emails: Collection[str]) -> int:
    """Replace these addresses in the closed invitations of the institution; returns in how many."""
    statement = (
        update(invitations)
        .where(
            invitations.c.institution_id == institution_id,
            func.lower(invitations.c.email).in_(emails),
        )
        .values(email=ERASED)
    )
    return int((await db.execute(statement)).rowcount)
