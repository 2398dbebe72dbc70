"""The second factor: offered, confirmed with a first code, asked for at sign-in, turned off."""

import base64
import secrets
from dataclasses import dataclass, field
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.people import User
from licet_server.identity.rules.second_factor import (
    RECOVERY_CODE_SYMBOLS,
    RECOVERY_CODES,
    SECRET_BYTES,
    matching_step,
    normal_code,
    otpauth_uri,
    recovery_code,
)
from licet_server.identity.service.account_events import tell
from licet_server.identity.service.emails import factor_on_letter, moment_of
from licet_server.identity.service.throttling import counted, session_buckets
from licet_server.identity.service.tokens import digest
from licet_server.identity.storage import second_factors
from licet_server.identity.storage.second_factors import (
    confirm_factor,
    fetch_factor,
    offer_factor,
    use_recovery_code,
    use_step,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.kit import mail
from licet_server.kit.errors import conflict
from licet_server.kit.keyring import Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class OfferedFactor:
    """A secret for an authenticator app, shown this once."""

    secret: str = field(repr=False)
    otpauth_uri: str = field(repr=False)


async def offer_second_factor(work: UnitOfWork, operator: Operator) -> OfferedFactor:
    """Make a secret that is in force once a code of it was sent; a former offer is void.

    The address must be verified: whoever signs up with somebody else's must not be able to lock
    him out of it.

    Raises:
        Refused: `Forbidden`, `Conflict` while a second factor is in force.
    """
    operator.require_verified_email()
    secret = base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()
    sealed = work.keyring.seal(secret.encode(), _place(operator.user_id))
    if not await offer_factor(work.db, operator.user_id, sealed):
        raise conflict("A second factor is in force already. Turn it off first.")
    return OfferedFactor(secret, otpauth_uri(secret, operator.email))


async def confirm_second_factor(
    platform: Platform, origin: Origin, operator: Operator, code: str
) -> list[str]:
    """Put the offered secret in force; answers the recovery codes, which are shown this once.

    The code counts as used.

    Raises:
        Refused: `InvalidCredentials`, `RateLimited`, `Conflict` when nothing is offered.
    """
    async with counted(platform, *session_buckets(operator)), platform.unit_of_work(origin) as work:
        factor = await fetch_factor(work.db, operator.user_id)
        if factor is None or factor.is_confirmed:
            raise conflict("No second factor waits for its code. POST /api/auth/totp makes one.")
        secret = _open(work.keyring, operator.user_id, factor.sealed)
        step = matching_step(secret, normal_code(code), work.now)
        if step is None:
            raise errors.wrong_code()
        user_id = operator.user_id
        if not await confirm_factor(work.db, user_id, factor.sealed, step, work.now):
            raise conflict("The second factor was changed meanwhile. Look at it anew.")
        await tell(work, EventKind.USER_TOTP_ENABLED, user_id, operator.email)
        address = platform.settings.address
        await mail.write(work, factor_on_letter(operator.email, address, moment_of(work)))
        return await replace_recovery_codes(work, user_id)


async def replace_recovery_codes(work: UnitOfWork, user_id: UUID) -> list[str]:
    """New recovery codes in place of all that there are.

    Whoever calls holds the user, so that of two sets that are made at once one is left.
    """
    codes = [
        recovery_code(secrets.token_bytes(RECOVERY_CODE_SYMBOLS)) for _ in range(RECOVERY_CODES)
    ]
    hashes = [digest(normal_code(code)) for code in codes]
    await second_factors.replace_recovery_codes(work.db, user_id, hashes)
    return codes


async def accept_code(work: UnitOfWork, user: User, code: str) -> bool:
    """Whether the code of the app, or the recovery code, fits; either works once."""
    factor = await fetch_factor(work.db, user.id)
    if factor is None or not factor.is_confirmed:
        return False
    plain = normal_code(code)
    step = matching_step(_open(work.keyring, user.id, factor.sealed), plain, work.now)
    if step is not None:
        return await use_step(work.db, user.id, step)
    if not await use_recovery_code(work.db, user.id, digest(plain)):
        return False
    await tell(work, EventKind.USER_RECOVERY_CODE_USED, user.id, user.email)
    return True


def _open(keyring: Keyring, user_id: UUID, sealed: bytes) -> str:
    return keyring.open(sealed, _place(user_id)).decode()


def _place(user_id: UUID) -> str:
    return f"users.totp_secret:{user_id}"
