"""What system Admins do with the accounts of other users."""

from dataclasses import replace
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.users import SignedInUser, User, UserAccount
from licet_server.identity.service.emails import moment_of, second_factor_removed_email
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.users import find_users, mark_email_verified
from licet_server.identity.storage import users
from licet_server.identity.storage.second_factors import remove_factor
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.identity.storage.users import fetch_account, lock_user
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import conflict, not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork


async def list_accounts(
    db: Connection, hooks: AccountHooks, paging: Paging, search: str | None
) -> Listing[UserAccount]:
    """All accounts of the instance, or those whose address or name begins with `search`."""
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
    """Expects the user locked: a concurrent sign-in is ended here, or begins without the factor."""
    if user is None:
        raise not_found("user")
    if not await remove_factor(work.db, user.id):
        raise conflict("No second factor is turned on.")
    await end_sign_ins(work.db, user.id, work.now)
    await hooks.record_account_event(
        work, EventKind.USER_TOTP_DISABLED, user_id=user.id, email=user.email
    )
    await mail.write(work, second_factor_removed_email(user.email, work.address, moment_of(work)))


async def verify_email_of(work: UnitOfWork, hooks: AccountHooks, user_id: UUID) -> UserAccount:
    """Mark another user's address as verified; repeating it changes nothing.

    Raises:
        Refused: `NotFound`.
    """
    account = await fetch_account(work.db, user_id)
    if account is None:
        raise not_found("user")
    if await mark_email_verified(work, user_id):
        await hooks.record_account_event(
            work, EventKind.USER_EMAIL_VERIFIED, user_id=user_id, email=account.user.email
        )
        account = replace(account, user=replace(account.user, email_verified=True))
    memberships = await hooks.list_memberships(work.db, [user_id])
    return replace(account, memberships=tuple(memberships[user_id]))
