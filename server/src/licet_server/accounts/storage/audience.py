"""Queries for those who write to people."""

from uuid import UUID

from sqlalchemy import select

from licet_server.accounts.tables import institutions
from licet_server.kit.database import Connection


async def fetch_reminder_days(db: Connection) -> dict[UUID, list[int]]:
    rows = await db.execute(select(institutions.c.id, institutions.c.expiry_reminder_days))
    return {row.id: row.expiry_reminder_days for row in rows}
