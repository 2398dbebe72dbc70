"""Users, their credentials, and their sessions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from licet_server.identity.errors import email_not_verified, step_up_required
from licet_server.identity.rules.memberships import Membership, SessionTrust

API_KEY_PREFIX = "licet_ak_"
"""Begins the secret of every API key, so that scanners find one that leaked."""


class Lasting(StrEnum):
    """The lasting effect of a request."""

    NOTHING = "Nothing"
    """Nothing that outlives the session, or sessions of the same kind."""
    INSTITUTION = "Institution"
    """Things of an institution, which its members' roles and its licenses' receivers guard."""
    ACCOUNT = "Account"
    """The user's name, password, second factors or preferences."""
    MEMBERSHIP = "Membership"
    """That the user belongs to a further institution."""
    SERVICE = "Service"
    """Accounts of others, and what concerns the whole service."""


class Credential(StrEnum):
    """The means by which a request is authenticated."""

    PASSWORD = "Password"  # noqa: S105 - the name of a credential
    SECOND_FACTOR = "SecondFactor"
    PASSKEY = "Passkey"
    PROVIDER = "Provider"
    API_KEY = "ApiKey"
    PRODUCT_KEY = "ProductKey"
    RESET_LINK = "ResetLink"
    INVITATION = "Invitation"
    PORTAL_LINK = "PortalLink"


_OF_USERS = frozenset(Lasting)
_OF_INSTITUTIONS = frozenset({Lasting.NOTHING, Lasting.INSTITUTION})

MAY_LEAVE: Mapping[Credential, frozenset[Lasting]] = {
    Credential.PASSWORD: _OF_USERS,
    Credential.SECOND_FACTOR: _OF_USERS,
    Credential.PASSKEY: _OF_USERS,
    Credential.PROVIDER: _OF_INSTITUTIONS,
    Credential.API_KEY: _OF_INSTITUTIONS,
    Credential.PRODUCT_KEY: _OF_INSTITUTIONS,
    Credential.RESET_LINK: frozenset({Lasting.ACCOUNT}),
    Credential.INVITATION: frozenset(),
    Credential.PORTAL_LINK: frozenset(),
}
"""The lasting effects that each credential permits in an existing account, and beyond.

Roles, scopes and step-ups narrow it further. Invitations and portal links create an account where
there is none; users who have one join an institution in a session of their own.
"""


def may_leave(credential: Credential, lasting: Lasting, *, exists_for_provider: bool) -> bool:
    """Check whether a request with the credential may leave this behind.

    An account that exists for the provider of the session alone is that institution's own, so the
    provider may change it; see `ProviderAccounts`.
    """
    is_own = exists_for_provider and credential is Credential.PROVIDER
    return lasting in MAY_LEAVE[credential] or (is_own and lasting is Lasting.ACCOUNT)


PROOF_MINUTES = 15


class ProofMethod(StrEnum):
    """A means to prove one's identity."""

    PASSWORD = "Password"  # noqa: S105 - the name of a method
    OTP = "Otp"
    PASSKEY = "Passkey"
    PROVIDER = "Provider"


SECOND_FACTORS = (ProofMethod.OTP, ProofMethod.PASSKEY)
"""`Otp` is a code from the authenticator app, or a recovery code."""

OWN_PROOFS = (ProofMethod.PASSWORD, *SECOND_FACTORS)
"""The methods that the service checks. `Provider` is a sign-in at an identity provider."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof of identity: the methods that were used together, at one instant."""

    at: datetime
    methods: tuple[ProofMethod, ...]

    @property
    def ends_at(self) -> datetime:
        """Return until when the proof counts as a step-up."""
        return self.at + timedelta(minutes=PROOF_MINUTES)

    def permits(self, now: datetime, accepted: Collection[ProofMethod]) -> bool:
        """Check whether the proof is recent, and by one of the accepted methods."""
        return now < self.ends_at and not set(accepted).isdisjoint(self.methods)


UNUSED_SESSION_DAYS = 30
"""The days without use after which a session ends."""

SESSION_DAYS = 90
"""The days after which a session ends, however often it is used."""

ACCESS_TOKEN_SECONDS = 900
ROTATION_GRACE_SECONDS = 10
PASSWORD_MIN, PASSWORD_MAX = 10, 1000
TOO_COMMON = "is a common password. Choose another, for example a few words in a row."


class SignUp(StrEnum):
    """Whether anyone may create an account."""

    OPEN = "Open"
    CLOSED = "Closed"


