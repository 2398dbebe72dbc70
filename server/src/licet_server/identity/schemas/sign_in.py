"""Wire shapes of setup, sign-up and sign-in."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.identity.rules.memberships import AccountApiKey, Membership
from licet_server.identity.rules.users import ACCESS_TOKEN_SECONDS, SignUp, User
from licet_server.identity.schemas.account_security import PasskeyCredential
from licet_server.identity.schemas.users import (
    Code,
    Password,
    Secret,
    UserView,
    WithEmail,
    password_breaches,
)
from licet_server.identity.service.sign_in import SignInAttempt
from licet_server.identity.service.users import NewAccount
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of


class RegisterBody(WithEmail):
    """A new account."""

    password: Password
    full_name: Name
    institution_name: Name

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from super().breaches(now)
        yield from password_breaches("password", self.password)

    def account(self) -> NewAccount:
        """Return the account to create."""
        return NewAccount(
            email=normal_email(self.email),
            password=self.password,
            full_name=self.full_name,
            institution_name=self.institution_name,
        )


class SetupBody(RegisterBody):
    """First-run setup."""

    setup_token: Secret


class LoginBody(Body):
    """Sign-in."""

    email: Annotated[str, Meta(min_length=1, max_length=254)]
    password: Secret
    otp_code: Code | None = None
    passkey: PasskeyCredential | None = None

    def attempt(self, user_agent: str | None) -> SignInAttempt:
        """Return the attempt to sign in from this user agent."""
        return SignInAttempt(
            email=normal_email(self.email),
            password=self.password,
            otp_code=self.otp_code,
            passkey=None if self.passkey is None else self.passkey.plain(),
            user_agent=user_agent,
        )


class SetupView(Struct, rename="camel"):
    """The state of setup and sign-up, which visitors may know."""

    required: bool
    sign_up: SignUp
    session: bool


class UserSessionView(Struct, rename="camel"):
    """A session; its refresh token is set as a cookie."""

    access_token: str
    token_type: str
    expires_in: int
    user: UserView


def session_view(
    access_token: str, user: User, memberships: Sequence[Membership]
) -> UserSessionView:
    return UserSessionView(
        access_token=access_token,
        token_type="Bearer",  # noqa: S106 - the type, RFC 6750
        expires_in=ACCESS_TOKEN_SECONDS,
        user=view_of(UserView, user, memberships=memberships),
    )


class PasswordResetRequest(WithEmail):
    """A request to reset a forgotten password."""


class ResetPasswordBody(Body):
    """A new password, with an e-mailed token."""

    token: Secret
    password: Password
    revoke_api_keys: bool = False

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from password_breaches("password", self.password)


class AccountApiKeyView(Struct, rename="camel"):
    """A live API key that a user created."""

    id: UUID
    name: str
    institution_id: UUID
    institution_name: str
    created_at: datetime
    last_used_at: datetime | None


class PasswordResetPreview(Struct, rename="camel"):
    """The API keys of the account, in all institutions, which a new password does not end."""

    api_keys: list[AccountApiKeyView]


def password_reset_preview(keys: Sequence[AccountApiKey]) -> PasswordResetPreview:
    return PasswordResetPreview([view_of(AccountApiKeyView, key) for key in keys])


class TokenBody(Body):
    """An e-mailed token."""

    token: Secret
