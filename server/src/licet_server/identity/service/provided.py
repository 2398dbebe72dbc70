"""Accounts of people for whom an identity provider vouches."""

from uuid import UUID

from licet_server.identity.rules.users import User
from licet_server.identity.storage.emailed_tokens import delete_tokens
from licet_server.identity.storage.passkeys import delete_challenges, delete_passkeys
from licet_server.identity.storage.second_factors import delete_recovery_codes, remove_factor
from licet_server.identity.storage.sessions import end_sign_ins
from licet_server.identity.storage.users import lock_user, update_password_hash
from licet_server.kit.unit_of_work import UnitOfWork


async def lock_account(work: UnitOfWork, user_id: UUID) -> User | None:
    """The user, locked against concurrent sign-ins and changes of their password."""
    return await lock_user(work.db, user_id)


async def forget_unproven(work: UnitOfWork, user: User, password_hash: str) -> None:
    """Take everything away by which somebody could sign in who never proved the address.

    Whoever signed up with it may be anybody. Expects the user locked.
    """
    await update_password_hash(work.db, user.id, password_hash)
    await remove_factor(work.db, user.id)
    await delete_passkeys(work.db, user.id)
    await delete_recovery_codes(work.db, user.id)
    await delete_challenges(work.db, user.id)
    await delete_tokens(work.db, user.id, "PasswordReset")
    await end_sign_ins(work.db, user.id, work.now)
