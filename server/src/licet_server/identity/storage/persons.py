"""What is stored of a person without a membership: their account, and requests for e-mails."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import delete, func

from licet_server.identity.tables import (
    password_reset_requests,
    portal_invitations,
    portal_requests,
    users,
)
from licet_server.kit.database import Connection


async def delete_accounts(db: Connection, user_ids: Collection[UUID]) -> None:
    """Delete accounts, and everything that belongs to them."""
    await db.execute(delete(users).where(users.c.id.in_(user_ids)))


async def delete_requests(db: Connection, emails: Collection[str]) -> None:
    """Delete the requests of these addresses, in lower case, and invitations to the portal."""
    for table in (password_reset_requests, portal_invitations, portal_requests):
        await db.execute(delete(table).where(func.lower(table.c.email).in_(emails)))
