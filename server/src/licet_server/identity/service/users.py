"""Accounts of users, their profiles, and the setup token of the first run."""

import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.memberships import Membership, SessionTrust, seen_by
from licet_server.identity.rules.users import Lasting, SignedInUser, User, UserAccount, may_leave
from licet_server.identity.service import emails
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.tokens import digest
from licet_server.identity.storage import second_factors
from licet_server.identity.storage import users as storage
from licet_server.identity.storage.emailed_tokens import delete_tokens
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import conflict, not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    """The first user of a new institution."""

    email: str
    password: str = field(repr=False)
    full_name: str
    institution_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A user as they see themselves; `recovery_codes_left` is `None` without a second factor."""

    user: User
    memberships: Sequence[Membership]
    recovery_codes_left: int | None


async def create_user(
    work: UnitOfWork,
    *,
    email: str,
    full_name: str,
    password_hash: str | None,
    is_system_admin: bool,
    verified: bool,
) -> User:
    """Create an account; without a password, for a user whom an identity provider signs in.

    Raises:
        Refused: `Conflict` if the email address already has one.
    """
    user = User(
        id=work.new_id(),
        email=email,
        email_verified=verified,
        full_name=full_name,
        is_system_admin=is_system_admin,
        has_password=password_hash is not None,
    )
    await storage.insert_user(work.db, user, password_hash=password_hash, now=work.now)
    return user


async def prepare_setup(work: UnitOfWork) -> str | None:
    """Create a new setup token as long as no user exists; return `None` afterwards.

    Of several nodes that start at once, one after the other sets up the instance.
    """
    await storage.lock_setup(work.db)
    if await storage.has_users(work.db):
        return None
    token = secrets.token_urlsafe(24)
    await storage.replace_setup_token(work.db, digest(token), work.now)
    return token


async def fetch_profile(
    db: Connection, hooks: AccountHooks, user_id: UUID, trust: SessionTrust
) -> Profile:
    """Return a user's own profile, as a session sees it.

    Raises:
        Refused: `Unauthorized` if the account was deleted.
    """
    user = await storage.fetch_user(db, user_id)
    if user is None:
        raise errors.unauthorized()
    left = (
        await second_factors.count_recovery_codes(db, user_id) if user.has_second_factor else None
    )
    memberships = await hooks.list_memberships(db, [user_id])
    seen = seen_by(trust, memberships[user_id])
    return Profile(user=user.seen_by(trust), memberships=seen, recovery_codes_left=left)


async def fetch_user(db: Connection, user_id: UUID) -> User | None:
    return await storage.fetch_user(db, user_id)


async def find_users(db: Connection, emails: Collection[str]) -> list[User]:
    """Find the users with these email addresses."""
    return await storage.fetch_users_by_email(db, emails) if emails else []


async def mark_email_verified(work: UnitOfWork, user_id: UUID) -> bool:
    """Mark a user's address as verified; returns whether it was not before."""
    if not await storage.mark_verified(work.db, user_id, work.now):
        return False
    await delete_tokens(work.db, user_id, "EmailVerification")
    return True


FindVendors = Callable[[Connection, UUID, str], Awaitable[set[UUID]]]
"""Finds the institutions that issued licenses to a user, by their ID and their email address.

`licenses.service.receivers` implements it; `app.py` connects the two.
"""


@dataclass(frozen=True, slots=True)
class ProviderAccounts:
    """Decides which accounts exist for the identity provider of one institution only."""

    hooks: AccountHooks
    find_vendors: FindVendors

    async def may_leave(self, db: Connection, user: SignedInUser, lasting: Lasting) -> bool:
        """Check whether a request of the user may leave something behind that outlives it."""
        if may_leave(user.credential, lasting, exists_for_provider=False):
            return True
        exists_for_provider = await self._exists_for_provider(db, user)
        return may_leave(user.credential, lasting, exists_for_provider=exists_for_provider)

    async def _exists_for_provider(self, db: Connection, user: SignedInUser) -> bool:
        """Check whether the account exists for the provider of the session alone.

        The user then has no password and belongs to no other institution, and no other one has
        issued licenses to them.
        """
        if user.through is None or user.signs_in_alone:
            return False
        memberships = (await self.hooks.list_memberships(db, [user.user_id]))[user.user_id]
        vendors = await self.find_vendors(db, user.user_id, user.email)
        return vendors.union(item.institution_id for item in memberships) <= {user.through}


