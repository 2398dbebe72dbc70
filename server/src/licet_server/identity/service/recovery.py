"""A forgotten password: asked for, mailed in the background, set anew.

A request is only written down, in the same way for every address, so that neither the answer nor
its time tells whether there is an account. The background work looks that up.
"""

import secrets
from datetime import timedelta

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.people import User
from licet_server.identity.service.account_events import tell
from licet_server.identity.service.emails import moment_of, password_reset_letter, reset_letter
from licet_server.identity.service.throttling import count, counted, reset_buckets, token_buckets
from licet_server.identity.service.tokens import digest
from licet_server.identity.storage.mailed_tokens import (
    delete_expired_tokens,
    delete_tokens,
    insert_reset_request,
    insert_token,
    is_live_token,
    take_reset_requests,
    use_token,
)
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.identity.storage.users import (
    fetch_user,
    fetch_users_by_email,
    mark_verified,
    update_password_hash,
)
from licet_server.kit import limits, mail
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

RESET_TOKEN_LIFE = timedelta(hours=1)
_AT_ONCE = 100


async def request_reset(platform: Platform, origin: Origin, email: str) -> None:
    """Have a token mailed, if there is such an account and not too many were asked for lately."""
    try:
        with limits.untold():  # The answer is always the same.
            await count(platform, *reset_buckets(email, origin))
    except Refused:
        return
    async with platform.unit_of_work(origin) as work:
        await insert_reset_request(work.db, work.new_id(), email, work.now)


async def mail_reset_tokens(platform: Platform) -> int:
    """Write the letters that were asked for; answers how many."""
    async with platform.unit_of_work(Origin()) as work:
        await delete_expired_tokens(work.db, work.now)
        emails = await take_reset_requests(work.db, _AT_ONCE)
        users = await fetch_users_by_email(work.db, set(emails)) if emails else []
        for user in users:
            await _mail_reset_token(work, user, platform.settings.address)
    return len(users)


async def _mail_reset_token(work: UnitOfWork, user: User, address: str) -> None:
    token = secrets.token_urlsafe(32)
    await insert_token(
        work.db,
        token_hash=digest(token),
        user_id=user.id,
        purpose="PasswordReset",
        now=work.now,
        expires_at=work.now + RESET_TOKEN_LIFE,
    )
    await mail.write(work, reset_letter(user.email, address, token))


async def reset_password(
    platform: Platform, passwords: Passwords, origin: Origin, token: str, password: str
) -> None:
    """Set a new password and end all sessions.

    Whoever has the token reads the mail of that address, which counts as verified from then on.
    The second factor stays.

    Raises:
        Refused: `Unauthorized`, `RateLimited`.
    """
    async with counted(platform, *token_buckets(origin)):
        async with platform.database.reading() as db:
            is_live = await is_live_token(db, digest(token), "PasswordReset", platform.clock())
        if not is_live:
            raise errors.dead_link()
        password_hash = await passwords.hash(password)
        async with platform.unit_of_work(origin) as work:
            await _reset(work, token, password_hash, platform.settings.address)


async def _reset(work: UnitOfWork, token: str, password_hash: str, address: str) -> None:
    user_id = await use_token(work.db, digest(token), "PasswordReset", work.now)
    user = None if user_id is None else await fetch_user(work.db, user_id)
    if user is None:
        raise errors.dead_link()
    await update_password_hash(work.db, user.id, password_hash)
    await delete_tokens(work.db, user.id, "PasswordReset")
    await end_sign_ins(work.db, user.id, work.now)
    await mark_verified(work.db, user.id, work.now)
    await tell(work, EventKind.USER_PASSWORD_RESET, user.id, user.email)
    await mail.write(work, password_reset_letter(user.email, address, moment_of(work)))
