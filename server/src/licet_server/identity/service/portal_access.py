"""Accounts for end users, even if sign-up is closed.

A request is only stored, in the same way for every address. The background job of a feature that
knows licenses processes it; a user with the e-mailed token can read e-mails to that address.
"""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from licet_server.identity import errors
from licet_server.identity.service.emails import (
    IssuedBy,
    portal_account_exists_email,
    portal_welcome_email,
)
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.sessions import UserSession, open_session
from licet_server.identity.service.throttling import (
    count_attempt,
    limit_failures,
    limits_of_emailed_token,
    limits_of_portal_request,
)
from licet_server.identity.service.tokens import digest
from licet_server.identity.service.users import create_user, find_users
from licet_server.identity.storage.emailed_tokens import (
    delete_expired_portal_invitations,
    delete_portal_invitations,
    insert_portal_invitation,
    insert_portal_request,
    is_valid_portal_invitation,
    take_portal_requests,
    use_portal_invitation,
)
from licet_server.kit import mail
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

WELCOME_TOKEN_LIFE = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPortalAccount:
    """The account that a user creates with an e-mailed token."""

    token: str = field(repr=False)
    password: str = field(repr=False)
    full_name: str


@dataclass(frozen=True, slots=True)
class PortalAccess:
    """Gives end users an account.

    Attempts are counted in transactions of their own, so that refused ones count as well, and no
    transaction is open while a password is hashed.
    """

    platform: Platform
    passwords: Passwords
    hooks: AccountHooks

    async def request(self, origin: Origin, email: str) -> None:
        """Request an e-mail that explains how to sign in, if the limit is not reached."""
        try:
            await self.count_request(origin, email)
        except Refused:
            return  # the response must be the same for every address
        async with self.platform.unit_of_work(origin) as work:
            await request_access(work, email)

    async def count_request(self, origin: Origin, email: str) -> None:
        """Count a request for an address.

        Raises:
            Refused: `RateLimited`.
        """
        await count_attempt(self.platform, *limits_of_portal_request(email, origin))

    async def open_account(
        self, origin: Origin, account: NewPortalAccount, user_agent: str | None
    ) -> UserSession:
        """Create a verified account that belongs to no institution, and sign its user in.

        Raises:
            Refused: `Unauthorized`, `RateLimited`, `Conflict` if the address got an account after
                the token was e-mailed, which a reader of its e-mail may know.
        """
        token_hash = digest(account.token)
        async with limit_failures(self.platform, *limits_of_emailed_token(origin)):
            now = self.platform.clock()
            async with self.platform.database.reading() as db:
                is_valid = await is_valid_portal_invitation(db, token_hash, now)
            if not is_valid:
                raise errors.invalid_link()
            password_hash = await self.passwords.hash(account.password)
            async with self.platform.unit_of_work(origin) as work:
                email = await use_portal_invitation(work.db, token_hash, work.now)
                if email is None:
                    raise errors.invalid_link()
                user = await create_user(
                    work,
                    email=email,
                    full_name=account.full_name,
                    password_hash=password_hash,
                    is_system_admin=False,
                    verified=True,
                )
                await delete_portal_invitations(work.db, email)
                return await open_session(work, self.hooks, user, user_agent)


async def request_access(work: UnitOfWork, email: str) -> None:
    """Store a request, for the background job that serves it; the address is in lower case."""
    await insert_portal_request(work.db, work.new_id(), email, work.now)


async def take_access_requests(work: UnitOfWork, limit: int) -> set[str]:
    """Remove the oldest requests, and return their unverified addresses."""
    await delete_expired_portal_invitations(work.db, work.now)
    return set(await take_portal_requests(work.db, limit))


async def answer_access_requests(
    work: UnitOfWork, emails: Collection[str], invited: Mapping[str, IssuedBy]
) -> int:
    """Write an e-mail to each address with an account, and to each of the `invited` without one.

    Both name the vendors that issued licenses to the address.

    Returns the number of e-mails; all other addresses get none.
    """
    users = await find_users(work.db, emails)
    for user in users:
        vendors = invited.get(user.email.lower())
        await mail.write(work, portal_account_exists_email(user.email, work.address, vendors))
    new_emails = set(invited) - {user.email.lower() for user in users}
    for email in sorted(new_emails):
        await _invite(work, email, invited[email])
    return len(users) + len(new_emails)


async def _invite(work: UnitOfWork, email: str, vendors: IssuedBy) -> None:
    token = secrets.token_urlsafe(32)
    if vendors.only is not None:
        # The page that opens the account looks like theirs.
        token += f".{vendors.only}"
    await insert_portal_invitation(
        work.db,
        token_hash=digest(token),
        email=email,
        now=work.now,
        expires_at=work.now + WELCOME_TOKEN_LIFE,
    )
    await mail.write(work, portal_welcome_email(email, work.address, token, vendors))
