"""People, their accounts and memberships, and the institutions that they belong to."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.institutions.rules.operators import Role
from licet_server.institutions.rules.plans import NO_LIMITS, Limits, Plan, limits_of

SESSION_DAYS = 30
ACCESS_TOKEN_SECONDS = 900
ROTATION_GRACE_SECONDS = 10
PASSWORD_MIN, PASSWORD_MAX = 8, 1000


class SignUp(StrEnum):
    """Whether people may make accounts for themselves."""

    OPEN = "Open"
    CLOSED = "Closed"


@dataclass(frozen=True, slots=True)
class Entrance:
    """How people come in: the first of all by the setup token, and nobody else until then."""

    setup_required: bool
    sign_up: SignUp


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
class Recipient:
    """Somebody who is told of what happens in an institution."""

    institution_id: UUID
    user_id: UUID
    email: str
    email_verified: bool


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
    """A tenant. It lets people in from everywhere, unless `ip_allow_list` names addresses."""

    id: UUID
    name: str
    created_at: datetime
    plan: Plan = Plan.UNLIMITED
    own_limits: Limits = NO_LIMITS
    ip_allow_list: tuple[str, ...] = ()
    expiry_reminder_days: tuple[int, ...] = (30, 7, 1)
    telemetry_retention_days: int = 90

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
class Account:
    """An account as those see it who look after the instance."""

    user: User
    created_at: datetime
    memberships: tuple[Membership, ...] = ()


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token as stored, with the state of its sign-in."""

    sign_in_id: UUID
    user_id: UUID
    rotated_at: datetime | None
    expires_at: datetime
    ended_at: datetime | None
