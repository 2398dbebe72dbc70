"""Refusals of identity: sign-in, second factors, email verification, first-run setup."""

from collections.abc import Mapping, Sequence

from licet_server.kit.errors import ErrorCode, Refused, refusal

unauthorized = refusal(
    ErrorCode.UNAUTHORIZED,
    "Sign in first: send an access token as Authorization: Bearer. Access tokens expire after "
    "15 minutes; POST /api/auth/refresh returns a new one.",
)
"""A credential that is missing, unknown, expired, or revoked."""

invalid_credentials = refusal(
    ErrorCode.INVALID_CREDENTIALS,
    "The email address, the password or the code is wrong. Try again.",
)
"""An unknown address, a wrong password, and a wrong code with one message."""

wrong_password = refusal(
    ErrorCode.INVALID_CREDENTIALS, "The password is wrong. Nothing was changed."
)

wrong_code = refusal(
    ErrorCode.INVALID_CREDENTIALS,
    "The code is wrong or was already used. Wait for the next one and try again.",
)


def otp_required(methods: Sequence[str], passkey: Mapping[str, object] | None = None) -> Refused:
    """Ask for a second factor, after the right password.

    `passkey` holds the options to use one with.
    """
    return Refused(
        ErrorCode.OTP_REQUIRED,
        "This account has a second factor. Send otpCode as well: the code from the authenticator "
        "app, or a recovery code; or passkey.",
        extra={"methods": list(methods), "passkey": passkey},
    )


passkey_not_accepted = refusal(
    ErrorCode.INVALID_CREDENTIALS,
    "The passkey was not accepted. Start again; if that does not help, use another way to sign in.",
)
"""An assertion that is malformed, forged, replayed, expired, or of another site."""

no_host_name = refusal(
    ErrorCode.CONFLICT,
    "Passkeys need a host name. Ask the operator of this service to set LICET_PUBLIC_URL to a "
    "URL with one.",
)


def step_up_required(methods: Sequence[str]) -> Refused:
    """Ask for a recent proof of identity by one of these methods."""
    return Refused(
        ErrorCode.STEP_UP_REQUIRED,
        f"This is hard to undo, so confirm that it is you: {_ways(methods)}. Then try again. The "
        "confirmation counts for 15 minutes.",
        extra={"methods": list(methods)},
    )


def own_sign_in_required() -> Refused:
    """Refuse to change, through an identity provider, what is not its institution's."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "You signed in through the identity provider of an institution, which does not count for "
        "your account elsewhere. Sign in with your password or a passkey; without either, request "
        "a password on the sign-in page.",
        extra={"requires": "OwnSignIn"},
    )


provider_required = refusal(
    ErrorCode.SSO_REQUIRED,
    "This passkey confirms what you do, but does not sign you in. Sign in through your "
    "identity provider, or request a password.",
)


def _ways(methods: Sequence[str]) -> str:
    names = {
        "Password": "your password",
        "Otp": "a code of your second factor",
        "Passkey": "a passkey",
    }
    sent = " or ".join(names[item] for item in methods if item in names)
    ways = [f"POST /api/auth/step-up with {sent}"] if sent else []
    if "Provider" in methods:
        ways.append("sign in again at your identity provider")
    return ", or ".join(ways)


account_disabled = refusal(
    ErrorCode.FORBIDDEN, "This account is disabled. Ask the operator of this service to enable it."
)
"""An account that a system Admin has disabled, after the right password."""

own_account = refusal(
    ErrorCode.FORBIDDEN, "You cannot disable your own account. Ask another system Admin."
)

invalid_link = refusal(
    ErrorCode.UNAUTHORIZED,
    "This link is no longer valid: it works once and for a limited time. Request a new one.",
)
"""An emailed token that is unknown, used, expired, or for another purpose."""

sign_up_closed = refusal(
    ErrorCode.FORBIDDEN, "Sign-up is closed on this service. Ask its operator for an invitation."
)

email_not_verified = refusal(
    ErrorCode.FORBIDDEN,
    "Verify your email address first: open the link that was emailed to you. "
    "POST /api/auth/verify-email/resend sends a new one.",
)

system_admin_only = refusal(ErrorCode.FORBIDDEN, "Only a system Admin can do this.")

own_second_factor = refusal(
    ErrorCode.FORBIDDEN,
    "You can only do this for other users. To turn off your own second factor, use "
    "DELETE /api/auth/totp with a code.",
)
"""A system Admin who would skip the confirmation that their own account requires."""

session_ended = refusal(ErrorCode.UNAUTHORIZED, "The session has ended. Sign in again.")
"""A refresh token that is unknown, used, or expired."""

wrong_setup_token = refusal(
    ErrorCode.UNAUTHORIZED,
    "The setup token is not valid, or setup is already complete. Use the token that the server "
    "printed at its latest start.",
)
"""A setup token that is not the latest one, or any after the setup."""
