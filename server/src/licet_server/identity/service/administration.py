"""What a system Admin does with the accounts of others, and finds them by."""

from dataclasses import replace
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.people import Account, User
from licet_server.identity.service.account_events import tell_of
from licet_server.identity.service.emails import moment_of, second_factor_removed_email
from licet_server.identity.storage import users
from licet_server.identity.storage.mailed_tokens import delete_tokens
from licet_server.identity.storage.second_factors import remove_factor
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.identity.storage.users import (
    fetch_account,
    fetch_memberships,
    fetch_memberships_of,
    fetch_users_by_email,
    lock_user_for_share,
    mark_verified,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import conflict, not_found
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


async def list_accounts(db: Connection, paging: Paging, search: str | None) -> Listing[Account]:
    """All accounts of the instance, or those whose address or name begins with `search`."""
    listing = await users.list_accounts(db, paging, search)
    held = await fetch_memberships_of(db, [item.user.id for item in listing.items])
    return listing.of(lambda item: replace(item, memberships=tuple(held[item.user.id])))


async def take_off_factor(
    platform: Platform, origin: Origin, operator: Operator, user_id: UUID
) -> None:
    """Turn off the second factor of somebody else, who has lost it, and end all his sessions.

    Raises:
        Refused: `NotFound`; `Conflict` when none is in force; `Forbidden` for one's own, which
            takes a proof.
    """
    if user_id == operator.user_id:
        raise errors.not_for_oneself()
    async with platform.unit_of_work(origin) as work:
        user = await lock_user_for_share(work.db, user_id)
        if user is None:
            raise not_found("user")
        await _take_off(work, user, platform.settings.address)


async def take_off_factor_of(platform: Platform, email: str) -> None:
    """The same by address, for whoever has the machine at hand.

    Raises:
        Refused: `NotFound`, `Conflict` when none is in force.
    """
    async with platform.unit_of_work(Origin()) as work:
        found = await fetch_users_by_email(work.db, [email])
        user = await lock_user_for_share(work.db, found[0].id) if found else None
        if user is None:
            raise not_found("user")
        await _take_off(work, user, platform.settings.address)


async def _take_off(work: UnitOfWork, user: User, address: str) -> None:
    """A sign-in that is under way holds the user, too: it is ended here, or begins without."""
    if not await remove_factor(work.db, user.id):
        raise conflict("No second factor is in force.")
    await end_sign_ins(work.db, user.id, work.now)
    await tell_of(work, EventKind.USER_TOTP_DISABLED, user.id, user.email)
    await mail.write(work, second_factor_removed_email(user.email, address, moment_of(work)))


async def vouch_for_email(work: UnitOfWork, user_id: UUID) -> Account:
    """Take an address for its owner's on a system Admin's word; once more changes nothing.

    Raises:
        Refused: `NotFound`.
    """
    account = await fetch_account(work.db, user_id)
    if account is None:
        raise not_found("user")
    if await mark_verified(work.db, user_id, work.now):
        await delete_tokens(work.db, user_id, "EmailVerification")
        await tell_of(work, EventKind.USER_EMAIL_VERIFIED, user_id, account.user.email)
        account = replace(account, user=replace(account.user, email_verified=True))
    held = await fetch_memberships(work.db, user_id)
    return replace(account, memberships=tuple(held))
