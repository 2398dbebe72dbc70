"""Wire shapes of passwords, second factors and sessions of signed-in users."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.identity.rules.memberships import AccountApiKey, Membership
from licet_server.identity.rules.second_factors import PASSKEY_NAME_MAX, Passkey
from licet_server.identity.rules.users import (
    ACCESS_TOKEN_SECONDS,
    Proof,
    ProofMethod,
    SignInSession,
    SignUp,
    User,
)
from licet_server.identity.schemas.users import (
    Code,
    Password,
    Secret,
    UserView,
    WithEmail,
    password_breaches,
)
from licet_server.identity.service.passkeys import Enrolled, Options
from licet_server.identity.service.sign_in import SignInAttempt
from licet_server.identity.service.users import NewAccount
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of

Base64Url = Annotated[str, Meta(min_length=1, max_length=16_384)]
ShortBase64Url = Annotated[str, Meta(min_length=1, max_length=2_048)]
PasskeyName = Annotated[str, Meta(min_length=1, max_length=PASSKEY_NAME_MAX)]


class NewPasskeyResponse(Struct):
    """A credential that an authenticator has created."""

    client_data_json: Base64Url = msgspec.field(name="clientDataJSON")
    attestation_object: Base64Url = msgspec.field(name="attestationObject")
    transports: Annotated[list[str], Meta(max_length=10)] | None = None


class PasskeyResponse(Struct):
    """An assertion that an authenticator has signed."""

    client_data_json: Base64Url = msgspec.field(name="clientDataJSON")
    authenticator_data: Base64Url = msgspec.field(name="authenticatorData")
    signature: Base64Url
    user_handle: ShortBase64Url | None = msgspec.field(name="userHandle", default=None)


class NewPasskeyCredential(Struct, rename="camel"):
    """The result of `navigator.credentials.create()`, by its `toJSON()`."""

    id: ShortBase64Url
    raw_id: ShortBase64Url
    response: NewPasskeyResponse
    type: Annotated[str, Meta(max_length=32)] = "public-key"


class PasskeyCredential(Struct, rename="camel"):
    """The result of `navigator.credentials.get()`, by its `toJSON()`."""

    id: ShortBase64Url
    raw_id: ShortBase64Url
    response: PasskeyResponse
    type: Annotated[str, Meta(max_length=32)] = "public-key"

    def plain(self) -> dict[str, Any]:
        """Return the credential as plain objects."""
        return _plain(self)


class RegisterPasskeyBody(Body):
    """A new passkey, and a name to recognize it by."""

    name: PasskeyName
    credential: NewPasskeyCredential

    def plain(self) -> dict[str, Any]:
        """Return the credential as plain objects."""
        return _plain(self.credential)


class PasskeySignInBody(Body):
    """An assertion of a passkey."""

    credential: PasskeyCredential


def _plain(credential: Struct) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(credential)
    plain["response"] = {
        name: value for name, value in plain["response"].items() if value is not None
    }
    return plain


class PasskeyDescriptor(Struct, rename="camel", omit_defaults=True):
    """A passkey that is already known."""

    id: str
    type: str
    transports: list[str] | UnsetType = UNSET


class PasskeyParty(Struct):
    """The service, by the host name that passkeys are bound to."""

    id: str
    name: str


class PasskeyUser(Struct, rename="camel"):
    """The user, as authenticators show them."""

    id: str
    name: str
    display_name: str


class PasskeyAlgorithm(Struct):
    """An accepted kind of key, by its COSE number."""

    type: str
    alg: int


class PasskeySelection(Struct, rename="camel"):
    """The authenticators that are accepted."""

    resident_key: str
    require_resident_key: bool
    user_verification: str


class PasskeyCreationOptions(Struct, rename="camel"):
    """For `PublicKeyCredential.parseCreationOptionsFromJSON()`."""

    rp: PasskeyParty
    user: PasskeyUser
    challenge: str
    pub_key_cred_params: list[PasskeyAlgorithm]
    timeout: int
    exclude_credentials: list[PasskeyDescriptor]
    authenticator_selection: PasskeySelection
    attestation: str


class PasskeyRequestOptions(Struct, rename="camel"):
    """For `PublicKeyCredential.parseRequestOptionsFromJSON()`."""

    challenge: str
    timeout: int
    rp_id: str
    allow_credentials: list[PasskeyDescriptor]
    user_verification: str


class PasskeyView(Struct, rename="camel"):
    """A passkey; `backedUp`: the user's devices share it."""

    id: UUID
    name: str
    backed_up: bool
    created_at: datetime
    last_used_at: datetime | None


class EnrolledPasskeyView(PasskeyView, rename="camel", kw_only=True):
    """A new passkey; `recoveryCodes`, shown only once, come with the first second factor."""

    recovery_codes: list[str] | None


def creation_options_view(options: Options) -> PasskeyCreationOptions:
    """Convert the options of the library."""
    return msgspec.convert(options, PasskeyCreationOptions)


def request_options_view(options: Options) -> PasskeyRequestOptions:
    """Convert the options of the library."""
    return msgspec.convert(options, PasskeyRequestOptions)


def passkey_view(passkey: Passkey) -> PasskeyView:
    return view_of(PasskeyView, passkey)


def enrolled_passkey_view(enrolled: Enrolled) -> EnrolledPasskeyView:
    codes = enrolled.recovery_codes
    return view_of(
        EnrolledPasskeyView,
        enrolled.passkey,
        recovery_codes=None if codes is None else list(codes),
    )


class PasswordChange(Body):
    """A new password, confirmed with the current one."""

    current_password: Secret
    new_password: Password

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from password_breaches("newPassword", self.new_password)


class OtpBody(Body):
    """A code from the authenticator app."""

    otp_code: Code


class StepUpBody(Body):
    """A passkey alone; or the password, a code (of the app or a recovery code), or both."""

    password: Secret | None = None
    otp_code: Code | None = None
    passkey: PasskeyCredential | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        has_other = self.password is not None or self.otp_code is not None
        if self.passkey is None and not has_other:
            yield FieldError("password", "send the password, otpCode or passkey.")
        if self.passkey is not None and has_other:
            yield FieldError("passkey", "is sent alone, without password and otpCode.")


class StepUpView(Struct, rename="camel"):
    """The last proof of identity, and until when it counts."""

    methods: list[ProofMethod]
    authenticated_at: datetime
    expires_at: datetime


def step_up_view(proof: Proof) -> StepUpView:
    return StepUpView(list(proof.methods), proof.at, proof.ends_at)


class SecondFactorProof(Body):
    """A code from the authenticator app, or a recovery code, if the session has no recent one."""

    otp_code: Code | None = None


class OfferedFactorView(Struct, rename="camel"):
    """A second factor that is waiting for its first code."""

    secret: str
    otpauth_uri: str


class RecoveryCodesView(Struct, rename="camel"):
    """Codes to use in place of the authenticator app, once each; shown only once."""

    recovery_codes: list[str]


class SignInView(Struct, rename="camel"):
    """A session of the user."""

    id: UUID
    created_at: datetime
    last_used_at: datetime
    ip_address: str | None
    user_agent: str | None
    current: bool


def sign_in_view(session: SignInSession, current: UUID) -> SignInView:
    return view_of(SignInView, session, current=session.id == current)


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
    """A new password, with an emailed token."""

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
    """An emailed token."""

    token: Secret
