"""Queries of sign-ins and refresh tokens."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Update,
    bindparam,
    func,
    insert,
    select,
    true,
    update,
)

from licet_server.identity.rules.memberships import SessionTrust
from licet_server.identity.rules.users import (
    Evidence,
    Proof,
    ProofMethod,
    RefreshToken,
    SignInSession,
    User,
)
from licet_server.identity.storage.users import user_of
from licet_server.identity.tables import refresh_tokens, sign_ins, users
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import delete_oldest, insert_rows

_METHODS = {method.value: method for method in ProofMethod}

_SIGN_INS = Rows[SignInSession, UUID](
    sign_ins,
    SignInSession,
    lambda user_id: sign_ins.c.user_id == user_id,
    sortable={"createdAt": sign_ins.c.created_at, "lastUsedAt": sign_ins.c.last_used_at},
)
PROOF = (
    sign_ins.c.authenticated_at,
    sign_ins.c.methods,
    sign_ins.c.has_used_factor,
    sign_ins.c.through_institution_id,
)


def signed_in(
    user_id: ColumnElement[UUID], sign_in_id: ColumnElement[UUID], *more: ColumnElement[Any]
) -> Select[Any]:
    """Select the user and the proof of each sign-in that has not ended, and more columns.

    Its parameter is `now`.
    """
    return (
        select(users, sign_ins.c.id.label("sign_in_id"), *PROOF, *more)
        .select_from(users)
        .join(sign_ins, sign_ins.c.user_id == users.c.id)
        .where(
            users.c.id == user_id,
            sign_ins.c.id == sign_in_id,
            users.c.disabled_at.is_(None),
            sign_ins.c.ended_at.is_(None),
            sign_ins.c.expires_at > bindparam("now", type_=Instant),
        )
    )


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """The proof and the trust of a session: see `SignedInUser`."""

    proof: Proof
    has_used_factor: bool
    through: UUID | None

    @property
    def trust(self) -> SessionTrust:
        """Return how far the session is trusted."""
        return SessionTrust(self.has_used_factor, self.through)


def facts_of(row: Row[Any]) -> SessionFacts:
    """Return the session in a row of `signed_in`."""
    methods = tuple(_METHODS[name] for name in row.methods if name in _METHODS)
    proof = Proof(row.authenticated_at, methods)
    return SessionFacts(proof, row.has_used_factor, row.through_institution_id)


_SIGNED_IN = signed_in(bindparam("user_id", type_=Id), bindparam("sign_in_id", type_=Id))


async def fetch_signed_in(
    db: Connection, user_id: UUID, sign_in_id: UUID, now: datetime
) -> tuple[User, SessionFacts] | None:
    """Fetch the user of a sign-in that has not ended, and how they signed in."""
    given = {"user_id": user_id, "sign_in_id": sign_in_id, "now": now}
    row = (await db.execute(_SIGNED_IN, given)).one_or_none()
    return None if row is None else (user_of(row), facts_of(row))


async def insert_sign_in(
    db: Connection,
    *,
    sign_in_id: UUID,
    user_id: UUID,
    now: datetime,
    expires_at: datetime,
    ip_address: str | None,
    user_agent: str | None,
    evidence: Evidence,
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
            authenticated_at=evidence.at or now,
            methods=list(evidence.methods),
            has_used_factor=evidence.second_factor,
            through_institution_id=evidence.through,
        )
    )


async def mark_factor_used(db: Connection, sign_in_id: UUID) -> None:
    """Record permanently that a second factor was used in the session."""
    await db.execute(
        update(sign_ins).where(sign_ins.c.id == sign_in_id).values(has_used_factor=True)
    )


async def save_proof(db: Connection, sign_in_id: UUID, proof: Proof) -> None:
    await db.execute(
        update(sign_ins)
        .where(sign_ins.c.id == sign_in_id, sign_ins.c.ended_at.is_(None))
        .values(authenticated_at=proof.at, methods=list(proof.methods))
    )


async def insert_refresh_token(
    db: Connection, token_hash: bytes, sign_in_id: UUID, now: datetime
) -> None:
    row = {"token_hash": token_hash, "sign_in_id": sign_in_id, "issued_at": now}
    await insert_rows(db, refresh_tokens, [row])


@kept
def _refresh_token(token_hash: bytes, is_locked: bool) -> Select[Any]:
    statement = (
        select(
            refresh_tokens.c.sign_in_id,
            refresh_tokens.c.rotated_at,
            refresh_tokens.c.successor_salt,
            sign_ins.c.user_id,
            sign_ins.c.created_at.label("signed_in_at"),
            sign_ins.c.expires_at,
            sign_ins.c.ended_at,
            sign_ins.c.has_used_factor,
            sign_ins.c.through_institution_id.label("through"),
        )
        .join(sign_ins, sign_ins.c.id == refresh_tokens.c.sign_in_id)
        .where(refresh_tokens.c.token_hash == token_hash)
    )
    return statement.with_for_update() if is_locked else statement


async def lock_refresh_token(db: Connection, token_hash: bytes) -> RefreshToken | None:
    """Fetch the token and its sign-in `FOR UPDATE`."""
    row = (await db.execute(*_refresh_token(token_hash, True))).one_or_none()
    return None if row is None else RefreshToken(**row._mapping)


async def fetch_refresh_token(db: Connection, token_hash: bytes) -> RefreshToken | None:
    """Fetch another token of a sign-in that is locked; locking both could deadlock."""
    row = (await db.execute(*_refresh_token(token_hash, False))).one_or_none()
    return None if row is None else RefreshToken(**row._mapping)


async def mark_rotated(
    db: Connection, token_hash: bytes, now: datetime, successor_salt: bytes
) -> None:
    await db.execute(*_rotated(token_hash, now, successor_salt))


@kept
def _rotated(of_token: bytes, now: datetime, salt: bytes) -> Update:
    return (
        update(refresh_tokens)
        .where(refresh_tokens.c.token_hash == of_token)
        .values(rotated_at=now, successor_salt=salt)
    )


async def touch_sign_in(
    db: Connection, sign_in_id: UUID, now: datetime, expires_at: datetime
) -> None:
    await db.execute(*_touched(sign_in_id, now, expires_at))


@kept
def _touched(of_sign_in: UUID, now: datetime, until: datetime) -> Update:
    return (
        update(sign_ins)
        .where(sign_ins.c.id == of_sign_in)
        .values(last_used_at=now, expires_at=until)
    )


def _ending(now: datetime, *where: ColumnElement[bool]) -> Update:
    """Return the statement that ends the sessions which meet the conditions and go on."""
    going_on = (sign_ins.c.ended_at.is_(None), sign_ins.c.expires_at > now)
    return update(sign_ins).where(*going_on, *where).values(ended_at=now)


async def end_sign_in(db: Connection, sign_in_id: UUID, now: datetime) -> None:
    await db.execute(_ending(now, sign_ins.c.id == sign_in_id))


def _seen_through(through: UUID | None) -> ColumnElement[bool]:
    """Limit sessions to those through the provider; without one, to all."""
    return true() if through is None else sign_ins.c.through_institution_id == through


async def end_sign_ins(
    db: Connection,
    user_id: UUID,
    now: datetime,
    except_for: UUID | None = None,
    through: UUID | None = None,
) -> int:
    """End all sessions of the user, or those through a provider, but one; returns how many."""
    statement = _ending(now, sign_ins.c.user_id == user_id, _seen_through(through))
    if except_for is not None:
        statement = statement.where(sign_ins.c.id != except_for)
    return (await db.execute(statement)).rowcount


async def end_every_sign_in(db: Connection, now: datetime) -> int:
    """End all sessions of all users; returns how many."""
    return (await db.execute(_ending(now))).rowcount


async def end_own_sign_in(
    db: Connection, user_id: UUID, sign_in_id: UUID, now: datetime, through: UUID | None
) -> bool:
    """End the session; returns whether it was one of the user's, through the provider if given."""
    own = (sign_ins.c.id == sign_in_id, sign_ins.c.user_id == user_id, _seen_through(through))
    return bool((await db.execute(_ending(now, *own))).rowcount)


