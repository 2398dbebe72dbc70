"""Who in institutions is told of what, for features that write to people."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from licet_server.identity.rules.people import Recipient, User
from licet_server.identity.storage.users import fetch_users_by_email
from licet_server.institutions.rules.operators import Grants, Role, grants_of
from licet_server.institutions.storage import audience as storage
from licet_server.institutions.storage.role_grants import fetch_all_institutions
from licet_server.kit.database import Connection

Presence = tuple[UUID, str]
"""A sign-in, and the address from which it is used."""


async def list_reminder_days(db: Connection) -> Mapping[UUID, Sequence[int]]:
    """How many days before the end of a term each institution wants to be reminded."""
    return await storage.fetch_reminder_days(db)


async def find_recipients(
    db: Connection, institution_ids: Collection[UUID], roles: Collection[Role]
) -> list[Recipient]:
    """The people with one of these roles in these institutions, in one statement."""
    return await storage.fetch_recipients(db, institution_ids, roles) if institution_ids else []


async def find_verified_users(db: Connection, emails: Collection[str]) -> list[User]:
    """The accounts with these addresses, as far as it is proven that they are their owners'."""
    found = await fetch_users_by_email(db, emails) if emails else []
    return [user for user in found if user.email_verified]


async def find_present(db: Connection, presences: Collection[Presence]) -> dict[Presence, Grants]:
    """Those whose sign-in has not ended, with what they can reach at this moment."""
    held = await storage.fetch_held(db, {sign_in_id for sign_in_id, _ in presences})
    everywhere = (
        await fetch_all_institutions(db) if any(is_admin for is_admin, _ in held.values()) else []
    )
    return {
        (sign_in_id, address): grants_of(
            [*held[sign_in_id][1], *(everywhere if held[sign_in_id][0] else ())], address
        )
        for sign_in_id, address in presences
        if sign_in_id in held
    }