async def lock_account(work: UnitOfWork, user_id: UUID) -> User | None:
    """Lock the user against concurrent sign-ins and changes of their password."""
    return await storage.lock_user(work.db, user_id)


async def lock_signed_in(work: UnitOfWork, user_id: UUID) -> User:
    """Lock the user of a session.

    Raises:
        Refused: `Unauthorized` if the account was deleted.
    """
    locked = await storage.lock_user(work.db, user_id)
    if locked is None:
        raise errors.unauthorized()
    return locked


async def lock_to_change(work: UnitOfWork, user: SignedInUser) -> User:
    """Lock the user for a change of what they sign in with.

    Access was checked before; the user may have set a password since, and then the provider may no
    longer change the account.

    Raises:
        Refused: `Unauthorized`, `Forbidden`.
    """
    locked = await lock_signed_in(work, user.user_id)
    if user.through is not None and locked.signs_in_alone:
        raise errors.own_sign_in_required()
    return locked


async def remove_credentials(work: UnitOfWork, user: User) -> None:
    """Remove every means to sign in of an account whose address was never verified.

    Anyone may have signed up with it. Expects the user locked.
    """
    await storage.update_password_hash(work.db, user.id, None)
    await remove_factors(work, user)
    await delete_tokens(work.db, user.id, "PasswordReset")
    await end_sign_ins(work.db, user.id, work.now)


async def remove_factors(work: UnitOfWork, user: User) -> None:
    """Remove all second factors, offered ones included. Expects the user locked."""
    await second_factors.clear_factor(work.db, user.id)
    await second_factors.delete_passkeys(work.db, user.id)
    await second_factors.delete_recovery_codes(work.db, user.id)
    await second_factors.delete_challenges(work.db, user.id)


async def list_accounts(
    db: Connection, hooks: AccountHooks, paging: Paging, search: str | None
) -> Listing[UserAccount]:
    """List the accounts, or those whose address or name begins with `search`."""
    listing = await storage.list_accounts(db, paging, search)
    memberships = await hooks.list_memberships(db, [item.user.id for item in listing.items])
    return listing.of(lambda item: replace(item, memberships=tuple(memberships[item.user.id])))


async def remove_second_factor(
    work: UnitOfWork, hooks: AccountHooks, admin: SignedInUser, user_id: UUID
) -> None:
    """Turn off the second factor of a user who has lost it, and end all their sessions.

    Raises:
        Refused: `NotFound`; `Conflict` if the user has no second factor; `Forbidden` for the
            admin's own, which requires a password or a code.
    """
    if user_id == admin.user_id:
        raise errors.own_second_factor()
    await _remove(work, hooks, await storage.lock_user(work.db, user_id))


async def remove_second_factor_by_email(work: UnitOfWork, hooks: AccountHooks, email: str) -> None:
    """Turn off a second factor from the console of the server, and end all the user's sessions.

    Raises:
        Refused: `NotFound`, `Conflict` if the user has no second factor.
    """
    found = await find_users(work.db, [email])
    user = await storage.lock_user(work.db, found[0].id) if found else None
    await _remove(work, hooks, user)


