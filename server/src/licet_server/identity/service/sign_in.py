"""Sign-in, and rotation of refresh tokens."""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from licet_server.identity import errors
from licet_server.identity.rules.users import (
    BY_PASSWORD,
    ROTATION_GRACE_SECONDS,
    Evidence,
    PasswordCredentials,
    ProofMethod,
    RefreshToken,
    User,
    session_ends_at,
)
from licet_server.identity.service.account_security import accept_code
from licet_server.identity.service.hooks import AccountHooks, ProviderCheck
from licet_server.identity.service.passkeys import Passkeys
from licet_server.identity.service.sessions import UserSession, open_session, session_with
from licet_server.identity.service.throttling import (
    KNOWN_FOR,
    limit_failures,
    limits_of_code,
    limits_of_password,
)
from licet_server.identity.service.tokens import digest, successor_of
from licet_server.identity.service.webauthn import Credential
from licet_server.identity.storage import sessions as storage
from licet_server.identity.storage.users import (
    fetch_credentials,
    fetch_user,
    lock_user_with_password,
)
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

_SALT_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInAttempt:
    """A request to sign in."""

    email: str
    password: str = field(repr=False)
    otp_code: str | None = field(repr=False)
    passkey: Credential | None = field(repr=False)
    user_agent: str | None

    @property
    def has_factor(self) -> bool:
        """Return whether a second factor is sent."""
        return self.otp_code is not None or self.passkey is not None


@dataclass(frozen=True, slots=True)
class SignIn:
    """Signs users in.

    Attempts are counted in transactions of their own, so that refused ones count as well, and no
    transaction is open while a password is hashed.
    """

    platform: Platform
    passwords: Passwords
    hooks: AccountHooks
    passkeys: Passkeys
    provider: ProviderCheck

    async def sign_in(self, origin: Origin, attempt: SignInAttempt) -> UserSession:
        """Check the password, and the code if the account has a second factor, and open a session.

        Unknown addresses take the same time and get the same refusal as wrong passwords.

        Raises:
            Refused: `InvalidCredentials`; `OtpRequired`, only after the right password;
                `Forbidden` if the account is disabled, only after all of them; `RateLimited`.
        """
        credentials = await self._check_password(origin, attempt)
        tries_factor = credentials.user.has_second_factor and attempt.has_factor
        limits = limits_of_code(origin, credentials) if tries_factor else ()
        async with limit_failures(self.platform, *limits):
            challenge = await self._take_challenge(origin, credentials.user, attempt)
            outcome = await self._open(origin, credentials, attempt, challenge)
        if isinstance(outcome, UserSession):
            return outcome
        raise outcome

    async def _take_challenge(
        self, origin: Origin, user: User, attempt: SignInAttempt
    ) -> bytes | None:
        if attempt.passkey is None or not user.has_passkey:
            return None
        return await self.passkeys.take_second_factor(origin, user.id, attempt.passkey)

    async def _open(
        self,
        origin: Origin,
        credentials: PasswordCredentials,
        attempt: SignInAttempt,
        challenge: bytes | None,
    ) -> UserSession | Refused:
        """Return the session; or, once its challenge is stored, the request for a second factor."""
        async with self.platform.unit_of_work(origin) as work:
            # Locked: a concurrent password change either ends this session, or is noticed here.
            user = await lock_user_with_password(
                work.db, credentials.user.id, credentials.password_hash
            )
            if user is None:
                raise errors.invalid_credentials()
            evidence = BY_PASSWORD
            if user.has_second_factor:
                method = await self._second_factor(work, user, attempt, challenge)
                if method is None:
                    return await self._ask_for_factor(work, user)
                evidence = Evidence(methods=(ProofMethod.PASSWORD, method), second_factor=True)
            if user.is_disabled:
                raise errors.account_disabled()
            return await open_session(work, self.hooks, user, attempt.user_agent, evidence)

    async def _second_factor(
        self, work: UnitOfWork, user: User, attempt: SignInAttempt, challenge: bytes | None
    ) -> ProofMethod | None:
        """Return what the attempt proves besides the password; `None` if it sends nothing.

        Raises:
            Refused: `InvalidCredentials` for a wrong code or a passkey that is not accepted.
        """
        if attempt.passkey is not None and challenge is not None:
            if await self.passkeys.accept_second_factor(work, user, attempt.passkey, challenge):
                return ProofMethod.PASSKEY
            raise errors.invalid_credentials()
        if attempt.otp_code is None:
            return None
        if not await accept_code(work, self.hooks, user, attempt.otp_code):
            raise errors.invalid_credentials()
        return ProofMethod.OTP

    async def _ask_for_factor(self, work: UnitOfWork, user: User) -> Refused:
        passkey = await self.passkeys.offer_second_factor(work, user)
        methods = [ProofMethod.PASSKEY] if passkey else []
        return errors.otp_required([*methods, ProofMethod.OTP], passkey)

    async def refresh(self, origin: Origin, token: str) -> UserSession:
        """Rotate a refresh token.

        One that was rotated up to 10 seconds ago gives the token that is current now, as for a
        second tab. One that was rotated before has been stolen or replayed: its whole session ends.

        Raises:
            Refused: `Unauthorized`.
        """
        await self._ask_provider(origin, token)
        async with self.platform.unit_of_work(origin) as work:
            session = await _rotate(work, self.hooks, token)
        if session is None:
            raise errors.session_ended()
        return session

    async def _ask_provider(self, origin: Origin, token: str) -> None:
        """End the session if an identity provider signed its user in and no longer admits them.

        No transaction is open while the provider is asked.
        """
        async with self.platform.database.reading() as db:
            stored = await storage.fetch_refresh_token(db, digest(token))
        now = self.platform.clock()
        if stored is None or stored.through is None or not stored.is_usable(now):
            return
        is_admitted = await self.provider.still_admits(
            origin,
            institution_id=stored.through,
            sign_in_id=stored.sign_in_id,
            user_id=stored.user_id,
        )
        if not is_admitted:
            async with self.platform.unit_of_work(origin) as work:
                await storage.end_sign_in(work.db, stored.sign_in_id, work.now)

    async def _check_password(self, origin: Origin, attempt: SignInAttempt) -> PasswordCredentials:
        known_since = self.platform.clock() - KNOWN_FOR
        async with self.platform.database.reading() as db:
            found = await fetch_credentials(db, attempt.email, origin.ip_address, known_since)
        async with limit_failures(self.platform, *limits_of_password(attempt.email, origin, found)):
            password_hash = found.password_hash if found else None
            matches = await self.passwords.matches(password_hash, attempt.password)
            if not matches or found is None:
                raise errors.invalid_credentials()
        return found


