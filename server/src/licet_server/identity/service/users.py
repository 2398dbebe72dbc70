"""Accounts of users, their profiles, and the setup token of the first run."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from licet_server.identity import errors
from licet_server.identity.rules.memberships import Membership, SessionTrust, seen_by
from licet_server.identity.rules.users import User
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.tokens import digest
from licet_server.identity.storage import users
from licet_server.identity.storage.emailed_tokens import delete_tokens
from licet_server.identity.storage.second_factors import count_recovery_codes
from licet_server.identity.storage.users import (
    fetch_users_by_email,
    has_users,
    insert_user,
    lock_setup,
    mark_verified,
    replace_setup_token,
)
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    """The first user of a new institution."""

    email: str
    password: str = field(repr=False)
    full_name: str
    institution_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A user as they see themselves; `recovery_codes_left` is `None` without a second factor."""

    user: User
    memberships: Sequence[Membership]
    recovery_codes_left: int | None


async def create_user(
    work: UnitOfWork,
    *,
    email: str,
    full_name: str,
    password_hash: str | None,
    is_system_admin: bool,
    verified: bool,
) -> User:
    """Create an account; without a password, for a user whom an identity provider signs in.

    Raises:
        Refused: `Conflict` if the e-mail address already has one.
    """
    user = User(
        id=work.new_id(),
        email=email,
        email_verified=verified,
        full_name=full_name,
        is_system_admin=is_system_admin,
        has_password=password_hash is not None,
    )
    await insert_user(work.db, user, password_hash=password_hash, now=work.now)
    return user


async def prepare_setup(work: UnitOfWork) -> str | None:
    """Create a new setup token as long as no user exists; return `None` afterwards.

    Of several nodes that start at once, one after the other sets up the instance.
    """
    await lock_setup(work.db)
    if await has_users(work.db):
        return None
    token = secrets.token_urlsafe(24)
    await replace_setup_token(work.db, digest(token), work.now)
    return token


async def fetch_profile(
    db: Connection, hooks: AccountHooks, user_id: UUID, trust: SessionTrust
) -> Profile:
    """Return a user's own profile, as a session sees it.

    Raises:
        Refused: `Unauthorized` if the account was deleted.
    """
    user = await users.fetch_user(db, user_id)
    if user is None:
        raise errors.unauthorized()
    left = await count_recovery_codes(db, user_id) if user.has_second_factor else None
    memberships = await hooks.list_memberships(db, [user_id])
    seen = seen_by(trust, memberships[user_id])
    return Profile(user=user.seen_by(trust), memberships=seen, recovery_codes_left=left)


async def fetch_user(db: Connection, user_id: UUID) -> User | None:
    """Fetch the user with this ID."""
    return await users.fetch_user(db, user_id)


async def find_users(db: Connection, emails: Collection[str]) -> list[User]:
    """Find the users with these e-mail addresses."""
    return await fetch_users_by_email(db, emails) if emails else []


async def mark_email_verified(work: UnitOfWork, user_id: UUID) -> bool:
    """Mark a user's address as verified; returns whether it was not before."""
    if not await mark_verified(work.db, user_id, work.now):
        return False
    await delete_tokens(work.db, user_id, "EmailVerification")
    return True