@dataclass(frozen=True, slots=True)
class SignUpStatus:
    """The ways to get an account: while setup is required, only by the setup token."""

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
    has_passkey: bool = False
    is_disabled: bool = False
    has_password: bool = True

    def seen_by(self, trust: SessionTrust) -> "User":
        """Return the user as a session sees them: through a provider, nobody is a system Admin."""
        return replace(self, is_system_admin=self.is_system_admin and trust.through is None)

    @property
    def signs_in_alone(self) -> bool:
        """Return whether the user signs in without an identity provider."""
        return self.has_password or self.is_system_admin

    @property
    def has_second_factor(self) -> bool:
        """Return whether the password alone is not enough to sign in."""
        return self.totp_enabled or self.has_passkey


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedInUser:
    """The user behind a request, and the sign-in that authenticated it.

    `proof` is the last one of the session; an API key has none. `has_used_factor`: a second factor
    was used in the session. `through` is the institution whose identity provider signed the user
    in, if one did. `signs_in_alone`: see `User`.
    """

    user_id: UUID
    email: str
    email_verified: bool
    is_system_admin: bool
    sign_in_id: UUID
    totp_enabled: bool = False
    has_passkey: bool = False
    proof: Proof | None = None
    has_used_factor: bool = False
    through: UUID | None = None
    signs_in_alone: bool = True

    @property
    def trust(self) -> SessionTrust:
        """Return how far the session is trusted."""
        return SessionTrust(self.has_used_factor, self.through)

    @property
    def credential(self) -> Credential:
        """Return what authenticated the request."""
        if self.proof is None:
            return Credential.API_KEY
        if self.through is not None:
            return Credential.PROVIDER
        return Credential.SECOND_FACTOR if self.has_used_factor else Credential.PASSWORD

    def require_verified_email(self) -> None:
        """Check that the user has proved that the email address is theirs.

        Raises:
            Refused: `Forbidden`.
        """
        if not self.email_verified:
            raise email_not_verified()

    def require_proof(
        self, now: datetime, accepted: Collection[ProofMethod] = tuple(ProofMethod)
    ) -> None:
        """Check that the user has recently proved who they are, by one of the accepted methods.

        Raises:
            Refused: `StepUpRequired`, with the methods that the user has; never for an API key,
                which was itself created after a proof, and is limited by its scopes.
        """
        if self.proof is None or self.proof.permits(now, accepted):
            return
        raise step_up_required([item for item in self._methods if item in accepted])

    @property
    def _methods(self) -> list[ProofMethod]:
        """Return what the user can prove themselves with."""
        methods = [] if self.through else [ProofMethod.PASSWORD]
        if self.totp_enabled:
            methods.append(ProofMethod.OTP)
        if self.has_passkey:
            methods.append(ProofMethod.PASSKEY)
        return [*methods, ProofMethod.PROVIDER] if self.through else methods

    @property
    def enrolling_proofs(self) -> Collection[ProofMethod]:
        """Return the proofs that permit a change of second factors.

        A provider can vouch for a user who has none here, but never replaces one.
        """
        has_own = self.totp_enabled or self.has_passkey
        return OWN_PROOFS if has_own else tuple(ProofMethod)


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordCredentials:
    """The data that a password is checked against.

    `is_known_address`: the user has signed in from the caller's IP address before, so that
    attackers elsewhere do not throttle them here.
    """

    user: User
    password_hash: str | None = field(repr=False)
    is_known_address: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInSession:
    """A session of a user, as it is listed."""

    id: UUID
    created_at: datetime
    last_used_at: datetime
    ip_address: str | None
    user_agent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The proofs by which a user opened a session.

    `second_factor`: one was used. `through` is the institution whose identity provider said who
    they are, `at` when it has seen them; without it, now.
    """

    methods: tuple[ProofMethod, ...] = (ProofMethod.PASSWORD,)
    second_factor: bool = False
    through: UUID | None = None
    at: datetime | None = None

    @property
    def trust(self) -> SessionTrust:
        """Return how far the session is trusted."""
        return SessionTrust(self.second_factor, self.through)


BY_PASSWORD = Evidence()


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAccount:
    """A user with their memberships, as system Admins see them."""

    user: User
    created_at: datetime
    memberships: tuple[Membership, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshToken:
    """A stored refresh token, with the state of its sign-in.

    Once rotated, the token and `successor_salt` together give the one that replaced it.
    """

    sign_in_id: UUID
    user_id: UUID
    rotated_at: datetime | None
    successor_salt: bytes | None = field(repr=False)
    signed_in_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    has_used_factor: bool
    through: UUID | None

    @property
    def trust(self) -> SessionTrust:
        """Return how far the session is trusted."""
        return SessionTrust(self.has_used_factor, self.through)

    def is_usable(self, now: datetime) -> bool:
        """Check whether the token may still be rotated."""
        grace = timedelta(seconds=ROTATION_GRACE_SECONDS)
        is_current = self.rotated_at is None or now - self.rotated_at <= grace
        return is_current and self.ended_at is None and self.expires_at > now


def session_ends_at(signed_in_at: datetime, used_at: datetime) -> datetime:
    """Return when a session that was last used at `used_at` expires."""
    return min(
        used_at + timedelta(days=UNUSED_SESSION_DAYS), signed_in_at + timedelta(days=SESSION_DAYS)
    )
