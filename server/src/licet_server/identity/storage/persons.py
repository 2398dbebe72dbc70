"""What is stored of a person without a membership: their account, and requests for e-mails."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select

from licet_server.identity.tables import (
    password_reset_requests,
    portal_invitations,
    portal_requests,
    users,
)
from licet_server.kit.database import Connection
from licet_server.kit.text import camel

_SHOWN = (
    users.c.id,
    users.c.email,
    users.c.full_name,
    users.c.email_verified_at,
    users.c.created_at,
)


async def fetch_accounts(db: Connection, user_ids: Collection[UUID]) -> list[dict[str, Any]]:
    """Fetch these accounts, without what protects them."""
    found = await db.execute(select(*_SHOWN).where(users.c.id.in_(user_ids)).order_by(users.c.id))
    return [{camel(name): value for name, value in row._mapping.items()} for row in found]


async def delete_accounts(db: Connection, user_ids: Collection[UUID]) -> None:
    """Delete accounts, and everything that belongs to them."""
    await db.execute(delete(users).where(users.c.id.in_(user_ids)))


async def delete_requests(db: Connection, emails: Collection[str]) -> None:
    """Delete the requests of these addresses, in lower case, and invitations to the portal."""
    for table in (password_reset_requests, portal_invitations, portal_requests):
        await db.execute(delete(table).where(func.lower(table.c.email).in_(emails)))
