"""Sign-in, sign-out, and the rotation of refresh tokens."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.accounts import errors, storage
from licet_server.accounts.rules import (
    ROTATION_GRACE_SECONDS,
    SESSION_DAYS,
    Membership,
    Operator,
    Role,
    User,
)
from licet_server.accounts.service.tokens import digest, read_access_token, write_access_token
from licet_server.kit import limits
from licet_server.kit.database import Connection
from licet_server.kit.events import Origin
from licet_server.kit.keyring import Keyring
from licet_server.kit.passwords import Passwords
from licet_server.kit.work import Platform, Work

FAILED_SIGN_INS_A_MINUTE = 10


@dataclass(frozen=True, slots=True)
class Session:
    """What a sign-in hands out; the refresh token is shown this once."""

    access_token: str
    refresh_token: str
    user: User
    memberships: list[Membership]


async def sign_in(
    platform: Platform,
    passwords: Passwords,
    origin: Origin,
    email: str,
    password: str,
    user_agent: str | None,
) -> Session:
    """Check the password and open a session.

    Unknown addresses take the same time and get the same answer as wrong passwords. Failures are
    counted per account and per address of the caller.

    Raises:
        Refused: `InvalidCredentials`, `RateLimited`.
    """
    now = platform.clock()
    buckets = [f"sign-in:account:{digest(email).hex()}", f"sign-in:address:{origin.ip_address}"]
    for bucket in buckets:
        await limits.take(platform.database, bucket, FAILED_SIGN_INS_A_MINUTE, now)
    async with platform.database.reading() as db:
        found = await storage.fetch_password_hash(db, email)
    if not await passwords.matches(found[1] if found else None, password) or found is None:
        raise errors.invalid_credentials()
    for bucket in buckets:
        await limits.give_back(platform.database, bucket, now)
    async with platform.work(origin) as work:
        return await open_session(work, found[0], user_agent)


async def refresh(platform: Platform, origin: Origin, token: str) -> Session:
    """Rotate a refresh token.

    A token that was rotated more than 10 seconds ago is a stolen or replayed one: its whole
    session ends.

    Raises:
        Refused: `Unauthorized`.
    """
    async with platform.work(origin) as work:
        session = await _rotate(work, token)
    if session is None:
        raise errors.session_ended()
    return session


async def _rotate(work: Work, token: str) -> Session | None:
    stored = await storage.lock_refresh_token(work.db, digest(token))
    if stored is None or stored.ended_at is not None or stored.expires_at <= work.now:
        return None
    grace = timedelta(seconds=ROTATION_GRACE_SECONDS)
    if stored.rotated_at is not None and work.now - stored.rotated_at > grace:
        await storage.end_sign_in(work.db, stored.sign_in_id, work.now)
        return None
    user = await storage.fetch_user(work.db, stored.user_id)
    if user is None:
        return None
    await storage.mark_rotated(work.db, digest(token), work.now)
    expires_at = work.now + timedelta(days=SESSION_DAYS)
    await storage.touch_sign_in(work.db, stored.sign_in_id, work.now, expires_at)
    return await _issue_tokens(work, user, stored.sign_in_id)


async def sign_out(work: Work, token: str) -> None:
    """End the session of a refresh token; an unknown token changes nothing."""
    stored = await storage.lock_refresh_token(work.db, digest(token))
    if stored is not None:
        await storage.end_sign_in(work.db, stored.sign_in_id, work.now)


async def authenticate(
    db: Connection, keyring: Keyring, now: datetime, token: str, needed: Role
) -> Operator:
    """The operator whose access token this is, with his roles of this moment.

    Raises:
        Refused: `Unauthorized` for a wrong, expired or ended one.
    """
    user_id, sign_in_id = read_access_token(keyring, now, token)
    found = await storage.fetch_signed_in(db, user_id, sign_in_id)
    if found is None:
        raise errors.unauthorized()
    user, held = found
    roles = dict(held)
    if user.is_system_admin:
        for institution_id in await storage.fetch_all_institution_ids(db):
            roles[institution_id] = Role.OWNER
    return Operator(user.id, user.email, sign_in_id, user.is_system_admin, roles, needed)


async def open_session(work: Work, user: User, user_agent: str | None) -> Session:
    sign_in_id = work.new_id()
    await storage.insert_sign_in(
        work.db,
        sign_in_id=sign_in_id,
        user_id=user.id,
        now=work.now,
        expires_at=work.now + timedelta(days=SESSION_DAYS),
        ip_address=work.origin.ip_address,
        user_agent=user_agent[:300] if user_agent else None,
    )
    return await _issue_tokens(work, user, sign_in_id)


async def _issue_tokens(work: Work, user: User, sign_in_id: UUID) -> Session:
    refresh_token = secrets.token_urlsafe(32)
    await storage.insert_refresh_token(work.db, digest(refresh_token), sign_in_id, work.now)
    return Session(
        access_token=write_access_token(work.keyring, work.now, user.id, sign_in_id),
        refresh_token=refresh_token,
        user=user,
        memberships=await storage.fetch_memberships(work.db, user.id),
    )
