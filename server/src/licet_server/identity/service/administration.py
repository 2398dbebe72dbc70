"""Administration of the accounts of others by system Admins."""

from dataclasses import replace
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.users import SignedInUser, User, UserAccount
from licet_server.identity.service.emails import (
    account_disabled_email,
    account_enabled_email,
    moment_of,
    second_factor_removed_email,
    signed_out_email,
)
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.users import find_users, mark_email_verified
from licet_server.identity.storage import users
from licet_server.identity.storage.passkeys import delete_passkeys
from licet_server.identity.storage.second_factors import delete_recovery_codes, remove_factor
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.identity.storage.users import lock_user
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import conflict, not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork


async def list_accounts(
    db: Connection, hooks: AccountHooks, paging: Paging, search: str | None
) -> Listing[UserAccount]:
    """List the accounts, or those whose address or name begins with `search`."""
    listing = await users.list_accounts(db, paging, search)
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
    await _remove(work, hooks, await lock_user(work.db, user_id))


async def remove_second_factor_by_email(work: UnitOfWork, hooks: AccountHooks, email: str) -> None:
    """Turn off a second factor from the console of the server, and end all the user's sessions.

    Raises:
        Refused: `NotFound`, `Conflict` if the user has no second factor.
    """
    found = await find_users(work.db, [email])
    user = await lock_user(work.db, found[0].id) if found else None
    await _remove(work, hooks, user)


async def _remove(work: UnitOfWork, hooks: AccountHooks, user: User | None) -> None:
    """Remove the factors of a locked user, so that no concurrent sign-in keeps them."""
    if user is None:
        raise not_found("user")
    had_app = await remove_factor(work.db, user.id)
    if not await delete_passkeys(work.db, user.id) and not had_app:
        raise conflict("No second factor is turned on.")
    await delete_recovery_codes(work.db, user.id)
    await end_sign_ins(work.db, user.id, work.now)
    await hooks.record_account_event(
        work, EventKind.USER_TOTP_DISABLED, user_id=user.id, email=user.email
    )
    await mail.write(work, second_factor_removed_email(user.email, work.address, moment_of(work)))


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
    admins = await users.lock_enabled_admins(work.db)
    if admin.user_id not in admins:  # of two who disable each other, one remains
        raise errors.unauthorized()
    user = await _lock(work, user_id)
    if user.is_disabled:
        return
    await users.update_disabled(work.db, user_id, work.now)
    await end_sign_ins(work.db, user_id, work.now)
    await hooks.record_account_event(
        work, EventKind.USER_DISABLED, user_id=user_id, email=user.email
    )
    await mail.write(work, account_disabled_email(user.email, moment_of(work)))


async def enable_account(work: UnitOfWork, hooks: AccountHooks, user_id: UUID) -> None:
    """Enable a disabled account; repeating it changes nothing.

    Raises:
        Refused: `NotFound`.
    """
    user = await _lock(work, user_id)
    if not user.is_disabled:
        return
    await users.update_disabled(work.db, user_id, None)
    await hooks.record_account_event(
        work, EventKind.USER_ENABLED, user_id=user_id, email=user.email
    )
    await mail.write(work, account_enabled_email(user.email, work.address, moment_of(work)))


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
    await mail.write(work, signed_out_email(user.email, work.address, moment_of(work)))


async def _lock(work: UnitOfWork, user_id: UUID) -> User:
    user = await lock_user(work.db, user_id)
    if user is None:
        raise not_found("user")
    return user


async def fetch_account(db: Connection, hooks: AccountHooks, user_id: UUID) -> UserAccount:
    """Fetch an account.

    Raises:
        Refused: `NotFound`.
    """
    account = await users.fetch_account(db, user_id)
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
