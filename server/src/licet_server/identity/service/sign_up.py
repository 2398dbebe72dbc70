"""First-run setup, sign-up, and the verification of email addresses."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.memberships import Membership, Role
from licet_server.identity.rules.users import (
    SignedInUser,
    SignUp,
    SignUpStatus,
    User,
    session_ends_at,
)
from licet_server.identity.service.emails import sign_up_account_exists_email, verification_email
from licet_server.identity.service.hooks import AccountHooks, acting_as, record_own_account_event
from licet_server.identity.service.sessions import UserSession, open_session
from licet_server.identity.service.throttling import (
    count_attempt,
    limit_failures,
    limits_of_emailed_token,
    limits_of_registration,
    limits_of_verification_email,
)
from licet_server.identity.service.tokens import digest, write_access_token
from licet_server.identity.service.users import NewAccount, create_user
from licet_server.identity.storage import users as storage
from licet_server.identity.storage.emailed_tokens import delete_tokens, insert_token, use_token
from licet_server.kit import mail
from licet_server.kit.errors import ErrorCode, Refused, conflict
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

VERIFICATION_TOKEN_LIFE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class SignUps:
    """Signs users up, and verifies their email addresses.

    Attempts are counted in transactions of their own, so that refused ones count as well, and no
    transaction is open while a password is hashed.
    """

    platform: Platform
    passwords: Passwords
    hooks: AccountHooks

    async def status(self) -> SignUpStatus:
        """Return how new users currently get an account."""
        async with self.platform.database.reading() as db:
            setup_required = not await storage.has_users(db)
        is_open = self.platform.settings.signup_open and not setup_required
        return SignUpStatus(setup_required, SignUp.OPEN if is_open else SignUp.CLOSED)

    async def set_up(
        self, work: UnitOfWork, setup_token: str, account: NewAccount, user_agent: str | None
    ) -> UserSession:
        """Create the first Owner, who is a system Admin, and sign them in.

        Raises:
            Refused: `Unauthorized` for a wrong or used setup token.
        """
        if not await storage.use_setup_token(work.db, digest(setup_token)):
            raise errors.wrong_setup_token()
        password_hash = await self.passwords.hash(account.password)
        user = await create_first_user(work, account, password_hash)
        await self._create_institution(work, user, account)
        return await open_session(work, self.hooks, user, user_agent)

    async def register(
        self, origin: Origin, account: NewAccount, user_agent: str | None
    ) -> UserSession:
        """Create an Owner with an institution, sign them in, and email a verification token.

        For an address that already has an account the response looks the same, so that it does not
        reveal the account. Its session is not valid, nothing is created, and the user gets an
        email.

        Raises:
            Refused: `Forbidden` if sign-up is closed, `RateLimited`.
        """
        if (await self.status()).sign_up is SignUp.CLOSED:
            raise errors.sign_up_closed()
        await count_attempt(self.platform, *limits_of_registration(account.email, origin))
        password_hash = await self.passwords.hash(account.password)
        try:
            async with self.platform.unit_of_work(origin) as work:
                return await self._create_owner(work, account, password_hash, user_agent)
        except Refused as refused:
            if refused.code is not ErrorCode.CONFLICT:
                raise
        async with self.platform.unit_of_work(origin) as work:
            await mail.write(work, sign_up_account_exists_email(account.email, work.address))
            return _decoy_session(work, account)

    async def resend_verification(self, origin: Origin, user: SignedInUser) -> None:
        """Email a new verification token; earlier ones remain valid.

        Raises:
            Refused: `Conflict` if the address is verified, `RateLimited`.
        """
        if user.email_verified:
            raise conflict("Your email address is already verified.")
        await count_attempt(self.platform, *limits_of_verification_email(user.user_id))
        async with self.platform.unit_of_work(origin) as work:
            await mail_verification(work, user_id=user.user_id, email=user.email)

    async def verify_email(self, origin: Origin, token: str) -> None:
        """Mark the address that the token was emailed to as verified.

        Raises:
            Refused: `Unauthorized`, `RateLimited`.
        """
        async with (
            limit_failures(self.platform, *limits_of_emailed_token(origin)),
            self.platform.unit_of_work(origin) as work,
        ):
            user_id = await use_token(work.db, digest(token), "EmailVerification", work.now)
            user = None if user_id is None else await storage.fetch_user(work.db, user_id)
            if user is None:
                raise errors.invalid_link()
            await storage.mark_verified(work.db, user.id, work.now)
            await delete_tokens(work.db, user.id, "EmailVerification")
            await record_own_account_event(work, self.hooks, EventKind.USER_EMAIL_VERIFIED, user)

    async def _create_owner(
        self, work: UnitOfWork, account: NewAccount, password_hash: str, user_agent: str | None
    ) -> UserSession:
        user = await create_user(
            work,
            email=account.email,
            full_name=account.full_name,
            password_hash=password_hash,
            is_system_admin=False,
            verified=False,
        )
        await self._create_institution(work, user, account)
        await mail_verification(work, user_id=user.id, email=user.email)
        await record_own_account_event(work, self.hooks, EventKind.USER_REGISTERED, user)
        return await open_session(work, self.hooks, user, user_agent)

    async def _create_institution(self, work: UnitOfWork, user: User, account: NewAccount) -> None:
        await self.hooks.create_first_institution(
            acting_as(work, user_id=user.id, email=user.email),
            owner_id=user.id,
            name=account.institution_name,
        )


async def create_first_user(work: UnitOfWork, account: NewAccount, password_hash: str) -> User:
    """Create the first user, who is a system Admin and whose address counts as verified."""
    return await create_user(
        work,
        email=account.email,
        full_name=account.full_name,
        password_hash=password_hash,
        is_system_admin=True,
        verified=True,
    )


def _decoy_session(work: UnitOfWork, account: NewAccount) -> UserSession:
    """Return a session that looks like one of a new account and is not valid."""
    user = User(
        id=work.new_id(),
        email=account.email,
        email_verified=False,
        full_name=account.full_name,
        is_system_admin=False,
    )
    membership = Membership(
        institution_id=work.new_id(),
        institution_name=account.institution_name,
        role=Role.OWNER,
    )
    return UserSession(
        access_token=write_access_token(
            work.keyring, work.now, user_id=user.id, sign_in_id=work.new_id()
        ),
        refresh_token=secrets.token_urlsafe(32),
        lasts_for=int((session_ends_at(work.now, work.now) - work.now).total_seconds()),
        user=user,
        memberships=[membership],
    )


async def mail_verification(work: UnitOfWork, *, user_id: UUID, email: str) -> None:
    """Email a token that verifies the address."""
    token = secrets.token_urlsafe(32)
    await insert_token(
        work.db,
        token_hash=digest(token),
        user_id=user_id,
        purpose="EmailVerification",
        now=work.now,
        expires_at=work.now + VERIFICATION_TOKEN_LIFE,
    )
    await mail.write(work, verification_email(email, work.address, token))
