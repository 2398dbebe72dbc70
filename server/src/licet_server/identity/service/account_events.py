"""Events of accounts, recorded in every institution that the user belongs to."""

from dataclasses import replace
from uuid import UUID

from msgspec import structs

from licet_server.events.rules.kinds import EventKind
from licet_server.identity.rules.users import SignedInUser, User
from licet_server.identity.service.hooks import AccountHooks
from licet_server.kit.unit_of_work import UnitOfWork


async def record_own_account_event(
    work: UnitOfWork,
    hooks: AccountHooks,
    kind: EventKind,
    user: User | SignedInUser,
    within: UUID | None = None,
) -> None:
    """Record an event that the user caused, in the transaction of the change.

    For changes by someone else, call `hooks.record_account_event` directly.
    """
    user_id = user.id if isinstance(user, User) else user.user_id
    acting = acting_as(work, user_id=user_id, email=user.email)
    await hooks.record_account_event(acting, kind, user_id=user_id, email=user.email, within=within)


def acting_as(work: UnitOfWork, *, user_id: UUID, email: str) -> UnitOfWork:
    """Make the user the actor, for requests that began without a sign-in."""
    origin = structs.replace(work.origin, actor_kind="User", actor_id=user_id, actor_name=email)
    return replace(work, origin=origin)
