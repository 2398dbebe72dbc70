"""Queries on people, their memberships, and the setup token."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from licet_server.identity.rules.people import Account, Credentials, Membership, User
from licet_server.identity.tables import setup_tokens, sign_ins, users
from licet_server.institutions.rules.operators import Role
from licet_server.institutions.tables import institutions, memberships
from licet_server.kit.database import Connection
from licet_server.kit.errors import conflict
from licet_server.kit.paging import Listing, Paging, fetch_listing, fetch_narrowed


def user_of(row: Row[Any]) -> User:
    return User(
        row.id,
        row.email,
        row.email_verified_at is not None,
        row.full_name,
        row.is_system_admin,
        row.totp_confirmed_at is not None,
    )


async def has_users(db: Connection) -> bool:
    return bool((await db.execute(select(exists().where(users.c.id.is_not(None))))).scalar())


async def insert_user(
    db: Connection,
    *,
    user_id: UUID,
    email: str,
    full_name: str,
    password_hash: str,
    is_system_admin: bool,
    verified_at: datetime | None,
    now: datetime,
) -> None:
    """Raises `Refused` (Conflict) when the address has an account."""
    try:
        await db.execute(
            insert(users).values(
                id=user_id,
                email=email,
                email_verified_at=verified_at,
                full_name=full_name,
                password_hash=password_hash,
                is_system_admin=is_system_admin,
                created_at=now,
            )
        )
    except IntegrityError:
        raise conflict(
            "There is an account with this e-mail address already. Sign in to it, or ask for a new "
            "password."
        ) from None


async def fetch_user(db: Connection, user_id: UUID) -> User | None:
    row = (await db.execute(select(users).where(users.c.id == user_id))).one_or_none()
    return None if row is None else user_of(row)


async def fetch_account(db: Connection, user_id: UUID) -> Account | None:
    row = (await db.execute(select(users).where(users.c.id == user_id))).one_or_none()
    return None if row is None else _account(row)


async def list_accounts(db: Connection, paging: Paging, search: str | None) -> Listing[Account]:
    """Those whose address or name begins with the text; without one, all."""
    everybody = select(users)
    sortable: dict[str, ColumnElement[Any]] = {
        "email": func.lower(users.c.email),
        "fullName": func.lower(users.c.full_name),
        "createdAt": users.c.id,
    }
    if not search:
        listing = await fetch_listing(
            db, everybody, paging, id_column=users.c.id, sortable=sortable
        )
        return listing.of(_account)
    found = await fetch_narrowed(
        db,
        everybody.where(or_(_begins(users.c.email, search), _begins(users.c.full_name, search))),
        paging,
        id_column=users.c.id,
        sortable=sortable,
        newest_first=None,
    )
    return found.of(_account)


def _begins(column: ColumnElement[str], text: str) -> ColumnElement[bool]:
    return func.lower(column).startswith(text.lower(), autoescape=True)


def _account(row: Row[Any]) -> Account:
    return Account(user_of(row), row.created_at)


async def user_exists(db: Connection, user_id: UUID) -> bool:
    return bool((await db.execute(select(exists().where(users.c.id == user_id)))).scalar())


async def fetch_credentials(
    db: Connection, email: str, ip_address: str | None, used_since: datetime
) -> Credentials | None:
    """Those of the account with this address; the same work where there is none."""
    statement = select(users, _was_used_from(ip_address, used_since)).where(
        func.lower(users.c.email) == email.lower()
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else Credentials(user_of(row), row.password_hash, row[-1])


async def fetch_own_credentials(
    db: Connection, user_id: UUID, ip_address: str | None, used_since: datetime
) -> Credentials | None:
    """Those of an account that is known."""
    statement = select(users, _was_used_from(ip_address, used_since)).where(users.c.id == user_id)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else Credentials(user_of(row), row.password_hash, row[-1])


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
    )


async def lock_user(db: Connection, user_id: UUID, password_hash: str) -> User | None:
    """The user, held until the transaction ends, if this is still his password."""
    statement = (
        select(users)
        .where(users.c.id == user_id, users.c.password_hash == password_hash)
        .with_for_update(key_share=True)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else user_of(row)


async def lock_user_for_share(db: Connection, user_id: UUID) -> User | None:
    """The user, held until the transaction ends."""
    statement = select(users).where(users.c.id == user_id).with_for_update(key_share=True)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else user_of(row)


async def update_password_hash(db: Connection, user_id: UUID, password_hash: str) -> None:
    await db.execute(update(users).where(users.c.id == user_id).values(password_hash=password_hash))


async def mark_verified(db: Connection, user_id: UUID, now: datetime) -> bool:
    """Answers whether the address was not verified before."""
    marked = await db.execute(
        update(users)
        .where(users.c.id == user_id, users.c.email_verified_at.is_(None))
        .values(email_verified_at=now)
    )
    return bool(marked.rowcount)


async def fetch_users_by_email(db: Connection, emails: Collection[str]) -> list[User]:
    statement = select(users).where(func.lower(users.c.email).in_(emails))
    return [user_of(row) for row in await db.execute(statement)]


async def update_full_name(db: Connection, user_id: UUID, full_name: str) -> None:
    await db.execute(update(users).where(users.c.id == user_id).values(full_name=full_name))


async def fetch_memberships(db: Connection, user_id: UUID) -> list[Membership]:
    """Oldest first."""
    return (await fetch_memberships_of(db, [user_id]))[user_id]


async def fetch_memberships_of(
    db: Connection, user_ids: Collection[UUID]
) -> dict[UUID, list[Membership]]:
    """Those of each of the users, oldest first."""
    statement = (
        select(
            memberships.c.user_id,
            memberships.c.institution_id,
            institutions.c.name,
            memberships.c.role,
        )
        .join(institutions, institutions.c.id == memberships.c.institution_id)
        .where(memberships.c.user_id.in_(user_ids))
        .order_by(memberships.c.created_at, memberships.c.institution_id)
    )
    held: dict[UUID, list[Membership]] = {user_id: [] for user_id in user_ids}
    for row in await db.execute(statement):
        held[row.user_id].append(Membership(row.institution_id, row.name, Role(row.role)))
    return held


async def insert_membership(
    db: Connection, institution_id: UUID, user_id: UUID, role: Role, now: datetime
) -> None:
    await db.execute(
        insert(memberships).values(
            institution_id=institution_id, user_id=user_id, role=role, created_at=now
        )
    )


async def replace_setup_token(db: Connection, token_hash: bytes, now: datetime) -> None:
    await db.execute(delete(setup_tokens))
    await db.execute(insert(setup_tokens).values(token_hash=token_hash, created_at=now))


async def use_setup_token(db: Connection, token_hash: bytes) -> bool:
    """Take the token away; of two concurrent setups exactly one gets true."""
    taken = await db.execute(
        delete(setup_tokens)
        .where(setup_tokens.c.token_hash == token_hash)
        .returning(setup_tokens.c.created_at)
    )
    return taken.first() is not None
