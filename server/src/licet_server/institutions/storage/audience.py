"""Queries for notifications of members."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select

from licet_server.identity.rules.memberships import Role, SessionTrust
from licet_server.identity.tables import sign_ins, users
from licet_server.institutions.rules.members import Recipient
from licet_server.institutions.rules.operators import RoleGrant
from licet_server.institutions.storage.role_grants import ROLE_GRANTS, role_grants_of
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
        .where(users.c.disabled_at.is_(None))
        .order_by(memberships.c.institution_id, memberships.c.user_id)
    )
    return [Recipient(**row._mapping) for row in await db.execute(statement)]


async def fetch_role_grants(
    db: Connection, sign_in_ids: Collection[UUID]
) -> dict[UUID, tuple[bool, SessionTrust, list[RoleGrant]]]:
    """Fetch, by sign-in that has not ended: is it a system Admin's, its trust, role grants."""
    columns = [
        sign_ins.c.id,
        users.c.is_system_admin,
        sign_ins.c.has_used_factor,
        sign_ins.c.through_institution_id,
        ROLE_GRANTS,
    ]
    statement = (
        select(*columns)
        .join(users, users.c.id == sign_ins.c.user_id)
        .where(sign_ins.c.id.in_(sign_in_ids), sign_ins.c.ended_at.is_(None))
    )
    rows = await db.execute(statement)
    return {
        row.id: (
            row.is_system_admin and row.through_institution_id is None,
            SessionTrust(row.has_used_factor, row.through_institution_id),
            role_grants_of(row),
        )
        for row in rows
    }
