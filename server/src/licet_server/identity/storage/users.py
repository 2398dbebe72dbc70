"""Queries of users and the setup token."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Result,
    Row,
    Select,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)

from licet_server.identity.rules.users import PasswordCredentials, User, UserAccount
from licet_server.identity.tables import (
    password_reset_requests,
    portal_invitations,
    portal_requests,
    setup_tokens,
    sign_ins,
    users,
)
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused, conflict
from licet_server.kit.folded_columns import each_way
from licet_server.kit.folding import folded
from licet_server.kit.kept import kept
from licet_server.kit.paging import FilteredPages, Listing, Pages, Paging
from licet_server.kit.routing import hold_rows, is_distributed
from licet_server.kit.rows import refuse_violations
from licet_server.kit.text import start_pattern


def user_of(row: Row[Any]) -> User:
    """Return the user in a row of `users`."""
    return User(
        id=row.id,
        email=row.email,
        email_verified=row.email_verified_at is not None,
        full_name=row.full_name,
        is_system_admin=row.is_system_admin,
        totp_enabled=row.totp_confirmed_at is not None,
        has_passkey=row.has_passkey,
        is_disabled=row.disabled_at is not None,
        has_password=row.password_hash is not None,
    )


async def has_users(db: Connection) -> bool:
    return bool((await db.execute(select(exists().where(users.c.id.is_not(None))))).scalar())


async def insert_user(
    db: Connection, user: User, *, password_hash: str | None, now: datetime
) -> None:
    """Insert a user.

    Raises:
        Refused: `Conflict` if the address already has an account.
    """
    with refuse_violations({"users_email_key": _account_exists}):
        await db.execute(
            insert(users).values(
                id=user.id,
                email=user.email,
                email_verified_at=now if user.email_verified else None,
                full_name=user.full_name,
                password_hash=password_hash,
                is_system_admin=user.is_system_admin,
                created_at=now,
            )
        )


def _account_exists() -> Refused:
    return conflict(
        "An account with this email address already exists. Sign in to it, or request a new "
        "password."
    )


async def fetch_user(db: Connection, user_id: UUID) -> User | None:
    row = (await db.execute(*_user(user_id))).one_or_none()
    return None if row is None else user_of(row)


@kept
def _user(user_id: UUID) -> Select[Any]:
    return select(users).where(users.c.id == user_id)


async def fetch_account(db: Connection, user_id: UUID) -> UserAccount | None:
    row = (await db.execute(select(users).where(users.c.id == user_id))).one_or_none()
    return None if row is None else _account(row)


async def list_accounts(db: Connection, paging: Paging, search: str | None) -> Listing[UserAccount]:
    """List the accounts, or those whose address or name begins with the text."""
    pages, given = _accounts(
        start_pattern(search.lower()) if search else None, start_pattern(folded(search or ""))
    )
    return (await pages.fetch(db, paging, given)).of(_account)


@kept
def _accounts(email_start: str | None, name_start: str) -> Pages:
    email, full_name = func.lower(users.c.email), func.lower(users.c.full_name)
    sortable = {"email": email, "fullName": full_name, "createdAt": users.c.id}
    if email_start is None:
        return Pages(select(users), id_column=users.c.id, sortable=sortable)
    named = each_way(users.c.full_name, lambda name: name.like(name_start))
    found = select(users).where(or_(email.like(email_start), *named))
    return FilteredPages(found, id_column=users.c.id, sortable=sortable, scan=None)


def _account(row: Row[Any]) -> UserAccount:
    return UserAccount(user=user_of(row), created_at=row.created_at)


async def fetch_credentials(
    db: Connection, email: str, ip_address: str | None, used_since: datetime
) -> PasswordCredentials | None:
    """Fetch the credentials of the account with this address; unknown ones take as long."""
    is_of_email = func.lower(users.c.email) == email.lower()
    return await _fetch_credentials(db, is_of_email, ip_address, used_since)


async def fetch_own_credentials(
    db: Connection, user_id: UUID, ip_address: str | None, used_since: datetime
) -> PasswordCredentials | None:
    return await _fetch_credentials(db, users.c.id == user_id, ip_address, used_since)


async def _fetch_credentials(
    db: Connection, of_user: ColumnElement[bool], ip_address: str | None, used_since: datetime
) -> PasswordCredentials | None:
    statement = select(users, _was_used_from(ip_address, used_since)).where(of_user)
    row = (await db.execute(statement)).one_or_none()
    if row is None:
        return None
    return PasswordCredentials(
        user=user_of(row),
        password_hash=row.password_hash,
        is_known_address=row.is_known_address,
    )


def _was_used_from(ip_address: str | None, used_since: datetime) -> ColumnElement[bool]:
    return (
        select(literal(1))
        .where(
            sign_ins.c.user_id == users.c.id,
            sign_ins.c.ip_address == ip_address,
            sign_ins.c.last_used_at >= used_since,
        )
        .correlate(users)
        .exists()
        .label("is_known_address")
    )


async def lock_user_with_password(
    db: Connection, user_id: UUID, password_hash: str | None
) -> User | None:
    """Fetch the user `FOR NO KEY UPDATE`, unless the password has changed or there is none."""
    if password_hash is None:
        return None
    statement = select(users).where(users.c.id == user_id, users.c.password_hash == password_hash)
    row = (await _lock(db, statement, [user_id])).one_or_none()
    return None if row is None else user_of(row)


async def lock_user(db: Connection, user_id: UUID) -> User | None:
    """Fetch the user `FOR NO KEY UPDATE`."""
    statement = select(users).where(users.c.id == user_id)
    row = (await _lock(db, statement, [user_id])).one_or_none()
    return None if row is None else user_of(row)


async def _lock(db: Connection, statement: Select[Any], user_ids: Collection[UUID]) -> Result[Any]:
    """Select users, and lock them: their rows, or on a spread database what stands for them."""
    if is_distributed(db):
        await hold_rows(db, user_ids)
    else:
        statement = statement.with_for_update(key_share=True)
    found: Result[Any] = await db.execute(statement)
    return found


async def update_password_hash(db: Connection, user_id: UUID, password_hash: str | None) -> None:
    await db.execute(update(users).where(users.c.id == user_id).values(password_hash=password_hash))


async def mark_verified(db: Connection, user_id: UUID, now: datetime) -> bool:
    """Mark the address as verified; returns whether it was not before."""
    marked = await db.execute(
        update(users)
        .where(users.c.id == user_id, users.c.email_verified_at.is_(None))
        .values(email_verified_at=now)
    )
    return bool(marked.rowcount)


async def fetch_users_by_email(db: Connection, emails: Collection[str]) -> list[User]:
    statement = select(users).where(func.lower(users.c.email).in_(emails))
    return [user_of(row) for row in await db.execute(statement)]


async def update_disabled(db: Connection, user_id: UUID, disabled_at: datetime | None) -> None:
    await db.execute(update(users).where(users.c.id == user_id).values(disabled_at=disabled_at))


async def lock_enabled_admins(db: Connection) -> set[UUID]:
    """Fetch the system Admins whose accounts are enabled, `FOR NO KEY UPDATE`."""
    statement = (
        select(users.c.id)
        .where(users.c.is_system_admin, users.c.disabled_at.is_(None))
        .order_by(users.c.id)
    )
    known = (await db.execute(statement)).scalars().all() if is_distributed(db) else ()
    return set((await _lock(db, statement, known)).scalars())


async def update_full_name(db: Connection, user_id: UUID, full_name: str) -> None:
    await db.execute(update(users).where(users.c.id == user_id).values(full_name=full_name))


async def lock_setup(db: Connection) -> None:
    """Wait for every other process that sets up the instance, until the end of the transaction."""
    await db.execute(text("LOCK TABLE setup_tokens IN EXCLUSIVE MODE"))


async def replace_setup_token(db: Connection, token_hash: bytes, now: datetime) -> None:
    await db.execute(delete(setup_tokens))
    await db.execute(insert(setup_tokens).values(token_hash=token_hash, created_at=now))


async def use_setup_token(db: Connection, token_hash: bytes) -> bool:
    """Delete the token; of concurrent callers exactly one gets true."""
    taken = await db.execute(
        delete(setup_tokens)
        .where(setup_tokens.c.token_hash == token_hash)
        .returning(setup_tokens.c.created_at)
    )
    return taken.first() is not None


async def delete_accounts(db: Connection, user_ids: Collection[UUID]) -> None:
    """Delete accounts, and everything that belongs to them."""
    if is_distributed(db):
        await hold_rows(db, user_ids)
    await db.execute(delete(users).where(users.c.id.in_(user_ids)))


async def delete_requests(db: Connection, emails: Collection[str]) -> None:
    """Delete the requests of these addresses, in lower case, and invitations to the portal."""
    for table in (password_reset_requests, portal_invitations, portal_requests):
        await db.execute(delete(table).where(func.lower(table.c.email).in_(emails)))
