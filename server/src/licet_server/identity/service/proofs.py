"""What a signed-in person does after proving once more who he is."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.people import User
from licet_server.identity.service.account_events import tell
from licet_server.identity.service.emails import (
    factor_off_letter,
    moment_of,
    new_codes_letter,
    password_changed_letter,
)
from licet_server.identity.service.second_factor import accept_code, replace_recovery_codes
from licet_server.identity.service.throttling import KNOWN_FOR, counted, session_buckets
from licet_server.identity.storage.mailed_tokens import delete_tokens
from licet_server.identity.storage.second_factors import remove_factor
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.identity.storage.users import (
    fetch_own_credentials,
    lock_user,
    lock_user_for_share,
    update_password_hash,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.kit import mail
from licet_server.kit.errors import conflict
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class PasswordProof:
    """Knows the password."""

    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CodeProof:
    """Has the app at hand, or a recovery code."""

    code: str = field(repr=False)


async def change_password(
    platform: Platform,
    passwords: Passwords,
    origin: Origin,
    operator: Operator,
    current: str,
    new: str,
) -> None:
    """Set a new password and end all sessions but the one that asks.

    Raises:
        Refused: `InvalidCredentials`, `RateLimited`.
    """
    proved = await _prove_password(platform, passwords, origin, operator, current)
    new_hash = await passwords.hash(new)
    async with platform.unit_of_work(origin) as work:
        user = await _lock(work, operator, proved)
        await update_password_hash(work.db, user.id, new_hash)
        await delete_tokens(work.db, user.id, "PasswordReset")
        await end_sign_ins(work.db, user.id, work.now, except_for=operator.sign_in_id)
        await tell(work, EventKind.USER_PASSWORD_CHANGED, user.id, user.email)
        if user.email_verified:  # else it may be a stranger's, who is not to be mailed at will
            address = platform.settings.address
            await mail.write(work, password_changed_letter(user.email, address, moment_of(work)))


async def disable_second_factor(
    platform: Platform,
    passwords: Passwords,
    origin: Origin,
    operator: Operator,
    proof: PasswordProof | CodeProof,
) -> None:
    """Turn the second factor off.

    Raises:
        Refused: `InvalidCredentials`, `RateLimited`, `Conflict` when none is in force.
    """
    async with _proved(platform, passwords, origin, operator, proof) as (work, user):
        await remove_factor(work.db, user.id)
        await tell(work, EventKind.USER_TOTP_DISABLED, user.id, user.email)
        address = platform.settings.address
        await mail.write(work, factor_off_letter(user.email, address, moment_of(work)))


async def renew_recovery_codes(
    platform: Platform,
    passwords: Passwords,
    origin: Origin,
    operator: Operator,
    proof: PasswordProof | CodeProof,
) -> list[str]:
    """New recovery codes, shown this once; those there were do not work any more.

    Raises:
        Refused: `InvalidCredentials`, `RateLimited`, `Conflict` without a second factor.
    """
    async with _proved(platform, passwords, origin, operator, proof) as (work, user):
        codes = await replace_recovery_codes(work, user.id)
        await tell(work, EventKind.USER_RECOVERY_CODES_RENEWED, user.id, user.email)
        address = platform.settings.address
        await mail.write(work, new_codes_letter(user.email, address, moment_of(work)))
    return codes


@asynccontextmanager
async def _proved(
    platform: Platform,
    passwords: Passwords,
    origin: Origin,
    operator: Operator,
    proof: PasswordProof | CodeProof,
) -> AsyncIterator[tuple[UnitOfWork, User]]:
    """UnitOfWork on one's own second factor, which is in force, with oneself held until it ends."""
    if isinstance(proof, PasswordProof):
        proved = await _prove_password(platform, passwords, origin, operator, proof.password)
        async with platform.unit_of_work(origin) as work:
            yield work, _require_factor(await _lock(work, operator, proved))
        return
    async with counted(platform, *session_buckets(operator)), platform.unit_of_work(origin) as work:
        user = await lock_user_for_share(work.db, operator.user_id)
        if user is None:
            raise errors.unauthorized()
        _require_factor(user)
        if not await accept_code(work, user, proof.code):
            raise errors.wrong_code()
        yield work, user


def _require_factor(user: User) -> User:
    if not user.totp_enabled:
        raise conflict("No second factor is in force.")
    return user


async def _prove_password(
    platform: Platform, passwords: Passwords, origin: Origin, operator: Operator, password: str
) -> str:
    """The hash that the password fits."""
    since = platform.clock() - KNOWN_FOR
    async with platform.database.reading() as db:
        credentials = await fetch_own_credentials(db, operator.user_id, origin.ip_address, since)
    if credentials is None:
        raise errors.unauthorized()
    async with counted(platform, *session_buckets(operator)):
        if not await passwords.matches(credentials.password_hash, password):
            raise errors.wrong_password()
    return credentials.password_hash


async def _lock(work: UnitOfWork, operator: Operator, proved: str) -> User:
    """The user, unless his password was changed since it was proved."""
    user = await lock_user(work.db, operator.user_id, proved)
    if user is None:
        raise errors.wrong_password()
    return user
