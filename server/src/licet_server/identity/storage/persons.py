"""What is stored of a person without a membership: their account, and requests for e-mails."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import delete, func

from licet_server.identity.tables import (
    passkeys,
    password_reset_requests,
    portal_invitations,
    portal_requests,
    sign_ins,
    users,
)
from licet_server.kit.database import Connection
from licet_server.kit.personal import Exported, export_rows


async def export_accounts(db: Connection, user_ids: Collection[UUID]) -> Exported:
    """Return these accounts, where they are signed in, and their passkeys."""
    return {
        "users": await export_rows(db, users, users.c.id.in_(user_ids)),
        "signIns": await export_rows(db, sign_ins, sign_ins.c.user_id.in_(user_ids)),
        "passkeys": await export_rows(db, passkeys, passkeys.c.user_id.in_(user_ids)),
    }


async def delete_accounts(db: Connection, user_ids: Collection[UUID]) -> None:
    """Delete accounts, and everything that belongs to them."""
    await db.execute(delete(users).where(users.c.id.in_(user_ids)))


async def delete_requests(db: Connection, emails: Collection[str]) -> None:
    """Delete the requests of these addresses, in lower case, and invitations to the portal."""
    for table in (password_reset_requests, portal_invitations, portal_requests):
        await db.execute(delete(table).where(func.lower(table.c.email).in_(emails)))
