"""Users, what they sign in with, and their sessions."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.identity.errors import email_not_verified
from licet_server.identity.rules.memberships import Membership

SESSION_DAYS = 30
ACCESS_TOKEN_SECONDS = 900
ROTATION_GRACE_SECONDS = 10
PASSWORD_MIN, PASSWORD_MAX = 10, 1000
TOO_COMMON = "is among the commonest passwords; choose another, for example a few words in a row."


class SignUp(StrEnum):
    """Whether people may create accounts for themselves."""

    OPEN = "Open"
    CLOSED = "Closed"


@dataclass(frozen=True, slots=True)
class SignUpStatus:
    """How new users get an account: while setup is required, only with the setup token."""

    setup_required: bool
    sign_up: SignUp


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person with an account."""

    id: UUID
    email: str
    email_verified: bool
    full_name: str
    is_system_admin: bool
    totp_enabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedInUser:
    """The user behind a request, and the sign-in that authenticated it."""

    user_id: UUID
    email: str
    email_verified: bool
    is_system_admin: bool
    sign_in_id: UUID

    def require_verified_email(self) -> None:
        """Check that the user has proved that the e-mail address is theirs.

        Raises:
            Refused: `Forbidden`.
        """
        if not self.email_verified:
            raise email_not_verified()


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordCredentials:
    """What a password is checked against.

    `is_known_address`: the user has signed in from the caller's IP address before, so that
    attackers elsewhere do not throttle them here.
    """

    user: User
    password_hash: str = field(repr=False)
    is_known_address: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInSession:
    """A place where a user is signed in."""

    id: UUID
    created_at: datetime
    last_used_at: datetime
    ip_address: str | None
    user_agent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAccount:
    """A user with their memberships, as system Admins see them."""

    user: User
    created_at: datetime
    memberships: tuple[Membership, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshToken:
    """A stored refresh token, with the state of its sign-in."""

    sign_in_id: UUID
    user_id: UUID
    rotated_at: datetime | None
    expires_at: datetime
    ended_at: datetime | None
