"""Sign-in, sign-out, where somebody is signed in, and the rotation of refresh tokens."""

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.people import (
    ROTATION_GRACE_SECONDS,
    SESSION_DAYS,
    Credentials,
    Membership,
    SignIn,
    User,
)
from licet_server.identity.service.account_events import tell
from licet_server.identity.service.second_factor import accept_code
from licet_server.identity.service.throttling import (
    KNOWN_FOR,
    code_buckets,
    counted,
    password_buckets,
)
from licet_server.identity.service.tokens import digest, read_access_token, write_access_token
from licet_server.identity.storage import sessions
from licet_server.identity.storage.sessions import (
    end_own_sign_in,
    end_sign_in,
    end_sign_ins,
    fetch_signed_in,
    insert_refresh_token,
    insert_sign_in,
    lock_refresh_token,
    mark_rotated,
    touch_sign_in,
)
from licet_server.identity.storage.users import (
    fetch_credentials,
    fetch_memberships,
    fetch_user,
    lock_user,
)
from licet_server.institutions.rules.operators import Operator, Role, grants_of
from licet_server.institutions.storage.role_grants import fetch_all_institutions
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.keyring import Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Session:
    """What a sign-in hands out; the refresh token is shown this once."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    user: User
    memberships: list[Membership]


@dataclass(frozen=True, slots=True)
class SignInAttempt:
    """What somebody sends to sign in."""

    email: str
    password: str = field(repr=False)
    otp_code: str | None = field(repr=False)
    user_agent: str | None


async def sign_in(
    platform: Platform, passwords: Passwords, origin: Origin, attempt: SignInAttempt
) -> Session:
    """Check the password, and the code where there is a second factor, and open a session.

    Unknown addresses take the same work and get the same answer as wrong passwords.

    Raises:
        Refused: `InvalidCredentials`; `OtpRequired`, after the right password only; `RateLimited`.
    """
    credentials = await _check_password(platform, passwords, origin, attempt)
    tries_code = credentials.user.totp_enabled and attempt.otp_code is not None
    buckets = code_buckets(origin, credentials) if tries_code else ()
    async with counted(platform, *buckets), platform.unit_of_work(origin) as work:
        # Held, so that a change of the password either sees this session, to end it, or is seen.
        user = await lock_user(work.db, credentials.user.id, credentials.password_hash)
        if user is None:
            raise errors.invalid_credentials()
        if user.totp_enabled:
            if attempt.otp_code is None:
                raise errors.otp_required()
            if not await accept_code(work, user, attempt.otp_code):
                raise errors.invalid_credentials()
        return await open_session(work, user, attempt.user_agent)


async def _check_password(
    platform: Platform, passwords: Passwords, origin: Origin, attempt: SignInAttempt
) -> Credentials:
    async with platform.database.reading() as db:
        found = await fetch_credentials(
            db, attempt.email, origin.ip_address, platform.clock() - KNOWN_FOR
        )
    async with counted(platform, *password_buckets(attempt.email, origin, found)):
        password_hash = found.password_hash if found else None
        if not await passwords.matches(password_hash, attempt.password) or found is None:
            raise errors.invalid_credentials()
    return found


async def refresh(platform: Platform, origin: Origin, token: str) -> Session:
    """Rotate a refresh token.

    A token that was rotated more than 10 seconds ago is a stolen or replayed one: its whole
    session ends.

    Raises:
        Refused: `Unauthorized`.
    """
    async with platform.unit_of_work(origin) as work:
        session = await _rotate(work, token)
    if session is None:
        raise errors.session_ended()
    return session


async def _rotate(work: UnitOfWork, token: str) -> Session | None:
    stored = await lock_refresh_token(work.db, digest(token))
    if stored is None or stored.ended_at is not None or stored.expires_at <= work.now:
        return None
    grace = timedelta(seconds=ROTATION_GRACE_SECONDS)
    if stored.rotated_at is not None and work.now - stored.rotated_at > grace:
        await end_sign_in(work.db, stored.sign_in_id, work.now)
        return None
    user = await fetch_user(work.db, stored.user_id)
    if user is None:
        return None
    await mark_rotated(work.db, digest(token), work.now)
    expires_at = work.now + timedelta(days=SESSION_DAYS)
    await touch_sign_in(work.db, stored.sign_in_id, work.now, expires_at)
    return await _issue_tokens(work, user, stored.sign_in_id)


async def sign_out(work: UnitOfWork, token: str) -> None:
    """End the session of a refresh token; an unknown token changes nothing."""
    stored = await lock_refresh_token(work.db, digest(token))
    if stored is not None:
        await end_sign_in(work.db, stored.sign_in_id, work.now)


async def list_sign_ins(
    db: Connection, operator: Operator, now: datetime, paging: Paging
) -> Listing[SignIn]:
    """Where the operator is signed in, newest first."""
    return await sessions.list_sign_ins(db, operator.user_id, now, paging)


async def end_session(work: UnitOfWork, operator: Operator, sign_in_id: UUID) -> None:
    """Sign out at one place; its tokens stop working at once.

    Raises:
        Refused: `NotFound`.
    """
    if not await end_own_sign_in(work.db, operator.user_id, sign_in_id, work.now):
        raise not_found("session")
    await tell(work, EventKind.USER_SESSION_ENDED, operator.user_id, operator.email)


async def end_all_sessions(work: UnitOfWork, operator: Operator) -> None:
    """Sign out everywhere, here too."""
    await end_sign_ins(work.db, operator.user_id, work.now)
    await tell(work, EventKind.USER_ALL_SESSIONS_ENDED, operator.user_id, operator.email)


async def authenticate(
    db: Connection, keyring: Keyring, now: datetime, token: str, address: str, needed: Role
) -> Operator:
    """The operator whose access token this is, with his roles of this moment.

    Raises:
        Refused: `Unauthorized` for a wrong, expired or ended one.
    """
    user_id, sign_in_id = read_access_token(keyring, now, token)
    found = await fetch_signed_in(db, user_id, sign_in_id)
    if found is None:
        raise errors.unauthorized()
    user, held, assigned = found
    if user.is_system_admin:
        held += await fetch_all_institutions(db)
    grants = grants_of(held, address, products=assigned.products, releases=assigned.releases)
    return Operator(
        user.id, user.email, sign_in_id, user.is_system_admin, grants, needed, user.email_verified
    )


async def open_session(work: UnitOfWork, user: User, user_agent: str | None) -> Session:
    sign_in_id = work.new_id()
    await insert_sign_in(
        work.db,
        sign_in_id=sign_in_id,
        user_id=user.id,
        now=work.now,
        expires_at=work.now + timedelta(days=SESSION_DAYS),
        ip_address=work.origin.ip_address,
        user_agent=user_agent[:300] if user_agent else None,
    )
    return await _issue_tokens(work, user, sign_in_id)


async def _issue_tokens(work: UnitOfWork, user: User, sign_in_id: UUID) -> Session:
    refresh_token = secrets.token_urlsafe(32)
    await insert_refresh_token(work.db, digest(refresh_token), sign_in_id, work.now)
    return Session(
        access_token=write_access_token(work.keyring, work.now, user.id, sign_in_id),
        refresh_token=refresh_token,
        user=user,
        memberships=await fetch_memberships(work.db, user.id),
    )
