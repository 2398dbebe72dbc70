"""Sessions of users: opening, listing, ending, and authentication by access token."""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.memberships import Membership, SessionTrust, seen_by
from licet_server.identity.rules.users import (
    BY_PASSWORD,
    UNUSED_SESSION_DAYS,
    Evidence,
    SignedInUser,
    User,
    session_ends_at,
)
from licet_server.identity.service.hooks import AccountHooks, record_own_account_event
from licet_server.identity.service.throttling import KNOWN_FOR
from licet_server.identity.service.tokens import digest, read_access_token, write_access_token
from licet_server.identity.storage import sessions as storage
from licet_server.identity.storage.second_factors import delete_expired_challenges
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.keyring import Keyring
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

_USER_AGENT_MAX = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSession:
    """The tokens of a sign-in, with its user; the refresh token is shown only once.

    `lasts_for` is in seconds, unless the session is used before.
    """

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    lasts_for: int
    user: User
    memberships: Sequence[Membership]


async def open_session(
    work: UnitOfWork,
    hooks: AccountHooks,
    user: User,
    user_agent: str | None,
    evidence: Evidence = BY_PASSWORD,
) -> UserSession:
    """Sign in a user who has just proved themselves.

    Raises:
        Refused: `SsoRequired` if all their institutions sign in through identity providers.
    """
    await hooks.admit_session(work.db, user.id, evidence)
    sign_in_id = work.new_id()
    expires_at = session_ends_at(work.now, work.now)
    await storage.insert_sign_in(
        work.db,
        sign_in_id=sign_in_id,
        user_id=user.id,
        now=work.now,
        expires_at=expires_at,
        ip_address=work.origin.ip_address,
        user_agent=user_agent[:_USER_AGENT_MAX] if user_agent else None,
        evidence=evidence,
    )
    refresh_token = secrets.token_urlsafe(32)
    await storage.insert_refresh_token(work.db, digest(refresh_token), sign_in_id, work.now)
    return await session_with(
        work,
        hooks,
        user,
        sign_in_id=sign_in_id,
        refresh_token=refresh_token,
        expires_at=expires_at,
        trust=evidence.trust,
    )


async def session_with(
    work: UnitOfWork,
    hooks: AccountHooks,
    user: User,
    *,
    sign_in_id: UUID,
    refresh_token: str,
    expires_at: datetime,
    trust: SessionTrust,
) -> UserSession:
    """Return a sign-in with its refresh token and a new access token."""
    memberships = await hooks.list_memberships(work.db, [user.id])
    return UserSession(
        access_token=write_access_token(
            work.keyring, work.now, user_id=user.id, sign_in_id=sign_in_id
        ),
        refresh_token=refresh_token,
        lasts_for=int((expires_at - work.now).total_seconds()),
        user=user.seen_by(trust),
        memberships=seen_by(trust, memberships[user.id]),
    )


async def sign_out(work: UnitOfWork, token: str) -> None:
    """End the session of a refresh token; an unknown token changes nothing."""
    stored = await storage.lock_refresh_token(work.db, digest(token))
    if stored is not None:
        await storage.end_sign_in(work.db, stored.sign_in_id, work.now)


async def end_session(
    work: UnitOfWork, hooks: AccountHooks, user: SignedInUser, sign_in_id: UUID
) -> None:
    """End one session of the user; its tokens stop working immediately.

    Raises:
        Refused: `NotFound`.
    """
    if not await storage.end_own_sign_in(
        work.db, user.user_id, sign_in_id, work.now, through=user.through
    ):
        raise not_found("session")
    await record_own_account_event(
        work, hooks, EventKind.USER_SESSION_ENDED, user, within=user.through
    )


async def end_all_sessions(work: UnitOfWork, hooks: AccountHooks, user: SignedInUser) -> None:
    """Sign the user out everywhere, including the session of the request.

    For a session through an identity provider, everywhere that the provider has signed them in.
    """
    await storage.end_sign_ins(work.db, user.user_id, work.now, through=user.through)
    await record_own_account_event(
        work, hooks, EventKind.USER_ALL_SESSIONS_ENDED, user, within=user.through
    )


async def end_every_session(work: UnitOfWork) -> int:
    """End all sessions of all users; returns how many."""
    return await storage.end_every_sign_in(work.db, work.now)


async def authenticate_user(
    db: Connection, keyring: Keyring, now: datetime, token: str
) -> SignedInUser:
    """Return the user of an access token.

    Raises:
        Refused: `Unauthorized` for an invalid or expired token, or when the session has ended.
    """
    user_id, sign_in_id = read_access_token(keyring, now, token)
    found = await storage.fetch_signed_in(db, user_id, sign_in_id, now)
    if found is None:
        raise errors.unauthorized()
    user, session = found
    return SignedInUser(
        user_id=user.id,
        email=user.email,
        email_verified=user.email_verified,
        is_system_admin=user.is_system_admin and session.through is None,
        sign_in_id=sign_in_id,
        totp_enabled=user.totp_enabled,
        has_passkey=user.has_passkey,
        proof=session.proof,
        has_used_factor=session.has_used_factor,
        through=session.through,
        signs_in_alone=user.signs_in_alone,
    )


def sign_in_of(session: UserSession, keyring: Keyring, now: datetime) -> UUID:
    """Return the sign-in of a session that has just been opened."""
    return read_access_token(keyring, now, session.access_token)[1]


KEPT_AFTER_END = timedelta(days=30)
BATCH_SIZE = 500
_BATCHES_PER_RUN = 20


async def forget_sign_ins(platform: Platform) -> int:
    """Delete what is no longer needed, up to a limit per run; returns the number of rows.

    Tokens go first, so that few are left to be deleted with their sign-ins. Several processes may
    run this at once: each skips the rows that another one has locked.
    """
    now = platform.clock()
    unused_since, ended_before = now - KNOWN_FOR, now - KEPT_AFTER_END
    rotated_before = now - timedelta(days=UNUSED_SESSION_DAYS)
    tokens, all_gone = await _in_batches(
        platform, lambda db: storage.delete_rotated_tokens(db, rotated_before, BATCH_SIZE)
    )
    if not all_gone:
        return tokens
    challenges, _ = await _in_batches(
        platform, lambda db: delete_expired_challenges(db, now, BATCH_SIZE)
    )
    sign_ins, _ = await _in_batches(
        platform, lambda db: storage.delete_sign_ins(db, unused_since, ended_before, BATCH_SIZE)
    )
    return tokens + challenges + sign_ins


async def _in_batches(
    platform: Platform, delete: Callable[[Connection], Awaitable[int]]
) -> tuple[int, bool]:
    """Delete one batch per transaction; returns the number of rows, and whether none are left."""
    count = 0
    for _ in range(_BATCHES_PER_RUN):
        async with platform.database.transaction() as db:
            deleted = await delete(db)
        count += deleted
        if deleted < BATCH_SIZE:
            return count, True
    return count, False