async def _remove(work: UnitOfWork, hooks: AccountHooks, user: User | None) -> None:
    """Remove the factors of a locked user, so that no concurrent sign-in keeps them."""
    if user is None:
        raise not_found("user")
    had_app = await second_factors.remove_factor(work.db, user.id)
    if not await second_factors.delete_passkeys(work.db, user.id) and not had_app:
        raise conflict("No second factor is turned on.")
    await second_factors.delete_recovery_codes(work.db, user.id)
    await end_sign_ins(work.db, user.id, work.now)
    await hooks.record_account_event(
        work, EventKind.USER_TOTP_DISABLED, user_id=user.id, email=user.email
    )
    await emails.notify(work, user.email, emails.SECOND_FACTOR_REMOVED)


async def disable_account(
    work: UnitOfWork, hooks: AccountHooks, admin: SignedInUser, user_id: UUID
) -> None:
    """Disable another user's account and end its sessions; repeating it changes nothing.

    Raises:
        Refused: `NotFound`, `Forbidden` for the admin's own, `Unauthorized` if the admin was
            disabled in the meantime.
    """
    if user_id == admin.user_id:
        raise errors.own_account()
    admins = await storage.lock_enabled_admins(work.db)
    if admin.user_id not in admins:  # of two who disable each other, one remains
        raise errors.unauthorized()
    user = await _lock(work, user_id)
    if user.is_disabled:
        return
    await storage.update_disabled(work.db, user_id, work.now)
    await end_sign_ins(work.db, user_id, work.now)
    await hooks.record_account_event(
        work, EventKind.USER_DISABLED, user_id=user_id, email=user.email
    )
    await emails.notify(work, user.email, emails.ACCOUNT_DISABLED)


async def enable_account(work: UnitOfWork, hooks: AccountHooks, user_id: UUID) -> None:
    """Enable a disabled account; repeating it changes nothing.

    Raises:
        Refused: `NotFound`.
    """
    user = await _lock(work, user_id)
    if not user.is_disabled:
        return
    await storage.update_disabled(work.db, user_id, None)
    await hooks.record_account_event(
        work, EventKind.USER_ENABLED, user_id=user_id, email=user.email
    )
    await emails.notify(work, user.email, emails.ACCOUNT_ENABLED)


async def end_sessions(work: UnitOfWork, hooks: AccountHooks, user_id: UUID) -> None:
    """Sign a user out everywhere; nothing happens if they are signed in nowhere.

    Raises:
        Refused: `NotFound`.
    """
    user = await _lock(work, user_id)
    if not await end_sign_ins(work.db, user_id, work.now):
        return
    await hooks.record_account_event(
        work, EventKind.USER_ALL_SESSIONS_ENDED, user_id=user_id, email=user.email
    )
    await emails.notify(work, user.email, emails.SIGNED_OUT)


async def _lock(work: UnitOfWork, user_id: UUID) -> User:
    user = await storage.lock_user(work.db, user_id)
    if user is None:
        raise not_found("user")
    return user


async def fetch_account(db: Connection, hooks: AccountHooks, user_id: UUID) -> UserAccount:
    """Fetch an account.

    Raises:
        Refused: `NotFound`.
    """
    account = await storage.fetch_account(db, user_id)
    if account is None:
        raise not_found("user")
    memberships = await hooks.list_memberships(db, [user_id])
    return replace(account, memberships=tuple(memberships[user_id]))


async def verify_email_of(work: UnitOfWork, hooks: AccountHooks, user_id: UUID) -> UserAccount:
    """Mark another user's address as verified; repeating it changes nothing.

    Raises:
        Refused: `NotFound`.
    """
    account = await fetch_account(work.db, hooks, user_id)
    if await mark_email_verified(work, user_id):
        await hooks.record_account_event(
            work, EventKind.USER_EMAIL_VERIFIED, user_id=user_id, email=account.user.email
        )
        account = replace(account, user=replace(account.user, email_verified=True))
    return account


async def forget_accounts(
    work: UnitOfWork, user_ids: Collection[UUID], emails: Collection[str]
) -> None:
    """Delete accounts, and the requests of and emails to these addresses, in lower case."""
    await storage.delete_accounts(work.db, user_ids)
    await storage.delete_requests(work.db, emails)
    await mail.delete_to(work, emails)