async def _rotate(work: UnitOfWork, hooks: AccountHooks, token: str) -> UserSession | None:
    stored = await storage.lock_refresh_token(work.db, digest(token))
    if stored is None or stored.ended_at is not None or stored.expires_at <= work.now:
        return None
    user = await fetch_user(work.db, stored.user_id)
    if user is None or user.is_disabled:
        return None
    current = await _current_token(work, token, stored)
    if current is None:
        return None
    expires_at = session_ends_at(stored.signed_in_at, work.now)
    await storage.touch_sign_in(work.db, stored.sign_in_id, work.now, expires_at)
    return await session_with(
        work,
        hooks,
        user,
        sign_in_id=stored.sign_in_id,
        refresh_token=current,
        expires_at=expires_at,
        trust=stored.trust,
    )


async def _current_token(work: UnitOfWork, token: str, stored: RefreshToken) -> str | None:
    """Return the current token: a new successor, or the one that others got for the same token.

    Expects the session locked. Ends it if the token was rotated too long ago.
    """
    if stored.rotated_at is None:
        salt = secrets.token_bytes(_SALT_BYTES)
        await storage.mark_rotated(work.db, digest(token), work.now, salt)
        successor = successor_of(token, salt)
        await storage.insert_refresh_token(work.db, digest(successor), stored.sign_in_id, work.now)
        return successor
    if work.now - stored.rotated_at > timedelta(seconds=ROTATION_GRACE_SECONDS):
        await storage.end_sign_in(work.db, stored.sign_in_id, work.now)
        return None
    current: RefreshToken | None = stored
    while current is not None and current.successor_salt is not None:
        token = successor_of(token, current.successor_salt)
        current = await storage.fetch_refresh_token(work.db, digest(token))
    return None if current is None else token
