"""Queries for those who write to people."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select

from licet_server.identity.rules.people import Recipient
from licet_server.identity.tables import sign_ins, users
from licet_server.institutions.rules.operators import Role, RoleGrant
from licet_server.institutions.storage.role_grants import HELD, holdings_of
from licet_server.institutions.tables import institutions, memberships
from licet_server.kit.database import Connection


async def fetch_reminder_days(db: Connection) -> dict[UUID, list[int]]:
    rows = await db.execute(select(institutions.c.id, institutions.c.expiry_reminder_days))
    return {row.id: row.expiry_reminder_days for row in rows}


async def fetch_recipients(
    db: Connection, institution_ids: Collection[UUID], roles: Collection[Role]
) -> list[Recipient]:
    statement = (
        select(
            memberships.c.institution_id,
            memberships.c.user_id,
            users.c.email,
            users.c.email_verified_at.is_not(None).label("email_verified"),
        )
        .join(users, users.c.id == memberships.c.user_id)
        .where(memberships.c.institution_id.in_(institution_ids), memberships.c.role.in_(roles))
        .order_by(memberships.c.institution_id, memberships.c.user_id)
    )
    return [
        Recipient(row.institution_id, row.user_id, row.email, row.email_verified)
        for row in await db.execute(statement)
    ]


async def fetch_held(
    db: Connection, sign_in_ids: Collection[UUID]
) -> dict[UUID, tuple[bool, list[RoleGrant]]]:
    """By sign-ins that have not ended: whether it is a system Admin's, and what he holds."""
    columns = [sign_ins.c.id, users.c.is_system_admin, HELD]
    statement = (
        select(*columns)
        .join(users, users.c.id == sign_ins.c.user_id)
        .where(sign_ins.c.id.in_(sign_in_ids), sign_ins.c.ended_at.is_(None))
    )
    rows = await db.execute(statement)
    return {row.id: (row.is_system_admin, holdings_of(row)) for row in rows}
