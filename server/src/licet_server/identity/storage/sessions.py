"""Queries on sign-ins and refresh tokens."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, bindparam, delete, func, insert, select, update

from licet_server.identity.rules.users import RefreshToken, SignInSession, User
from licet_server.identity.storage.users import user_of
from licet_server.identity.tables import refresh_tokens, sign_ins, users
from licet_server.kit.database import Connection, Id
from licet_server.kit.paging import Listing, Paging, fetch_listing

_SIGNED_IN = (
    select(users)
    .join(
        sign_ins,
        and_(sign_ins.c.user_id == users.c.id, sign_ins.c.id == bindparam("sign_in_id", type_=Id)),
    )
    .where(users.c.id == bindparam("user_id", type_=Id), sign_ins.c.ended_at.is_(None))
)


async def fetch_signed_in(db: Connection, user_id: UUID, sign_in_id: UUID) -> User | None:
    """The user of a sign-in that has not ended."""
    given = {"user_id": user_id, "sign_in_id": sign_in_id}
    row = (await db.execute(_SIGNED_IN, given)).one_or_none()
    return None if row is None else user_of(row)


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
    """Fetch the token and its sign-in `FOR UPDATE`."""
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
    return RefreshToken(**row._mapping)


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


async def end_sign_ins(
    db: Connection, user_id: UUID, now: datetime, except_for: UUID | None = None
) -> int:
    """End all sessions of the user but one; returns how many."""
    statement = update(sign_ins).where(
        sign_ins.c.user_id == user_id, sign_ins.c.ended_at.is_(None), sign_ins.c.expires_at > now
    )
    if except_for is not None:
        statement = statement.where(sign_ins.c.id != except_for)
    return (await db.execute(statement.values(ended_at=now))).rowcount


async def end_own_sign_in(db: Connection, user_id: UUID, sign_in_id: UUID, now: datetime) -> bool:
    """End the session; returns whether it was one of the user's."""
    ended = await db.execute(
        update(sign_ins)
        .where(
            sign_ins.c.id == sign_in_id,
            sign_ins.c.user_id == user_id,
            sign_ins.c.ended_at.is_(None),
            sign_ins.c.expires_at > now,
        )
        .values(ended_at=now)
    )
    return bool(ended.rowcount)


async def list_sign_ins(
    db: Connection, user_id: UUID, now: datetime, paging: Paging
) -> Listing[SignInSession]:
    """Where the user is signed in, newest first."""
    statement = select(sign_ins).where(
        sign_ins.c.user_id == user_id, sign_ins.c.ended_at.is_(None), sign_ins.c.expires_at > now
    )
    listing = await fetch_listing(
        db,
        statement,
        paging,
        id_column=sign_ins.c.id,
        sortable={"createdAt": sign_ins.c.created_at, "lastUsedAt": sign_ins.c.last_used_at},
    )
    return listing.of(
        lambda row: SignInSession(
            id=row.id,
            created_at=row.created_at,
            last_used_at=row.last_used_at,
            ip_address=row.ip_address,
            user_agent=row.user_agent,
        )
    )


async def delete_sign_ins(
    db: Connection, unused_since: datetime, ended_before: datetime, limit: int
) -> int:
    """Delete sign-ins that were last used and that ended before these times; returns how many.

    Their refresh tokens are deleted with them. Concurrent callers delete different rows.
    """
    old = (
        select(sign_ins.c.id)
        .where(
            sign_ins.c.last_used_at < unused_since,
            func.least(sign_ins.c.ended_at, sign_ins.c.expires_at) < ended_before,
        )
        .order_by(sign_ins.c.last_used_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    statement = delete(sign_ins).where(sign_ins.c.id.in_(old.scalar_subquery()))
    return (await db.execute(statement)).rowcount


async def delete_rotated_tokens(db: Connection, rotated_before: datetime, limit: int) -> int:
    """Delete rotated tokens; returns how many. Concurrent callers delete different rows."""
    old = (
        select(refresh_tokens.c.token_hash)
        .where(refresh_tokens.c.rotated_at < rotated_before)
        .order_by(refresh_tokens.c.rotated_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    statement = delete(refresh_tokens).where(refresh_tokens.c.token_hash.in_(old.scalar_subquery()))
    return (await db.execute(statement)).rowcount
