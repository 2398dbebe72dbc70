"""Accounts for people whom licenses are issued to, also where sign-up is closed.

A request is only written down, in the same way for every address. The background work of a feature
that knows licenses takes it up; whoever then has the mailed token reads the mail of that address.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta

from licet_server.identity import errors
from licet_server.identity.service.emails import known_letter, welcome_letter
from licet_server.identity.service.sessions import Session, open_session
from licet_server.identity.service.throttling import count, counted, portal_buckets, token_buckets
from licet_server.identity.service.tokens import digest
from licet_server.identity.service.users import create_user
from licet_server.identity.storage.mailed_tokens import (
    delete_expired_portal_invitations,
    delete_portal_invitations,
    insert_portal_invitation,
    insert_portal_request,
    is_live_portal_invitation,
    take_portal_requests,
    use_portal_invitation,
)
from licet_server.identity.storage.users import fetch_users_by_email
from licet_server.kit import mail
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

WELCOME_TOKEN_LIFE = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who opens an account with a mailed token."""

    token: str = field(repr=False)
    password: str = field(repr=False)
    full_name: str


async def request_access(platform: Platform, origin: Origin, email: str) -> None:
    """Have a letter mailed that says how to get in, if not too many were asked for lately."""
    try:
        await count(platform, *portal_buckets(email, origin))
    except Refused:
        return  # The answer is always the same.
    async with platform.unit_of_work(origin) as work:
        await insert_portal_request(work.db, work.new_id(), email, work.now)


async def take_access_requests(work: UnitOfWork, limit: int) -> set[str]:
    """Take requests away, oldest first; answers their addresses, which may be anybody's."""
    await delete_expired_portal_invitations(work.db, work.now)
    return set(await take_portal_requests(work.db, limit))


async def answer_access_requests(
    work: UnitOfWork, emails: Collection[str], invited: Collection[str], address: str
) -> int:
    """Write a letter to each who has an account, and to each of the `invited` who has none.

    Answers how many letters; all others get nothing.
    """
    users = await fetch_users_by_email(work.db, emails) if emails else []
    for user in users:
        await mail.write(work, known_letter(user.email, address))
    newcomers = set(invited) - {user.email.lower() for user in users}
    for email in sorted(newcomers):
        await _invite(work, email, address)
    return len(users) + len(newcomers)


async def _invite(work: UnitOfWork, email: str, address: str) -> None:
    token = secrets.token_urlsafe(32)
    await insert_portal_invitation(
        work.db,
        token_hash=digest(token),
        email=email,
        now=work.now,
        expires_at=work.now + WELCOME_TOKEN_LIFE,
    )
    await mail.write(work, welcome_letter(email, address, token))


async def open_account(
    platform: Platform,
    passwords: Passwords,
    origin: Origin,
    newcomer: Newcomer,
    user_agent: str | None,
) -> Session:
    """Make an account that belongs to no institution, verified, and sign its owner in.

    Raises:
        Refused: `Unauthorized`, `RateLimited`, `Conflict` where the address has got an account
            since the token was mailed, which a reader of its mail may know.
    """
    token_hash = digest(newcomer.token)
    async with counted(platform, *token_buckets(origin)):
        async with platform.database.reading() as db:
            is_live = await is_live_portal_invitation(db, token_hash, platform.clock())
        if not is_live:
            raise errors.dead_link()
        password_hash = await passwords.hash(newcomer.password)
        async with platform.unit_of_work(origin) as work:
            email = await use_portal_invitation(work.db, token_hash, work.now)
            if email is None:
                raise errors.dead_link()
            user = await create_user(
                work,
                email=email,
                full_name=newcomer.full_name,
                password_hash=password_hash,
                is_system_admin=False,
                verified=True,
            )
            await delete_portal_invitations(work.db, email)
            return await open_session(work, user, user_agent)
