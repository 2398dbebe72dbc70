"""Memberships of users; institutions decide what a role may do."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    """A member's role in an institution; each role may do everything that the later ones may."""

    OWNER = "Owner"
    ADMIN = "Admin"
    MEMBER = "Member"
    VIEWER = "Viewer"

    def covers(self, needed: "Role") -> bool:
        """Check whether this role may do what `needed` may."""
        order = list(Role)
        return order.index(self) <= order.index(needed)


class Closure(StrEnum):
    """Why an institution is closed to the session of a member."""

    SINGLE_SIGN_ON = "SingleSignOn"
    SECOND_FACTOR = "SecondFactor"
    OTHER_PROVIDER = "OtherProvider"


@dataclass(frozen=True, slots=True)
class SignInRules:
    """The requirements of an institution on the sessions of its members."""

    sso_enforced: bool = False
    second_factor_required: bool = False


NO_SIGN_IN_RULES = SignInRules()


@dataclass(frozen=True, slots=True)
class SessionTrust:
    """The trust in a session, by how its user has signed in: see `SignedInUser`."""

    has_used_factor: bool = False
    through: UUID | None = None


def closure_of(
    institution_id: UUID, role: Role, rules: SignInRules, trust: SessionTrust
) -> Closure | None:
    """Return why the institution is closed to a session; `None` if it is open.

    An identity provider vouches for the members of its own institution only, with as many
    factors as it requires. Where it is enforced, Owners may sign in without it, in case it is
    unavailable, and then need a second factor.
    """
    if trust.through is not None:
        return None if trust.through == institution_id else Closure.OTHER_PROVIDER
    if rules.sso_enforced and role is not Role.OWNER:
        return Closure.SINGLE_SIGN_ON
    needs_factor = rules.sso_enforced or rules.second_factor_required
    return Closure.SECOND_FACTOR if needs_factor and not trust.has_used_factor else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """A user's role in an institution; `closed` says why the session has no access to it."""

    institution_id: UUID
    institution_name: str
    role: Role
    rules: SignInRules = NO_SIGN_IN_RULES
    closed: Closure | None = None


def seen_by(trust: SessionTrust, memberships: Iterable[Membership]) -> list[Membership]:
    """Return a user's memberships as a session sees them.

    A session through an identity provider sees that of its institution alone: where else the user
    belongs is no matter of the provider.
    """
    return [
        replace(item, closed=closure_of(item.institution_id, item.role, item.rules, trust))
        for item in memberships
        if trust.through in {None, item.institution_id}
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountApiKey:
    """A live API key that a user created: it works whatever their password is."""

    id: UUID
    name: str
    institution_id: UUID
    institution_name: str
    created_at: datetime
    last_used_at: datetime | None
