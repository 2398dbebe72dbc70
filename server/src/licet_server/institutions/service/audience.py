"""The members who are notified, and their access."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import User
from licet_server.identity.service.users import find_users
from licet_server.institutions.rules.members import Recipient
from licet_server.institutions.rules.operators import Grants, grants_of
from licet_server.institutions.storage import audience as storage
from licet_server.institutions.storage.role_grants import fetch_all_institutions
from licet_server.kit.database import Connection

Presence = tuple[UUID, str]
"""A sign-in, and the IP address that it is used from."""


async def list_reminder_days(db: Connection) -> Mapping[UUID, Sequence[int]]:
    """List how many days before the end of a term each institution is reminded."""
    return await storage.fetch_reminder_days(db)


async def find_recipients(
    db: Connection, institution_ids: Collection[UUID], roles: Collection[Role]
) -> list[Recipient]:
    """Find the members of these institutions with one of these roles, in one statement."""
    return await storage.fetch_recipients(db, institution_ids, roles) if institution_ids else []


async def find_verified_users(db: Connection, emails: Collection[str]) -> list[User]:
    """Find the users with these e-mail addresses who have verified them."""
    return [user for user in await find_users(db, emails) if user.email_verified]


async def find_present(db: Connection, presences: Collection[Presence]) -> dict[Presence, Grants]:
    """Find what each sign-in can access now; sign-ins that have ended are omitted."""
    found = await storage.fetch_role_grants(db, {sign_in_id for sign_in_id, _ in presences})
    everywhere = (
        await fetch_all_institutions(db) if any(is_admin for is_admin, *_ in found.values()) else []
    )
    return {
        (sign_in_id, address): grants_of(
            [*found[sign_in_id][2], *(everywhere if found[sign_in_id][0] else ())],
            address,
            found[sign_in_id][1],
        )
        for sign_in_id, address in presences
        if sign_in_id in found
    }
