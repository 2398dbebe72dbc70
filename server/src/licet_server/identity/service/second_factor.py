"""Authenticator apps as second factors: offering, turning on, and checking codes."""

import base64
import secrets
from dataclasses import dataclass, field
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.second_factor import (
    RECOVERY_CODE_SYMBOLS,
    RECOVERY_CODES,
    SECRET_BYTES,
    matching_step,
    normal_code,
    otpauth_uri,
    recovery_code,
)
from licet_server.identity.rules.users import SignedInUser, User
from licet_server.identity.service.account_events import record_own_account_event
from licet_server.identity.service.emails import moment_of, second_factor_on_email
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.provided import lock_to_change
from licet_server.identity.service.tokens import digest
from licet_server.identity.storage import second_factors
from licet_server.identity.storage.second_factors import (
    confirm_factor,
    fetch_factor,
    offer_factor,
    use_recovery_code,
    use_step,
)
from licet_server.kit import mail
from licet_server.kit.errors import conflict
from licet_server.kit.keyring import Keyring
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
    if not await offer_factor(work.db, user.user_id, sealed):
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
    factor = await fetch_factor(work.db, user.user_id)
    if factor is None or factor.is_confirmed:
        raise conflict(
            "No second factor is waiting for a code. Create one with POST /api/auth/totp."
        )
    secret = _open(work.keyring, user.user_id, factor.sealed)
    step = matching_step(secret, normal_code(code), work.now)
    if step is None:
        raise errors.wrong_code()
    if not await confirm_factor(work.db, user.user_id, factor.sealed, step, work.now):
        raise conflict("The second factor was changed in the meantime. Reload it and try again.")
    await record_own_account_event(work, hooks, EventKind.USER_TOTP_ENABLED, user)
    await mail.write(work, second_factor_on_email(user.email, work.address, moment_of(work)))
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
    factor = await fetch_factor(work.db, user.id)
    plain = normal_code(code)
    if factor is not None and factor.is_confirmed:
        step = matching_step(_open(work.keyring, user.id, factor.sealed), plain, work.now)
        if step is not None:
            return await use_step(work.db, user.id, step)
    if not await use_recovery_code(work.db, user.id, digest(plain)):
        return False
    await record_own_account_event(work, hooks, EventKind.USER_RECOVERY_CODE_USED, user)
    return True


def _open(keyring: Keyring, user_id: UUID, sealed: bytes) -> str:
    return keyring.open(sealed, _place(user_id)).decode()


def _place(user_id: UUID) -> str:
    return f"users.totp_secret:{user_id}"
