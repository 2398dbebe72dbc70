"""What a signed-in person does after proving once more who he is."""

from licet_server.accounts import errors, storage
from licet_server.accounts.rules import Operator, User
from licet_server.accounts.service.guessing import KNOWN_FOR, counted, session_buckets
from licet_server.accounts.service.second_factor import accept_code, disable_second_factor
from licet_server.accounts.service.telling import tell
from licet_server.kit.errors import conflict
from licet_server.kit.events import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.work import Platform, Work


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
    async with platform.work(origin) as work:
        user = await _lock(work, operator, proved)
        await storage.update_password_hash(work.db, user.id, new_hash)
        await storage.delete_tokens(work.db, user.id, "PasswordReset")
        await storage.end_sign_ins(work.db, user.id, work.now, except_for=operator.sign_in_id)
        await tell(work, "user.password_changed", user.id, user.email)


async def disable_by_password(
    platform: Platform, passwords: Passwords, origin: Origin, operator: Operator, password: str
) -> None:
    """Turn the second factor off.

    Raises:
        Refused: `InvalidCredentials`, `RateLimited`, `Conflict` when none is in force.
    """
    proved = await _prove_password(platform, passwords, origin, operator, password)
    async with platform.work(origin) as work:
        await disable_second_factor(work, await _lock(work, operator, proved))


async def disable_by_code(
    platform: Platform, origin: Origin, operator: Operator, code: str
) -> None:
    """Turn the second factor off.

    Raises:
        Refused: `InvalidCredentials`, `RateLimited`, `Conflict` when none is in force.
    """
    async with counted(platform, *session_buckets(operator)), platform.work(origin) as work:
        user = await storage.fetch_user(work.db, operator.user_id)
        if user is None:
            raise errors.unauthorized()
        if not user.totp_enabled:
            raise conflict("No second factor is in force.")
        if not await accept_code(work, user, code):
            raise errors.wrong_code()
        await disable_second_factor(work, user)


async def _prove_password(
    platform: Platform, passwords: Passwords, origin: Origin, operator: Operator, password: str
) -> str:
    """The hash that the password fits."""
    since = platform.clock() - KNOWN_FOR
    async with platform.database.reading() as db:
        credentials = await storage.fetch_own_credentials(
            db, operator.user_id, origin.ip_address, since
        )
    if credentials is None:
        raise errors.unauthorized()
    async with counted(platform, *session_buckets(operator)):
        if not await passwords.matches(credentials.password_hash, password):
            raise errors.wrong_password()
    return credentials.password_hash


async def _lock(work: Work, operator: Operator, proved: str) -> User:
    """The user, unless his password was changed since it was proved."""
    user = await storage.lock_user(work.db, operator.user_id, proved)
    if user is None:
        raise errors.wrong_password()
    return user
