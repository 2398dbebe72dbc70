"""Queries of second factors."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, and_, delete, func, insert, literal, or_, select, true, update
from sqlalchemy.dialects.postgresql import insert as insert_or_update

from licet_server.identity.rules.second_factors import Challenge, Passkey
from licet_server.identity.tables import (
    passkey_challenges,
    passkeys,
    recovery_codes,
    totp_uses,
    users,
)
from licet_server.kit.database import Connection
from licet_server.kit.errors import conflict
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import delete_oldest


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
    unused = select(users.c.id, literal(step, BigInteger)).where(
        users.c.id == user_id,
        users.c.totp_confirmed_at.is_not(None),
        or_(users.c.totp_last_step.is_(None), users.c.totp_last_step < step),
    )
    adding = insert_or_update(totp_uses).from_select(["user_id", "last_step"], unused)
    taken = await db.execute(
        adding.on_conflict_do_update(
            index_elements=["user_id"],
            set_={"last_step": adding.excluded.last_step},
            where=totp_uses.c.last_step < adding.excluded.last_step,
        )
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


PASSKEYS = Rows[Passkey, UUID](
    passkeys,
    Passkey,
    lambda user_id: passkeys.c.user_id == user_id,
    sortable={"name": passkeys.c.name, "createdAt": passkeys.c.created_at},
    refusals={
        "passkeys_credential_id_key": lambda: conflict(
            "This passkey is already registered. Use another one."
        )
    },
)


CHALLENGES = Rows[Challenge, None](passkey_challenges, Challenge, lambda _: true())


async def take_challenge(db: Connection, challenge_hash: bytes, now: datetime) -> Challenge | None:
    """Delete the challenge and return it; of concurrent callers exactly one gets it."""
    statement = (
        delete(passkey_challenges)
        .where(
            passkey_challenges.c.challenge_hash == challenge_hash,
            passkey_challenges.c.expires_at > now,
        )
        .returning(*CHALLENGES.columns)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else CHALLENGES.item(row)


async def delete_challenges(db: Connection, user_id: UUID) -> None:
    await db.execute(delete(passkey_challenges).where(passkey_challenges.c.user_id == user_id))


async def delete_expired_challenges(db: Connection, now: datetime, limit: int) -> int:
    """Delete unanswered challenges; returns how many."""
    key, expires_at = passkey_challenges.c.challenge_hash, passkey_challenges.c.expires_at
    return await delete_oldest(db, key, expires_at, limit, expires_at <= now)


async def insert_passkey(db: Connection, passkey: Passkey) -> None:
    """Insert a passkey.

    Raises:
        Refused: `Conflict` if an account has the same passkey.
    """
    await PASSKEYS.insert(db, passkey)
    await _set_has_passkey(db, passkey.user_id, has_passkey=True)


async def list_passkeys(db: Connection, user_id: UUID) -> list[Passkey]:
    """List the passkeys of a user, oldest first."""
    statement = PASSKEYS.select(passkeys.c.user_id == user_id).order_by(passkeys.c.id)
    return await PASSKEYS.all(db, statement)


async def list_page(db: Connection, user_id: UUID, paging: Paging) -> Listing[Passkey]:
    """List the passkeys of a user by pages."""
    return await PASSKEYS.page(db, user_id, paging)


async def fetch_passkey(db: Connection, credential_id: bytes) -> Passkey | None:
    """Fetch a passkey by the ID that its authenticator gave it."""
    return await PASSKEYS.one(db, PASSKEYS.select(passkeys.c.credential_id == credential_id))


async def mark_used(
    db: Connection, passkey: Passkey, sign_count: int, *, backed_up: bool, now: datetime
) -> bool:
    """Store the counter; of concurrent callers with the same one exactly one gets true."""
    goes_on = or_(
        passkeys.c.sign_count < sign_count,
        and_(passkeys.c.sign_count == 0, literal(sign_count) == 0),
    )
    used = await db.execute(
        update(passkeys)
        .where(passkeys.c.id == passkey.id, goes_on)
        .values(sign_count=sign_count, backed_up=backed_up, last_used_at=now)
    )
    return bool(used.rowcount)


async def delete_passkey(db: Connection, user_id: UUID, passkey_id: UUID) -> str | None:
    """Delete a passkey of the user, who must be locked; returns its name."""
    statement = (
        delete(passkeys)
        .where(passkeys.c.id == passkey_id, passkeys.c.user_id == user_id)
        .returning(passkeys.c.name)
    )
    name: str | None = (await db.execute(statement)).scalar_one_or_none()
    remaining = select(func.count()).select_from(passkeys).where(passkeys.c.user_id == user_id)
    has_passkey = bool((await db.execute(remaining)).scalar_one())
    await _set_has_passkey(db, user_id, has_passkey=has_passkey)
    return name


async def delete_passkeys(db: Connection, user_id: UUID) -> int:
    """Delete all passkeys of a user; returns how many."""
    deleted = await db.execute(delete(passkeys).where(passkeys.c.user_id == user_id))
    await _set_has_passkey(db, user_id, has_passkey=False)
    return deleted.rowcount


async def _set_has_passkey(db: Connection, user_id: UUID, *, has_passkey: bool) -> None:
    await db.execute(update(users).where(users.c.id == user_id).values(has_passkey=has_passkey))
