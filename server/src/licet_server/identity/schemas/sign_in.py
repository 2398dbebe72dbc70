"""Wire shapes of setup, sign-up and sign-in."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from licet_server.identity.rules.memberships import Membership
from licet_server.identity.rules.users import ACCESS_TOKEN_SECONDS, SignUp, User
from licet_server.identity.schemas.fields import (
    Code,
    Password,
    Secret,
    WithEmail,
    password_breaches,
)
from licet_server.identity.schemas.passkeys import PasskeyCredential
from licet_server.identity.schemas.users import UserView
from licet_server.identity.service.sign_in import SignInAttempt
from licet_server.identity.service.users import NewAccount
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name, normal_email
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
