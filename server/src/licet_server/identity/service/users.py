"""First-run setup, accounts of people, and their profiles."""

import secrets
from dataclasses import dataclass, field
from uuid import UUID

from licet_server.identity import errors
from licet_server.identity.rules.people import Membership, User
from licet_server.identity.service.account_events import by_himself
from licet_server.identity.service.sessions import Session, open_session
from licet_server.identity.service.tokens import digest
from licet_server.identity.storage import users
from licet_server.identity.storage.second_factors import count_recovery_codes
from licet_server.identity.storage.users import (
    fetch_memberships,
    fetch_user,
    has_users,
    insert_user,
    replace_setup_token,
    update_full_name,
    use_setup_token,
)
from licet_server.institutions.service.institutions import found_institution
from licet_server.kit.database import Connection
from licet_server.kit.passwords import Passwords
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class NewAccount:
    """The first person of an institution."""

    email: str
    password: str = field(repr=False)
    full_name: str
    institution_name: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What a person sees of himself; without a second factor there are no codes to count."""

    user: User
    memberships: list[Membership]
    recovery_codes_left: int | None


async def set_up(
    work: UnitOfWork,
    passwords: Passwords,
    setup_token: str,
    account: NewAccount,
    user_agent: str | None,
) -> Session:
    """Make the first Owner, who is system Admin, and sign him in.

    Raises:
        Refused: `Unauthorized` for a wrong or used setup token.
    """
    if not await use_setup_token(work.db, digest(setup_token)):
        raise errors.wrong_setup_token()
    user = await _create_first_user(work, passwords, account)
    founding = by_himself(work, user.id, user.email)
    await found_institution(founding, user.id, account.institution_name)
    return await open_session(work, user, user_agent)


async def create_first_owner(work: UnitOfWork, passwords: Passwords, account: NewAccount) -> User:
    """Make an institution with its Owner, who is system Admin and whose address counts as real."""
    user = await _create_first_user(work, passwords, account)
    await found_institution(work, user.id, account.institution_name)
    return user


async def _create_first_user(work: UnitOfWork, passwords: Passwords, account: NewAccount) -> User:
    return await create_user(
        work,
        email=account.email,
        full_name=account.full_name,
        password_hash=await passwords.hash(account.password),
        is_system_admin=True,
        verified=True,
    )


async def create_owner(work: UnitOfWork, account: NewAccount, password_hash: str) -> User:
    """Make an institution with its Owner, whose address may be anybody's.

    Raises:
        Refused: `Conflict` when the address has an account.
    """
    user = await create_user(
        work,
        email=account.email,
        full_name=account.full_name,
        password_hash=password_hash,
        is_system_admin=False,
        verified=False,
    )
    founding = by_himself(work, user.id, user.email)
    await found_institution(founding, user.id, account.institution_name)
    return user


async def create_user(
    work: UnitOfWork,
    *,
    email: str,
    full_name: str,
    password_hash: str,
    is_system_admin: bool,
    verified: bool,
) -> User:
    """Make an account.

    Raises:
        Refused: `Conflict` when the address has one.
    """
    user = User(work.new_id(), email, verified, full_name, is_system_admin)
    await insert_user(
        work.db,
        user_id=user.id,
        email=email,
        full_name=full_name,
        password_hash=password_hash,
        is_system_admin=is_system_admin,
        verified_at=work.now if verified else None,
        now=work.now,
    )
    return user


async def prepare_setup(work: UnitOfWork) -> str | None:
    """A fresh setup token while there are no users; `None` afterwards."""
    if await has_users(work.db):
        return None
    token = secrets.token_urlsafe(24)
    await replace_setup_token(work.db, digest(token), work.now)
    return token


async def fetch_profile(db: Connection, user_id: UUID) -> Profile:
    """The user, his memberships, and how many recovery codes he has left.

    Raises:
        Refused: `Unauthorized` when the account is gone.
    """
    user = await fetch_user(db, user_id)
    if user is None:
        raise errors.unauthorized()
    left = await count_recovery_codes(db, user_id) if user.totp_enabled else None
    return Profile(user, await fetch_memberships(db, user_id), left)


async def user_exists(db: Connection, user_id: UUID) -> bool:
    """Whether the id is that of an account."""
    return await users.user_exists(db, user_id)


async def rename_user(work: UnitOfWork, user_id: UUID, full_name: str) -> None:
    """Change the name that a person is shown by."""
    await update_full_name(work.db, user_id, full_name)
