"""Changes of an account that its user confirms with the password or a second factor."""

import base64
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.second_factors import (
    RECOVERY_CODE_SYMBOLS,
    RECOVERY_CODES,
    SECRET_BYTES,
    matching_step,
    normal_code,
    otpauth_uri,
    recovery_code,
)
from licet_server.identity.rules.users import SECOND_FACTORS, Proof, ProofMethod, SignedInUser, User
from licet_server.identity.service import emails
from licet_server.identity.service.hooks import AccountHooks, record_own_account_event
from licet_server.identity.service.throttling import (
    KNOWN_FOR,
    limit_failures,
    limits_of_confirmation,
    limits_of_step_up,
)
from licet_server.identity.service.tokens import digest
from licet_server.identity.service.users import lock_signed_in, lock_to_change
from licet_server.identity.storage import second_factors
from licet_server.identity.storage.emailed_tokens import delete_tokens
from licet_server.identity.storage.sessions import end_sign_ins, mark_factor_used, save_proof
from licet_server.identity.storage.users import (
    fetch_own_credentials,
    lock_user_with_password,
    update_password_hash,
)
from licet_server.kit.errors import conflict
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFactor:
    """A secret for an authenticator app, shown only once."""

    secret: str = field(repr=False)
    otpauth_uri: str = field(repr=False)


async def offer_second_factor(work: UnitOfWork, user: SignedInUser) -> OfferedFactor:
    """Create a secret that takes effect once a code of it is confirmed; replaces an earlier offer.

    The address must be verified: otherwise an attacker who signs up with the address of
    someone else could lock them out of it.

    Raises:
        Refused: `Forbidden`, `Conflict` if a second factor is already turned on.
    """
    user.require_verified_email()
    user.require_proof(work.now, user.enrolling_proofs)
    await lock_to_change(work, user)
    secret = base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()
    sealed = work.keyring.seal(secret.encode(), _place(user.user_id))
    if not await second_factors.offer_factor(work.db, user.user_id, sealed):
        raise conflict("A second factor is already turned on. Turn it off first.")
    return OfferedFactor(secret=secret, otpauth_uri=otpauth_uri(secret, user.email))


async def turn_on(
    work: UnitOfWork, hooks: AccountHooks, user: SignedInUser, code: str
) -> list[str]:
    """Turn on the offered second factor with a code of it; returns the recovery codes.

    Raises:
        Refused: `InvalidCredentials`, `Conflict` if none was offered.
    """
    await lock_to_change(work, user)
    factor = await second_factors.fetch_factor(work.db, user.user_id)
    if factor is None or factor.is_confirmed:
        raise conflict(
            "No second factor is waiting for a code. Create one with POST /api/auth/totp."
        )
    step = _matching_step(work, user.user_id, factor.sealed, normal_code(code))
    if step is None:
        raise errors.wrong_code()
    if not await second_factors.confirm_factor(
        work.db, user.user_id, factor.sealed, step, work.now
    ):
        raise conflict("The second factor was changed in the meantime. Reload it and try again.")
    await record_own_account_event(work, hooks, EventKind.USER_TOTP_ENABLED, user)
    await emails.notify(work, user.email, emails.SECOND_FACTOR_ON)
    return await replace_recovery_codes(work, user.user_id)


async def replace_recovery_codes(work: UnitOfWork, user_id: UUID) -> list[str]:
    """Create recovery codes; earlier ones stop working.

    The caller locks the user, so that of two concurrent replacements only one set remains.
    """
    codes = [
        recovery_code(secrets.token_bytes(RECOVERY_CODE_SYMBOLS)) for _ in range(RECOVERY_CODES)
    ]
    hashes = [digest(normal_code(code)) for code in codes]
    await second_factors.replace_recovery_codes(work.db, user_id, hashes)
    return codes


async def accept_code(work: UnitOfWork, hooks: AccountHooks, user: User, code: str) -> bool:
    """Check a code from the app, or a recovery code; either works once."""
    factor = await second_factors.fetch_factor(work.db, user.id)
    plain = normal_code(code)
    if factor is not None and factor.is_confirmed:
        step = _matching_step(work, user.id, factor.sealed, plain)
        if step is not None:
            return await second_factors.use_step(work.db, user.id, step)
    if not await second_factors.use_recovery_code(work.db, user.id, digest(plain)):
        return False
    await record_own_account_event(work, hooks, EventKind.USER_RECOVERY_CODE_USED, user)
    return True


def _matching_step(work: UnitOfWork, user_id: UUID, sealed: bytes, plain: str) -> int | None:
    """Return the step of a code; no code fits a secret that was lost with its master key."""
    secret = work.keyring.reveal(sealed, _place(user_id))
    return None if secret is None else matching_step(secret, plain, work.now)


def _place(user_id: UUID) -> str:
    return f"users.totp_secret:{user_id}"


