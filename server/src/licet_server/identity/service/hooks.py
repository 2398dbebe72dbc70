"""Hooks of identity that features above it implement."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol
from uuid import UUID

from msgspec import structs

from licet_server.events.rules.kinds import EventKind
from licet_server.identity.rules.memberships import AccountApiKey, Membership
from licet_server.identity.rules.users import Evidence, SignedInUser, User
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.unit_of_work import UnitOfWork


class AccountHooks(Protocol):
    """The memberships and API keys of users, and events in their institutions.

    Implemented by `institutions.service.account_hooks` and wired in `app.py`.
    """

    async def list_memberships(
        self, db: Connection, user_ids: Collection[UUID]
    ) -> Mapping[UUID, Sequence[Membership]]:
        """List the memberships of each of these users, oldest first."""
        ...

    async def record_account_event(
        self,
        work: UnitOfWork,
        kind: EventKind,
        *,
        user_id: UUID,
        email: str,
        within: UUID | None = None,
    ) -> None:
        """Record an event of a user's account in every institution that the user belongs to.

        If it concerns one institution alone, `within` is that one. For a user without one, acts of
        a system Admin or the console are recorded for the instance.
        """
        ...

    async def list_api_keys(
        self, db: Connection, user_id: UUID, now: datetime
    ) -> Sequence[AccountApiKey]:
        """List the live API keys of a user in all institutions, oldest first."""
        ...

    async def revoke_api_keys(self, work: UnitOfWork, user_id: UUID) -> None:
        """Revoke the live API keys of a user in all institutions."""
        ...

    async def admit_session(self, db: Connection, user_id: UUID, evidence: Evidence) -> None:
        """Check that a session opened with this evidence would have access to anything.

        Raises:
            Refused: `SsoRequired` if all their institutions sign in through identity providers.
        """
        ...

    async def create_first_institution(
        self, work: UnitOfWork, *, owner_id: UUID, name: str
    ) -> None:
        """Create the institution that a user names when signing up, with the user as its Owner."""
        ...


class ProviderCheck(Protocol):
    """Asks the identity provider that signed a user in whether it still admits them.

    Implemented by `sso.service.renewal` and wired in `app.py`.
    """

    async def still_admits(
        self, origin: Origin, *, institution_id: UUID, sign_in_id: UUID, user_id: UUID
    ) -> bool:
        """Check, within seconds whatever the provider does, whether the session may go on."""
        ...


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
