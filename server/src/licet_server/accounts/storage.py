"""Queries of the accounts feature."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.exc import IntegrityError

from licet_server.accounts.rules import Role
from licet_server.accounts.tables import (
    institutions,
    memberships,
    refresh_tokens,
    setup_tokens,
    sign_ins,
    users,
)
from licet_server.kit.database import Connection
from licet_server.kit.errors import conflict
from licet_server.kit.paging import Listing, Paging, contains, fetch_listing


@dataclass(frozen=True, slots=True)
class User:
    """An account of a person."""

    id: UUID
    email: str
    email_verified: bool
    full_name: str
    is_system_admin: bool


@dataclass(frozen=True, slots=True)
class Institution:
    """A tenant."""

    id: UUID
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Membership:
    """A role in an institution."""

    institution_id: UUID
    institution_name: str
    role: Role


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token as stored, with the state of its sign-in."""

    sign_in_id: UUID
    user_id: UUID
    rotated_at: datetime | None
    expires_at: datetime
    ended_at: datetime | None


def _user(row: Row[Any]) -> User:
    return User(
        row.id, row.email, row.email_verified_at is not None, row.full_name, row.is_system_admin
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
        raise conflict("There is an account with this e-mail address already.") from None


async def fetch_user(db: Connection, user_id: UUID) -> User | None:
    row = (await db.execute(select(users).where(users.c.id == user_id))).one_or_none()
    return None if row is None else _user(row)


async def fetch_password_hash(db: Connection, email: str) -> tuple[User, str] | None:
    """The user with this address, and his password hash."""
    statement = select(users).where(func.lower(users.c.email) == email.lower())
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else (_user(row), row.password_hash)


async def update_full_name(db: Connection, user_id: UUID, full_name: str) -> None:
    await db.execute(update(users).where(users.c.id == user_id).values(full_name=full_name))


async def fetch_memberships(db: Connection, user_id: UUID) -> list[Membership]:
    """Oldest first."""
    statement = (
        select(memberships.c.institution_id, institutions.c.name, memberships.c.role)
        .join(institutions, institutions.c.id == memberships.c.institution_id)
        .where(memberships.c.user_id == user_id)
        .order_by(memberships.c.created_at, memberships.c.institution_id)
    )
    rows = await db.execute(statement)
    return [Membership(row.institution_id, row.name, Role(row.role)) for row in rows]


async def insert_membership(
    db: Connection, institution_id: UUID, user_id: UUID, role: Role, now: datetime
) -> None:
    await db.execute(
        insert(memberships).values(
            institution_id=institution_id, user_id=user_id, role=role, created_at=now
        )
    )


async def fetch_signed_in(
    db: Connection, user_id: UUID, sign_in_id: UUID
) -> tuple[User, list[tuple[UUID, Role]]] | None:
    """The user of a sign-in that has not ended, with his roles, oldest membership first.

    One statement, since every request of an operator asks it.
    """
    statement = (
        select(users, _held(memberships.c.institution_id), _held(memberships.c.role))
        .join(sign_ins, (sign_ins.c.user_id == users.c.id) & (sign_ins.c.id == sign_in_id))
        .where(users.c.id == user_id, sign_ins.c.ended_at.is_(None))
    )
    row = (await db.execute(statement)).one_or_none()
    if row is None:
        return None
    ids, roles = row[-2:]
    return _user(row), list(zip(ids or (), map(Role, roles or ()), strict=True))


def _held(column: ColumnElement[Any]) -> ScalarSelect[Any]:
    """One column of the user's memberships as an array, oldest first."""
    oldest_first = (memberships.c.created_at, memberships.c.institution_id)
    return (
        select(func.array_agg(aggregate_order_by(column, *oldest_first)))
        .where(memberships.c.user_id == users.c.id)
        .scalar_subquery()
    )


async def fetch_all_institution_ids(db: Connection) -> Sequence[UUID]:
    return (await db.execute(select(institutions.c.id).order_by(institutions.c.id))).scalars().all()


async def insert_institution(
    db: Connection, institution_id: UUID, name: str, now: datetime
) -> None:
    await db.execute(insert(institutions).values(id=institution_id, name=name, created_at=now))


async def list_institutions(
    db: Connection, visible: list[UUID], paging: Paging, search: str | None
) -> Listing[Institution]:
    statement = select(institutions).where(institutions.c.id.in_(visible))
    if search:
        statement = statement.where(contains(institutions.c.name, search))
    listing = await fetch_listing(
        db,
        statement,
        paging,
        id_column=institutions.c.id,
        sortable={"name": institutions.c.name, "createdAt": institutions.c.created_at},
    )
    return listing.of(_institution)


async def fetch_institution(
    db: Connection, visible: list[UUID], institution_id: UUID
) -> Institution | None:
    statement = _visible_institution(visible, institution_id)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _institution(row)


def _visible_institution(visible: list[UUID], institution_id: UUID) -> Select[Any]:
    return select(institutions).where(
        institutions.c.id == institution_id, institutions.c.id.in_(visible)
    )


def _institution(row: Row[Any]) -> Institution:
    return Institution(row.id, row.name, row.created_at)


async def update_institution_name(db: Connection, institution_id: UUID, name: str) -> None:
    await db.execute(
        update(institutions).where(institutions.c.id == institution_id).values(name=name)
    )


async def delete_institution(db: Connection, institution_id: UUID) -> None:
    """Raises `Refused` (Conflict) while it has products."""
    try:
        await db.execute(delete(institutions).where(institutions.c.id == institution_id))
    except IntegrityError:
        raise conflict("The institution still has products. Delete its products first.") from None


async def insert_sign_in(
    db: Connection,
    *,
    sign_in_id: UUID,
    user_id: UUID,
    now: datetime,
    expires_at: datetime,
    ip_address: str | None,
    user_agent: str | None,
) -> None:
    await db.execute(
        insert(sign_ins).values(
            id=sign_in_id,
            user_id=user_id,
            created_at=now,
            last_used_at=now,
            expires_at=expires_at,
            ip_address=ip_address,
            user_agent=user_agent,
        )
    )


async def insert_refresh_token(
    db: Connection, token_hash: bytes, sign_in_id: UUID, now: datetime
) -> None:
    await db.execute(
        insert(refresh_tokens).values(token_hash=token_hash, sign_in_id=sign_in_id, issued_at=now)
    )


async def lock_refresh_token(db: Connection, token_hash: bytes) -> RefreshToken | None:
    """The token and its sign-in, held against concurrent use until the transaction ends."""
    statement = (
        select(
            refresh_tokens.c.sign_in_id,
            refresh_tokens.c.rotated_at,
            sign_ins.c.user_id,
            sign_ins.c.expires_at,
            sign_ins.c.ended_at,
        )
        .join(sign_ins, sign_ins.c.id == refresh_tokens.c.sign_in_id)
        .where(refresh_tokens.c.token_hash == token_hash)
        .with_for_update()
    )
    row = (await db.execute(statement)).one_or_none()
    if row is None:
        return None
    return RefreshToken(row.sign_in_id, row.user_id, row.rotated_at, row.expires_at, row.ended_at)


async def mark_rotated(db: Connection, token_hash: bytes, now: datetime) -> None:
    await db.execute(
        update(refresh_tokens)
        .where(refresh_tokens.c.token_hash == token_hash, refresh_tokens.c.rotated_at.is_(None))
        .values(rotated_at=now)
    )


async def touch_sign_in(
    db: Connection, sign_in_id: UUID, now: datetime, expires_at: datetime
) -> None:
    await db.execute(
        update(sign_ins)
        .where(sign_ins.c.id == sign_in_id)
        .values(last_used_at=now, expires_at=expires_at)
    )


async def end_sign_in(db: Connection, sign_in_id: UUID, now: datetime) -> None:
    await db.execute(
        update(sign_ins)
        .where(sign_ins.c.id == sign_in_id, sign_ins.c.ended_at.is_(None))
        .values(ended_at=now)
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


async def user_exists(db: Connection, user_id: UUID) -> bool:
    return bool((await db.execute(select(exists().where(users.c.id == user_id)))).scalar())