async def list_sign_ins(
    db: Connection, user_id: UUID, now: datetime, paging: Paging, through: UUID | None
) -> Listing[SignInSession]:
    """List the sessions of the user, through the provider if one is given, newest first."""
    return await _SIGN_INS.page(db, user_id, paging, _in_use, now, through)


def _in_use(now: datetime, through: UUID | None) -> list[ColumnElement[bool]]:
    return [
        sign_ins.c.ended_at.is_(None),
        sign_ins.c.expires_at > now,
        _seen_through(through),
    ]


async def delete_sign_ins(
    db: Connection, unused_since: datetime, ended_before: datetime, limit: int
) -> int:
    """Delete sign-ins that were last used and that ended before these times; returns how many.

    Their refresh tokens are deleted with them. Concurrent callers delete different rows.
    """
    return await delete_oldest(
        db,
        sign_ins.c.id,
        sign_ins.c.last_used_at,
        limit,
        sign_ins.c.last_used_at < unused_since,
        func.least(sign_ins.c.ended_at, sign_ins.c.expires_at) < ended_before,
    )


async def delete_rotated_tokens(db: Connection, rotated_before: datetime, limit: int) -> int:
    """Delete rotated tokens; returns how many. Concurrent callers delete different rows."""
    key, rotated_at = refresh_tokens.c.token_hash, refresh_tokens.c.rotated_at
    return await delete_oldest(db, key, rotated_at, limit, rotated_at < rotated_before)
