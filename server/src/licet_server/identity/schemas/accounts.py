"""Wire shapes of accounts, sign-in, institutions and API keys."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.identity.rules.people import (
    ACCESS_TOKEN_SECONDS,
    PASSWORD_MAX,
    PASSWORD_MIN,
    Account,
    Institution,
    Membership,
    SignIn,
    User,
)
from licet_server.identity.service.proofs import CodeProof, PasswordProof
from licet_server.identity.service.users import Profile
from licet_server.institutions.rules.api_keys import ApiKey, Scope
from licet_server.institutions.rules.ip_allow_list import range_breaches
from licet_server.institutions.rules.operators import Role
from licet_server.institutions.rules.plans import NO_LIMITS, Limits, Plan
from licet_server.institutions.service.api_keys import ApiKeyDraft, IssuedApiKey
from licet_server.kit.errors import FieldError
from licet_server.kit.mail import Mail, MailStatus
from licet_server.kit.text import Name, Paragraphs, is_email
from licet_server.kit.web.body import Body, Change

Password = Annotated[str, Meta(min_length=PASSWORD_MIN, max_length=PASSWORD_MAX)]
Secret = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX)]


Code = Annotated[str, Meta(min_length=1, max_length=64)]
Address = Annotated[str, Meta(min_length=3, max_length=254)]


class WithAddress(Body):
    """A body with an e-mail address."""

    email: Address

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.email and not is_email(self.email.strip()):
            yield FieldError("email", "must be an e-mail address.")


class RegisterBody(WithAddress):
    """A new account."""

    password: Password
    full_name: Name
    institution_name: Name


class SetupBody(RegisterBody):
    """First-run setup."""

    setup_token: Secret


class LoginBody(Body):
    """Sign-in."""

    email: Annotated[str, Meta(min_length=1, max_length=254)]
    password: Secret
    otp_code: Code | None = None


class PasswordChange(Body):
    """A new password, by somebody who knows the old one."""

    current_password: Secret
    new_password: Password


class ResetRequest(WithAddress):
    """A forgotten password."""


class ResetBody(Body):
    """A new password, by somebody who was mailed a token."""

    token: Secret
    password: Password


class TokenBody(Body):
    """A mailed token."""

    token: Secret


class OtpBody(Body):
    """A code of the app."""

    otp_code: Code


class FactorProof(Body):
    """The password, or a code of the app or a recovery code."""

    password: Secret | None = None
    otp_code: Code | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if (self.password is None) == (self.otp_code is None):
            yield FieldError("password", "send either the password or otpCode.")

    def proof(self) -> PasswordProof | CodeProof:
        """The one that was sent."""
        if self.otp_code is not None:
            return CodeProof(self.otp_code)
        return PasswordProof(self.password or "")


class OfferedFactorView(Struct, rename="camel"):
    """A second factor that waits for its first code."""

    secret: str
    otpauth_uri: str


class RecoveryCodesView(Struct, rename="camel"):
    """Codes that stand in for the app, once each; shown this once."""

    recovery_codes: list[str]


class SignInView(Struct, rename="camel"):
    """A place where one is signed in."""

    id: UUID
    created_at: datetime
    last_used_at: datetime
    ip_address: str | None
    user_agent: str | None
    current: bool


class MailView(Struct, rename="camel"):
    """A letter in the outbox; `text` is null once it is sent."""

    id: UUID
    recipient: str
    subject: str
    text: str | None
    status: MailStatus
    created_at: datetime
    sent_at: datetime | None


class MembershipView(Struct, rename="camel"):
    """A role in an institution."""

    institution_id: UUID
    institution_name: str
    role: Role


class UserView(Struct, rename="camel"):
    """The signed-in person."""

    id: UUID
    email: str
    email_verified: bool
    full_name: str
    is_system_admin: bool
    totp_enabled: bool
    memberships: list[MembershipView]


class ProfileView(UserView, rename="camel", kw_only=True):
    """The signed-in person; `recoveryCodesLeft` is null without a second factor."""

    recovery_codes_left: int | None


class AccountView(Struct, rename="camel"):
    """Somebody's account, for those who look after the instance."""

    id: UUID
    email: str
    email_verified: bool
    full_name: str
    is_system_admin: bool
    totp_enabled: bool
    created_at: datetime
    memberships: list[MembershipView]


class SessionView(Struct, rename="camel"):
    """A session; its refresh token travels in a cookie."""

    access_token: str
    token_type: str
    expires_in: int
    user: UserView


class ProfileChange(Change):
    """What a person may change about himself."""

    full_name: Name | UnsetType = UNSET


class InstitutionBody(Body):
    """A new institution."""

    name: Name


