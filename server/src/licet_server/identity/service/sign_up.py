"""Accounts that people make for themselves, and the proof that an address is theirs."""

import secrets
from datetime import timedelta
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.people import Entrance, Membership, SignUp, User
from licet_server.identity.service.account_events import tell
from licet_server.identity.service.emails import taken_letter, verification_letter
from licet_server.identity.service.sessions import Session, open_session
from licet_server.identity.service.throttling import (
    count,
    counted,
    registration_buckets,
    token_buckets,
    verification_buckets,
)
from licet_server.identity.service.tokens import digest, write_access_token
from licet_server.identity.service.users import NewAccount, create_owner
from licet_server.identity.storage.mailed_tokens import delete_tokens, insert_token, use_token
from licet_server.identity.storage.users import fetch_user, has_users, mark_verified
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.kit import mail
from licet_server.kit.errors import ErrorCode, Refused, conflict
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

VERIFICATION_TOKEN_LIFE = timedelta(days=7)


async def find_entrance(platform: Platform) -> Entrance:
    """How people come in at this moment: the first account is the operator's own."""
    async with platform.database.reading() as db:
        setup_required = not await has_users(db)
    is_open = platform.settings.signup_open and not setup_required
    return Entrance(setup_required, SignUp.OPEN if is_open else SignUp.CLOSED)


async def register(
    platform: Platform,
    passwords: Passwords,
    origin: Origin,
    account: NewAccount,
    user_agent: str | None,
) -> Session:
    """Make an Owner with an institution, sign him in, and mail him a token to verify his address.

    An address that has an account gets the same answer, so that it does not tell; but the session
    in it opens nothing, nothing is made, and the owner of the address is told by mail.

    Raises:
        Refused: `Forbidden` where sign-up is closed, `RateLimited`.
    """
    if (await find_entrance(platform)).sign_up is SignUp.CLOSED:
        raise errors.signup_closed()
    await count(platform, *registration_buckets(account.email, origin))
    password_hash = await passwords.hash(account.password)
    address = platform.settings.address
    try:
        async with platform.unit_of_work(origin) as work:
            user = await create_owner(work, account, password_hash)
            await mail_verification(work, user.id, user.email, address)
            await tell(work, EventKind.USER_REGISTERED, user.id, user.email)
            return await open_session(work, user, user_agent)
    except Refused as refused:
        if refused.code is not ErrorCode.CONFLICT:
            raise
    async with platform.unit_of_work(origin) as work:
        await mail.write(work, taken_letter(account.email, address))
        return _session_of_nobody(work, account)


def _session_of_nobody(work: UnitOfWork, account: NewAccount) -> Session:
    user = User(work.new_id(), account.email, False, account.full_name, False)
    return Session(
        access_token=write_access_token(work.keyring, work.now, user.id, work.new_id()),
        refresh_token=secrets.token_urlsafe(32),
        user=user,
        memberships=[Membership(work.new_id(), account.institution_name, Role.OWNER)],
    )


async def resend_verification(platform: Platform, origin: Origin, operator: Operator) -> None:
    """Mail a new token; those mailed before stay good, too.

    Raises:
        Refused: `Conflict` when the address is verified, `RateLimited`.
    """
    if operator.email_verified:
        raise conflict("Your e-mail address is verified already.")
    await count(platform, *verification_buckets(operator.user_id))
    async with platform.unit_of_work(origin) as work:
        address = platform.settings.address
        await mail_verification(work, operator.user_id, operator.email, address)


async def mail_verification(work: UnitOfWork, user_id: UUID, email: str, address: str) -> None:
    """Mail a token that verifies the address."""
    token = secrets.token_urlsafe(32)
    await insert_token(
        work.db,
        token_hash=digest(token),
        user_id=user_id,
        purpose="EmailVerification",
        now=work.now,
        expires_at=work.now + VERIFICATION_TOKEN_LIFE,
    )
    await mail.write(work, verification_letter(email, address, token))


async def verify_email(platform: Platform, origin: Origin, token: str) -> None:
    """Take the address that the token was mailed to for its owner's.

    Raises:
        Refused: `Unauthorized`, `RateLimited`.
    """
    async with counted(platform, *token_buckets(origin)), platform.unit_of_work(origin) as work:
        user_id = await use_token(work.db, digest(token), "EmailVerification", work.now)
        user = None if user_id is None else await fetch_user(work.db, user_id)
        if user is None:
            raise errors.dead_link()
        await mark_verified(work.db, user.id, work.now)
        await delete_tokens(work.db, user.id, "EmailVerification")
        await tell(work, EventKind.USER_EMAIL_VERIFIED, user.id, user.email)
