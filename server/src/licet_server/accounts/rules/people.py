"""Who may do what: roles, and the operator that a request speaks for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.accounts.errors import (
    email_not_verified,
    forbidden,
    no_institution,
    scope_missing,
)
from licet_server.accounts.rules.api_keys import ApiKey, Scope
from licet_server.accounts.rules.plans import NO_LIMITS, Limits, Plan, limits_of

SESSION_DAYS = 30
ACCESS_TOKEN_SECONDS = 900
ROTATION_GRACE_SECONDS = 10
PASSWORD_MIN, PASSWORD_MAX = 8, 1000


class Role(StrEnum):
    """What a member may do in an institution; each role can do all that those after it can."""

    OWNER = "Owner"
    ADMIN = "Admin"
    MEMBER = "Member"
    VIEWER = "Viewer"

    def covers(self, needed: "Role") -> bool:
        """Whether this role may do what `needed` may."""
        order = list(Role)
        return order.index(self) <= order.index(needed)


@dataclass(frozen=True, slots=True)
class Operator:
    """The person behind a request, or behind the API key of it, with the role that it takes.

    `roles` holds his institutions, oldest membership first; for a system Admin, all institutions.
    """

    user_id: UUID
    email: str
    sign_in_id: UUID
    is_system_admin: bool
    roles: Mapping[UUID, Role]
    needed: Role
    email_verified: bool
    api_key: ApiKey | None = None

    @property
    def visible(self) -> list[UUID]:
        """The institutions whose things he may see; all others do not exist for him."""
        return list(self.roles)

    def authorize(self, institution_id: UUID) -> None:
        """Check the role that the route asks for in an institution that he sees.

        Raises:
            Refused: `Forbidden`.
        """
        role = self.roles.get(institution_id)
        if role is None or not role.covers(self.needed):
            raise forbidden(self.needed)

    def require_scope(self, scope: Scope) -> None:
        """Check that the API key, where one acts for him, is good for that as well.

        Raises:
            Refused: `Forbidden`.
        """
        if self.api_key is not None and not self.api_key.covers(scope):
            raise scope_missing(scope)

    def require_verified_email(self) -> None:
        """Check that his address is known to be his.

        Raises:
            Refused: `Forbidden`.
        """
        if not self.email_verified:
            raise email_not_verified()

    def authorized(self) -> list[UUID]:
        """The institutions in which he holds the role that the route asks for.

        Raises:
            Refused: `Forbidden` when there is none.
        """
        found = [item for item, role in self.roles.items() if role.covers(self.needed)]
        if not found:
            raise forbidden(self.needed)
        return found

    def institution_for_new(self, given: UUID | None) -> UUID | None:
        """Where something new goes: the institution named, else that of the oldest membership.

        `None` when the named institution does not exist for him.

        Raises:
            Refused: `Forbidden` without the role there, or without any membership.
        """
        if given is None:
            if not self.roles:
                raise no_institution()
            given = next(iter(self.roles))
        if given not in self.roles:
            return None
        self.authorize(given)
        return given


@dataclass(frozen=True, slots=True)
class User:
    """An account of a person."""

    id: UUID
    email: str
    email_verified: bool
    full_name: str
    is_system_admin: bool
    totp_enabled: bool = False


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a sign-in is checked against.

    `is_known_address`: he has signed in from the caller's address before, so that strangers who
    guess elsewhere do not slow him down here.
    """

    user: User
    password_hash: str = field(repr=False)
    is_known_address: bool


@dataclass(frozen=True, slots=True)
class SignIn:
    """A place where somebody is signed in."""

    id: UUID
    created_at: datetime
    last_used_at: datetime
    ip_address: str | None
    user_agent: str | None


@dataclass(frozen=True, slots=True)
class Institution:
    """A tenant."""

    id: UUID
    name: str
    created_at: datetime
    plan: Plan = Plan.UNLIMITED
    own_limits: Limits = NO_LIMITS

    @property
    def limits(self) -> Limits:
        """How much there may be."""
        return limits_of(self.plan, self.own_limits)


@dataclass(frozen=True, slots=True)
class Membership:
    """A role in an institution."""

    institution_id: UUID
    institution_name: str
    role: Role


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token as stored, with the state of its sign-in."""

    sign_in_id: UUID
    user_id: UUID
    rotated_at: datetime | None
    expires_at: datetime
    ended_at: datetime | None
