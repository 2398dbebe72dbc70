"""Signing in, and the rotation of refresh tokens."""

from dataclasses import dataclass, field
from datetime import timedelta

from licet_server.identity import errors
from licet_server.identity.rules.users import (
    ROTATION_GRACE_SECONDS,
    SESSION_DAYS,
    PasswordCredentials,
)
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.second_factor import accept_code
from licet_server.identity.service.sessions import UserSession, issue_tokens, open_session
from licet_server.identity.service.throttling import (
    KNOWN_FOR,
    limit_failures,
    limits_of_code,
    limits_of_password,
)
from licet_server.identity.service.tokens import digest
from licet_server.identity.storage.sessions import (
    end_sign_in,
    lock_refresh_token,
    mark_rotated,
    touch_sign_in,
)
from licet_server.identity.storage.users import (
    fetch_credentials,
    fetch_user,
    lock_user_with_password,
)
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInAttempt:
    """What a user sends to sign in."""

    email: str
    password: str = field(repr=False)
    otp_code: str | None = field(repr=False)
    user_agent: str | None


@dataclass(frozen=True, slots=True)
class SignIn:
    """Signs users in.

    Attempts are counted in transactions of their own, so that refused ones count as well, and no
    transaction is open while a password is hashed.
    """

    platform: Platform
    passwords: Passwords
    hooks: AccountHooks

    async def sign_in(self, origin: Origin, attempt: SignInAttempt) -> UserSession:
        """Check the password, and the code if the account has a second factor, and open a session.

        Unknown addresses take the same time and get the same refusal as wrong passwords.

        Raises:
            Refused: `InvalidCredentials`; `OtpRequired`, only after the right password;
                `RateLimited`.
        """
        credentials = await self._check_password(origin, attempt)
        tries_code = credentials.user.totp_enabled and attempt.otp_code is not None
        limits = limits_of_code(origin, credentials) if tries_code else ()
        async with (
            limit_failures(self.platform, *limits),
            self.platform.unit_of_work(origin) as work,
        ):
            # Locked: a concurrent password change either ends this session, or is noticed here.
            user = await lock_user_with_password(
                work.db, credentials.user.id, credentials.password_hash
            )
            if user is None:
                raise errors.invalid_credentials()
            if user.totp_enabled:
                if attempt.otp_code is None:
                    raise errors.otp_required()
                if not await accept_code(work, self.hooks, user, attempt.otp_code):
                    raise errors.invalid_credentials()
            return await open_session(work, self.hooks, user, attempt.user_agent)

    async def refresh(self, origin: Origin, token: str) -> UserSession:
        """Rotate a refresh token.

        A token that was rotated more than 10 seconds ago has been stolen or replayed: its whole
        session ends.

        Raises:
            Refused: `Unauthorized`.
        """
        async with self.platform.unit_of_work(origin) as work:
            session = await _rotate(work, self.hooks, token)
        if session is None:
            raise errors.session_ended()
        return session

    async def _check_password(self, origin: Origin, attempt: SignInAttempt) -> PasswordCredentials:
        known_since = self.platform.clock() - KNOWN_FOR
        async with self.platform.database.reading() as db:
            found = await fetch_credentials(db, attempt.email, origin.ip_address, known_since)
        async with limit_failures(self.platform, *limits_of_password(attempt.email, origin, found)):
            password_hash = found.password_hash if found else None
            fits = await self.passwords.matches(password_hash, attempt.password)
            if not fits or found is None:
                raise errors.invalid_credentials()
        return found


async def _rotate(work: UnitOfWork, hooks: AccountHooks, token: str) -> UserSession | None:
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
    return await issue_tokens(work, hooks, user, stored.sign_in_id)