@dataclass(frozen=True, slots=True)
class AccountSecurity:
    """Changes the password and the second factor of signed-in users.

    Attempts are counted in transactions of their own, so that refused ones count as well, and no
    transaction is open while a password is hashed.
    """

    platform: Platform
    passwords: Passwords
    hooks: AccountHooks

    async def step_up(
        self, origin: Origin, user: SignedInUser, *, password: str | None, code: str | None
    ) -> Proof:
        """Prove who the user is, with the password, with a code, or with both.

        `Passkeys.step_up` is for passkeys.

        Raises:
            Refused: `InvalidCredentials`, `RateLimited`.
        """
        methods: list[ProofMethod] = []
        async with limit_failures(self.platform, *limits_of_step_up(user, origin)):
            if password is not None:
                await self._check_password(origin, user, password)
                methods.append(ProofMethod.PASSWORD)
            async with self.platform.unit_of_work(origin) as work:
                if code is not None:
                    await self._accept_code(work, await lock_signed_in(work, user.user_id), code)
                    methods.append(ProofMethod.OTP)
                    await mark_factor_used(work.db, user.sign_in_id)
                proof = Proof(work.now, tuple(methods))
                await save_proof(work.db, user.sign_in_id, proof)
        return proof

    async def change_password(
        self, origin: Origin, user: SignedInUser, *, current: str, new: str
    ) -> None:
        """Set a new password and end all other sessions.

        Raises:
            Refused: `InvalidCredentials`, `RateLimited`.
        """
        confirmed_hash = await self._confirm_password(origin, user, current)
        new_hash = await self.passwords.hash(new)
        async with self.platform.unit_of_work(origin) as work:
            locked = await _lock(work, user, confirmed_hash)
            await update_password_hash(work.db, locked.id, new_hash)
            await delete_tokens(work.db, locked.id, "PasswordReset")
            await second_factors.delete_challenges(work.db, locked.id)
            await end_sign_ins(work.db, locked.id, work.now, except_for=user.sign_in_id)
            proof = Proof(work.now, (ProofMethod.PASSWORD,))
            await save_proof(work.db, user.sign_in_id, proof)
            await record_own_account_event(
                work, self.hooks, EventKind.USER_PASSWORD_CHANGED, locked
            )
            if locked.email_verified:  # otherwise the address may belong to someone else
                await emails.notify(work, locked.email, emails.PASSWORD_CHANGED)

    async def confirm_second_factor(
        self, origin: Origin, user: SignedInUser, code: str
    ) -> list[str]:
        """Turn on the offered second factor; returns the recovery codes, shown only once.

        The code counts as used.

        Raises:
            Refused: `InvalidCredentials`, `RateLimited`, `Conflict` if none was offered.
        """
        async with (
            limit_failures(self.platform, *limits_of_confirmation(user)),
            self.platform.unit_of_work(origin) as work,
        ):
            user.require_proof(work.now, user.enrolling_proofs)
            codes = await turn_on(work, self.hooks, user, code)
            await mark_factor_used(work.db, user.sign_in_id)
            return codes

    async def disable_second_factor(
        self, origin: Origin, user: SignedInUser, code: str | None
    ) -> None:
        """Turn the second factor off, with a code unless the session has recently used one.

        Raises:
            Refused: `InvalidCredentials`, `StepUpRequired`, `RateLimited`, `Conflict` without a
                second factor.
        """
        async with self._with_second_factor(origin, user, code) as (work, locked):
            if not await second_factors.remove_factor(work.db, locked.id):
                raise conflict("No authenticator app is turned on.")
            await record_own_account_event(work, self.hooks, EventKind.USER_TOTP_DISABLED, locked)
            await emails.notify(work, locked.email, emails.SECOND_FACTOR_OFF)

    async def renew_recovery_codes(
        self, origin: Origin, user: SignedInUser, code: str | None
    ) -> list[str]:
        """Replace the recovery codes; returns the new ones, shown only once.

        They are second factors themselves, so one is needed, as to turn the second factor off.

        Raises:
            Refused: `InvalidCredentials`, `StepUpRequired`, `RateLimited`, `Conflict` without a
                second factor.
        """
        async with self._with_second_factor(origin, user, code) as (work, locked):
            codes = await replace_recovery_codes(work, locked.id)
            await record_own_account_event(
                work, self.hooks, EventKind.USER_RECOVERY_CODES_RENEWED, locked
            )
            await emails.notify(work, locked.email, emails.RECOVERY_CODES_RENEWED)
        return codes

    @asynccontextmanager
    async def _with_second_factor(
        self, origin: Origin, user: SignedInUser, code: str | None
    ) -> AsyncIterator[tuple[UnitOfWork, User]]:
        """Open a unit of work in which the user is locked and has proved a second factor."""
        tries = () if code is None else limits_of_confirmation(user)
        async with (
            limit_failures(self.platform, *tries),
            self.platform.unit_of_work(origin) as work,
        ):
            locked = _require_factor(await lock_to_change(work, user))
            if code is None:
                user.require_proof(work.now, SECOND_FACTORS)
            else:
                await self._accept_code(work, locked, code)
            yield work, locked

    async def _accept_code(self, work: UnitOfWork, locked: User, code: str) -> None:
        if not await accept_code(work, self.hooks, locked, code):
            raise errors.wrong_code()

    async def _confirm_password(self, origin: Origin, user: SignedInUser, password: str) -> str:
        """Return the hash that the password matches; failures are limited."""
        async with limit_failures(self.platform, *limits_of_confirmation(user)):
            return await self._check_password(origin, user, password)

    async def _check_password(self, origin: Origin, user: SignedInUser, password: str) -> str:
        """Return the hash that the password matches."""
        known_since = self.platform.clock() - KNOWN_FOR
        async with self.platform.database.reading() as db:
            found = await fetch_own_credentials(db, user.user_id, origin.ip_address, known_since)
        if found is None:
            raise errors.unauthorized()
        is_right = await self.passwords.matches(found.password_hash, password)
        if not is_right or found.password_hash is None:
            raise errors.wrong_password()
        return found.password_hash


def _require_factor(user: User) -> User:
    if not user.has_second_factor:
        raise conflict("No second factor is turned on.")
    return user


async def _lock(work: UnitOfWork, user: SignedInUser, confirmed_hash: str) -> User:
    """Lock the user, unless the password was changed since it was confirmed."""
    locked = await lock_user_with_password(work.db, user.user_id, confirmed_hash)
    if locked is None:
        raise errors.wrong_password()
    return locked