class InstitutionChange(Change):
    """A change of an institution."""

    name: Name | UnsetType = UNSET


Limit = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class OwnLimits(Body):
    """Limits in place of those of the plan; what is absent or null is as the plan has it."""

    products: Limit | None = None
    licenses: Limit | None = None


class PlanBody(Body):
    """The plan of an institution."""

    plan: Plan
    limits: OwnLimits | None = None

    def own_limits(self) -> Limits:
        """The limits that are not the plan's."""
        own = self.limits
        return NO_LIMITS if own is None else Limits(own.products, own.licenses)


class ApiKeyBody(Body):
    """A new API key. Without `expirationDate` it never ends, without a list it works anywhere."""

    name: Name
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=len(Scope))]
    description: Paragraphs | None = None
    expiration_date: Annotated[datetime, Meta(tz=True)] | None = None
    ip_allow_list: list[str] | None = None
    institution_id: UUID | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.expiration_date is not None and self.expiration_date <= now:
            yield FieldError("expirationDate", "must lie in the future.")
        yield from range_breaches("ipAllowList", self.ip_allow_list or [])

    def draft(self) -> ApiKeyDraft:
        """The key that is asked for."""
        return ApiKeyDraft(
            institution_id=self.institution_id,
            name=self.name,
            description=self.description,
            scopes=tuple(dict.fromkeys(self.scopes)),
            ip_allow_list=tuple(self.ip_allow_list or ()),
            expires_at=self.expiration_date and self.expiration_date.astimezone(UTC),
        )


class ApiKeyView(Struct, rename="camel"):
    """An API key, without its secret."""

    id: UUID
    institution_id: UUID
    name: str
    description: str | None
    scopes: list[Scope]
    expiration_date: datetime | None
    ip_allow_list: list[str]
    last_used_at: datetime | None
    created_at: datetime
    revoked_at: datetime | None


class IssuedApiKeyView(ApiKeyView, rename="camel", kw_only=True):
    """An API key with its secret, which is shown this once."""

    secret: str


class PlanLimits(Struct):
    """How many the plan allows; null is without limit."""

    products: int | None
    licenses: int | None


class InstitutionView(Struct, rename="camel"):
    """An institution."""

    id: UUID
    name: str
    plan: Plan
    limits: PlanLimits
    created_at: datetime


def profile_view(profile: Profile) -> ProfileView:
    shown = _user_fields(profile.user, profile.memberships)
    return ProfileView(**shown, recovery_codes_left=profile.recovery_codes_left)


def session_view(access_token: str, user: User, memberships: list[Membership]) -> SessionView:
    shown = UserView(**_user_fields(user, memberships))
    return SessionView(access_token, "Bearer", ACCESS_TOKEN_SECONDS, shown)


def account_view(account: Account) -> AccountView:
    return AccountView(
        **_user_fields(account.user, account.memberships), created_at=account.created_at
    )


def _user_fields(user: User, memberships: Iterable[Membership]) -> dict[str, Any]:
    return {
        "id": user.id,
        "email": user.email,
        "email_verified": user.email_verified,
        "full_name": user.full_name,
        "is_system_admin": user.is_system_admin,
        "totp_enabled": user.totp_enabled,
        "memberships": [
            MembershipView(item.institution_id, item.institution_name, item.role)
            for item in memberships
        ],
    }


def sign_in_view(found: SignIn, current: UUID) -> SignInView:
    return SignInView(
        found.id,
        found.created_at,
        found.last_used_at,
        found.ip_address,
        found.user_agent,
        found.id == current,
    )


def mail_view(mail: Mail) -> MailView:
    return MailView(
        mail.id,
        mail.recipient,
        mail.subject,
        mail.text,
        mail.status,
        mail.created_at,
        mail.sent_at,
    )


def institution_view(institution: Institution) -> InstitutionView:
    limits = PlanLimits(institution.limits.products, institution.limits.licenses)
    return InstitutionView(
        institution.id, institution.name, institution.plan, limits, institution.created_at
    )


def api_key_view(item: ApiKey) -> ApiKeyView:
    return ApiKeyView(**_api_key_fields(item))


def issued_api_key_view(issued: IssuedApiKey) -> IssuedApiKeyView:
    return IssuedApiKeyView(**_api_key_fields(issued.key), secret=issued.secret)


def _api_key_fields(item: ApiKey) -> dict[str, Any]:
    return {
        "id": item.id,
        "institution_id": item.institution_id,
        "name": item.name,
        "description": item.description,
        "scopes": list(item.scopes),
        "expiration_date": item.expires_at,
        "ip_allow_list": list(item.ip_allow_list),
        "last_used_at": item.last_used_at,
        "created_at": item.created_at,
        "revoked_at": item.revoked_at,
    }
