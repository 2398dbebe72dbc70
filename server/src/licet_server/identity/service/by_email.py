"""Accounts by email: resets of forgotten passwords, and accounts for end users.

A request is only stored, in the same way for every address, so that neither the response nor its
timing reveals whether an account exists. A background job looks that up, and emails a token; who
has the token can read emails to that address. End users get accounts even if sign-up is closed;
the job of a feature that knows licenses processes their requests.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.memberships import AccountApiKey
from licet_server.identity.rules.users import User
from licet_server.identity.service import emails
from licet_server.identity.service.hooks import AccountHooks, acting_as, record_own_account_event
from licet_server.identity.service.portal_emails import (
    IssuedBy,
    portal_account_exists_email,
    portal_welcome_email,
)
from licet_server.identity.service.sessions import UserSession, open_session
from licet_server.identity.service.throttling import (
    count_attempt,
    limit_failures,
    limits_of_emailed_token,
    limits_of_portal_request,
    limits_of_reset_request,
)
from licet_server.identity.service.tokens import digest
from licet_server.identity.service.users import create_user, find_users, remove_factors
from licet_server.identity.storage import emailed_tokens as storage
from licet_server.identity.storage.second_factors import delete_challenges
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.identity.storage.users import lock_user, mark_verified, update_password_hash
from licet_server.kit import limits, mail
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

RESET_TOKEN_LIFE = timedelta(hours=1)
_REQUESTS_PER_RUN = 100


@dataclass(frozen=True, slots=True)
class PasswordReset:
    """Resets forgotten passwords.

    Attempts are counted in transactions of their own, so that refused ones count as well, and no
    transaction is open while a password is hashed.
    """

    platform: Platform
    passwords: Passwords
    hooks: AccountHooks

    async def request(self, origin: Origin, email: str) -> None:
        """Request an emailed token, if the account exists and its limit is not reached."""
        try:
            with limits.without_recording():  # the response must be the same for every address
                await count_attempt(self.platform, *limits_of_reset_request(email, origin))
        except Refused:
            return
        async with self.platform.unit_of_work(origin) as work:
            await storage.insert_reset_request(work.db, work.new_id(), email, work.now)

    async def preview(self, origin: Origin, token: str) -> Sequence[AccountApiKey]:
        """List the live API keys of the account whose token this is; the token stays valid.

        Raises:
            Refused: `Unauthorized`, `RateLimited`.
        """
        async with limit_failures(self.platform, *limits_of_emailed_token(origin)):
            user_id = await self._find_user(token)
        async with self.platform.database.reading() as db:
            return await self.hooks.list_api_keys(db, user_id, self.platform.clock())

    async def reset(
        self, origin: Origin, token: str, password: str, *, revokes_api_keys: bool
    ) -> None:
        """Set a new password and end all sessions; the second factor stays.

        Without a password before, the second factor is removed: a session through an identity
        provider enrolled it, and must not lock out the user of the address.

        A user with the token can read emails to the address, which is verified from then on. API
        keys work with any password, so that the email lists them.

        Raises:
            Refused: `Unauthorized`, `RateLimited`.
        """
        async with limit_failures(self.platform, *limits_of_emailed_token(origin)):
            await self._find_user(token)
            password_hash = await self.passwords.hash(password)
            async with self.platform.unit_of_work(origin) as work:
                user = await _reset(work, self.hooks, token, password_hash)
                keys = await self.hooks.list_api_keys(work.db, user.id, work.now)
                if revokes_api_keys:
                    acting = acting_as(work, user_id=user.id, email=user.email)
                    await self.hooks.revoke_api_keys(acting, user.id)
                notice = emails.reset_notice(keys, are_revoked=revokes_api_keys)
                await emails.notify(work, user.email, notice)

    async def _find_user(self, token: str) -> UUID:
        now = self.platform.clock()
        async with self.platform.database.reading() as db:
            user_id = await storage.fetch_token_user(db, digest(token), "PasswordReset", now)
        if user_id is None:
            raise errors.invalid_link()
        return user_id


async def mail_reset_tokens(platform: Platform) -> int:
    """Write the requested emails; returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        await storage.delete_expired_tokens(work.db, work.now)
        addresses = await storage.take_reset_requests(work.db, _REQUESTS_PER_RUN)
        users = await find_users(work.db, set(addresses))
        for user in users:
            await _mail_reset_token(work, user)
        return len(users)


async def _mail_reset_token(work: UnitOfWork, user: User) -> None:
    token = secrets.token_urlsafe(32)
    await storage.insert_token(
        work.db,
        token_hash=digest(token),
        user_id=user.id,
        purpose="PasswordReset",
        now=work.now,
        expires_at=work.now + RESET_TOKEN_LIFE,
    )
    await mail.write(work, emails.password_reset_email(user.email, work.address, token))


async def _reset(work: UnitOfWork, hooks: AccountHooks, token: str, password_hash: str) -> User:
    user_id = await storage.use_token(work.db, digest(token), "PasswordReset", work.now)
    user = None if user_id is None else await lock_user(work.db, user_id)
    if user is None:
        raise errors.invalid_link()
    if not user.signs_in_alone:
        await remove_factors(work, user)
    await update_password_hash(work.db, user.id, password_hash)
    await storage.delete_tokens(work.db, user.id, "PasswordReset")
    await delete_challenges(work.db, user.id)
    await end_sign_ins(work.db, user.id, work.now)
    await mark_verified(work.db, user.id, work.now)
    await record_own_account_event(work, hooks, EventKind.USER_PASSWORD_RESET, user)
    return user


WELCOME_TOKEN_LIFE = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPortalAccount:
    """The account that a user creates with an emailed token."""

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
        """Request an email that explains how to sign in, if the limit is not reached."""
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
                the token was emailed, which a reader of its email may know.
        """
        token_hash = digest(account.token)
        async with limit_failures(self.platform, *limits_of_emailed_token(origin)):
            now = self.platform.clock()
            async with self.platform.database.reading() as db:
                is_valid = await storage.is_valid_portal_invitation(db, token_hash, now)
            if not is_valid:
                raise errors.invalid_link()
            password_hash = await self.passwords.hash(account.password)
            async with self.platform.unit_of_work(origin) as work:
                email = await storage.use_portal_invitation(work.db, token_hash, work.now)
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
                await storage.delete_portal_invitations(work.db, email)
                return await open_session(work, self.hooks, user, user_agent)


async def request_access(work: UnitOfWork, email: str) -> None:
    """Store a request, for the background job that serves it; the address is in lower case."""
    await storage.insert_portal_request(work.db, work.new_id(), email, work.now)


async def take_access_requests(work: UnitOfWork, limit: int) -> set[str]:
    """Remove the oldest requests, and return their unverified addresses."""
    await storage.delete_expired_portal_invitations(work.db, work.now)
    return set(await storage.take_portal_requests(work.db, limit))


async def answer_access_requests(
    work: UnitOfWork, emails: Collection[str], invited: Mapping[str, IssuedBy]
) -> int:
    """Write an email to each address with an account, and to each of the `invited` without one.

    Both name the vendors that issued licenses to the address, and the products.

    Returns the number of emails; all other addresses get none.
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
    await storage.insert_portal_invitation(
        work.db,
        token_hash=digest(token),
        email=email,
        now=work.now,
        expires_at=work.now + WELCOME_TOKEN_LIFE,
    )
    await mail.write(work, portal_welcome_email(email, work.address, token, vendors))
