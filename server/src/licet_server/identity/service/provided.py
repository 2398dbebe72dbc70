"""Accounts of users for whom an identity provider vouches."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from licet_server.identity import errors
from licet_server.identity.rules.lasting import Lasting, may_leave
from licet_server.identity.rules.users import SignedInUser, User
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.storage.emailed_tokens import delete_tokens
from licet_server.identity.storage.passkeys import delete_challenges, delete_passkeys
from licet_server.identity.storage.second_factors import clear_factor, delete_recovery_codes
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.identity.storage.users import lock_user, update_password_hash
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork

FindVendors = Callable[[Connection, UUID, str], Awaitable[set[UUID]]]
"""Finds the institutions that issued licenses to a user, by their ID and their e-mail address.

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
    return await lock_user(work.db, user_id)


async def lock_signed_in(work: UnitOfWork, user_id: UUID) -> User:
    """Lock the user of a session.

    Raises:
        Refused: `Unauthorized` if the account was deleted.
    """
    locked = await lock_user(work.db, user_id)
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
    await update_password_hash(work.db, user.id, None)
    await remove_factors(work, user)
    await delete_tokens(work.db, user.id, "PasswordReset")
    await end_sign_ins(work.db, user.id, work.now)


async def remove_factors(work: UnitOfWork, user: User) -> None:
    """Remove all second factors, offered ones included. Expects the user locked."""
    await clear_factor(work.db, user.id)
    await delete_passkeys(work.db, user.id)
    await delete_recovery_codes(work.db, user.id)
    await delete_challenges(work.db, user.id)
