"""Queries of emailed tokens, and of requests for emails with them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import Table, delete, insert, select

from licet_server.identity.tables import (
    mailed_tokens,
    password_reset_requests,
    portal_invitations,
    portal_requests,
)
from licet_server.kit.database import Connection

Purpose = Literal["PasswordReset", "EmailVerification"]


async def insert_token(
    db: Connection,
    *,
    token_hash: bytes,
    user_id: UUID,
    purpose: Purpose,
    now: datetime,
    expires_at: datetime,
) -> None:
    await db.execute(
        insert(mailed_tokens).values(
            token_hash=token_hash,
            user_id=user_id,
            purpose=purpose,
            created_at=now,
            expires_at=expires_at,
        )
    )


async def fetch_token_user(
    db: Connection, token_hash: bytes, purpose: Purpose, now: datetime
) -> UUID | None:
    """Fetch the user of a token, which stays valid."""
    statement = select(mailed_tokens.c.user_id).where(
        mailed_tokens.c.token_hash == token_hash,
        mailed_tokens.c.purpose == purpose,
        mailed_tokens.c.expires_at > now,
    )
    return (await db.execute(statement)).scalar_one_or_none()


async def use_token(
    db: Connection, token_hash: bytes, purpose: Purpose, now: datetime
) -> UUID | None:
    """Delete the token and return its user; of concurrent callers exactly one gets it."""
    statement = (
        delete(mailed_tokens)
        .where(
            mailed_tokens.c.token_hash == token_hash,
            mailed_tokens.c.purpose == purpose,
            mailed_tokens.c.expires_at > now,
        )
        .returning(mailed_tokens.c.user_id)
    )
    return (await db.execute(statement)).scalar_one_or_none()


async def delete_tokens(db: Connection, user_id: UUID, purpose: Purpose) -> None:
    await db.execute(
        delete(mailed_tokens).where(
            mailed_tokens.c.user_id == user_id, mailed_tokens.c.purpose == purpose
        )
    )


async def delete_expired_tokens(db: Connection, now: datetime) -> None:
    await db.execute(delete(mailed_tokens).where(mailed_tokens.c.expires_at <= now))


async def insert_reset_request(db: Connection, request_id: UUID, email: str, now: datetime) -> None:
    await db.execute(
        insert(password_reset_requests).values(id=request_id, email=email, requested_at=now)
    )


async def take_reset_requests(db: Connection, limit: int) -> Sequence[str]:
    """Delete the oldest requests and return their addresses, which may be unknown."""
    return await _take_requests(db, password_reset_requests, limit)


async def insert_portal_request(
    db: Connection, request_id: UUID, email: str, now: datetime
) -> None:
    await db.execute(insert(portal_requests).values(id=request_id, email=email, requested_at=now))


async def take_portal_requests(db: Connection, limit: int) -> Sequence[str]:
    """Delete the oldest requests and return their addresses, which may be unknown."""
    return await _take_requests(db, portal_requests, limit)


async def _take_requests(db: Connection, requests: Table, limit: int) -> Sequence[str]:
    oldest = (
        select(requests.c.id).order_by(requests.c.id).limit(limit).with_for_update(skip_locked=True)
    )
    statement = (
        delete(requests)
        .where(requests.c.id.in_(oldest.scalar_subquery()))
        .returning(requests.c.email)
    )
    return (await db.execute(statement)).scalars().all()


async def insert_portal_invitation(
    db: Connection, *, token_hash: bytes, email: str, now: datetime, expires_at: datetime
) -> None:
    await db.execute(
        insert(portal_invitations).values(
            token_hash=token_hash, email=email, created_at=now, expires_at=expires_at
        )
    )


async def is_valid_portal_invitation(db: Connection, token_hash: bytes, now: datetime) -> bool:
    statement = select(portal_invitations.c.email).where(
        portal_invitations.c.token_hash == token_hash, portal_invitations.c.expires_at > now
    )
    return (await db.execute(statement)).first() is not None


async def use_portal_invitation(db: Connection, token_hash: bytes, now: datetime) -> str | None:
    """Delete the invitation and return its address; of concurrent callers exactly one gets it."""
    statement = (
        delete(portal_invitations)
        .where(portal_invitations.c.token_hash == token_hash, portal_invitations.c.expires_at > now)
        .returning(portal_invitations.c.email)
    )
    return (await db.execute(statement)).scalar_one_or_none()


async def delete_portal_invitations(db: Connection, email: str) -> None:
    await db.execute(delete(portal_invitations).where(portal_invitations.c.email == email))


async def delete_expired_portal_invitations(db: Connection, now: datetime) -> None:
    await db.execute(delete(portal_invitations).where(portal_invitations.c.expires_at <= now))
