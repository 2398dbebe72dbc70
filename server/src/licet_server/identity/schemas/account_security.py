"""Wire shapes of passwords, second factors and sessions of signed-in users."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.identity.rules.proofs import Proof, ProofMethod
from licet_server.identity.rules.users import SignInSession
from licet_server.identity.schemas.fields import Code, Password, Secret, password_breaches
from licet_server.identity.schemas.passkeys import PasskeyCredential
from licet_server.kit.errors import FieldError
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of


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
