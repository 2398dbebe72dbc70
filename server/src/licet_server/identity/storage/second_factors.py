"""Queries of second factors."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, insert, or_, select, update

from licet_server.identity.tables import recovery_codes, users
from licet_server.kit.database import Connection


@dataclass(frozen=True, slots=True)
class StoredFactor:
    """A sealed second factor; it takes effect once it is confirmed."""

    sealed: bytes = field(repr=False)
    is_confirmed: bool


async def fetch_factor(db: Connection, user_id: UUID) -> StoredFactor | None:
    statement = select(users.c.totp_secret, users.c.totp_confirmed_at).where(
        users.c.id == user_id, users.c.totp_secret.is_not(None)
    )
    row = (await db.execute(statement)).one_or_none()
    if row is None:
        return None
    return StoredFactor(sealed=row.totp_secret, is_confirmed=row.totp_confirmed_at is not None)


async def offer_factor(db: Connection, user_id: UUID, sealed: bytes) -> bool:
    """Store an unconfirmed factor; returns false if a confirmed one exists."""
    offered = await db.execute(
        update(users)
        .where(users.c.id == user_id, users.c.totp_confirmed_at.is_(None))
        .values(totp_secret=sealed, totp_last_step=None)
    )
    return bool(offered.rowcount)


async def confirm_factor(
    db: Connection, user_id: UUID, sealed: bytes, step: int, now: datetime
) -> bool:
    """Confirm the factor; of concurrent callers exactly one gets true."""
    confirmed = await db.execute(
        update(users)
        .where(
            users.c.id == user_id,
            users.c.totp_secret == sealed,
            users.c.totp_confirmed_at.is_(None),
        )
        .values(totp_confirmed_at=now, totp_last_step=step)
    )
    return bool(confirmed.rowcount)


async def remove_factor(db: Connection, user_id: UUID) -> bool:
    """Delete the factor; returns whether a confirmed one existed.

    With the last second factor, the recovery codes go as well.
    """
    removed = await db.execute(
        update(users)
        .where(users.c.id == user_id, users.c.totp_confirmed_at.is_not(None))
        .values(totp_secret=None, totp_confirmed_at=None, totp_last_step=None)
        .returning(users.c.has_passkey)
    )
    row = removed.one_or_none()
    if row is None or not row.has_passkey:
        await delete_recovery_codes(db, user_id)
    return row is not None


async def clear_factor(db: Connection, user_id: UUID) -> None:
    """Delete the factor, confirmed or not."""
    await db.execute(
        update(users)
        .where(users.c.id == user_id)
        .values(totp_secret=None, totp_confirmed_at=None, totp_last_step=None)
    )


async def delete_recovery_codes(db: Connection, user_id: UUID) -> None:
    await db.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user_id))


async def use_step(db: Connection, user_id: UUID, step: int) -> bool:
    """Use up a step and all earlier ones; of concurrent callers exactly one gets true."""
    taken = await db.execute(
        update(users)
        .where(
            users.c.id == user_id,
            users.c.totp_confirmed_at.is_not(None),
            or_(users.c.totp_last_step.is_(None), users.c.totp_last_step < step),
        )
        .values(totp_last_step=step)
    )
    return bool(taken.rowcount)


async def replace_recovery_codes(db: Connection, user_id: UUID, hashes: Iterable[bytes]) -> None:
    rows = [{"user_id": user_id, "code_hash": code_hash} for code_hash in hashes]
    await db.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user_id))
    await db.execute(insert(recovery_codes), rows)


async def count_recovery_codes(db: Connection, user_id: UUID) -> int:
    statement = (
        select(func.count()).select_from(recovery_codes).where(recovery_codes.c.user_id == user_id)
    )
    return int((await db.execute(statement)).scalar_one())


async def use_recovery_code(db: Connection, user_id: UUID, code_hash: bytes) -> bool:
    """Delete a code; of concurrent callers exactly one gets true."""
    taken = await db.execute(
        delete(recovery_codes).where(
            recovery_codes.c.user_id == user_id, recovery_codes.c.code_hash == code_hash
        )
    )
    return bool(taken.rowcount)
