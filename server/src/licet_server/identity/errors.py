"""What identity refuses: sign-in, second factors, e-mail verification, first-run setup."""

from collections.abc import Mapping, Sequence

from licet_server.kit.errors import ErrorCode, Refused


def unauthorized() -> Refused:
    """The credential is missing, unknown, expired or revoked."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "Sign in first: send an access token as Authorization: Bearer. Access tokens expire after "
        "15 minutes; POST /api/auth/refresh returns a new one.",
    )


def invalid_credentials() -> Refused:
    """One message for an unknown address, a wrong password and a wrong code."""
    return Refused(
        ErrorCode.INVALID_CREDENTIALS,
        "The e-mail address, the password or the code is wrong. Try again.",
    )


def wrong_password() -> Refused:
    """A signed-in user confirmed a change with the wrong password."""
    return Refused(ErrorCode.INVALID_CREDENTIALS, "The password is wrong. Nothing was changed.")


def wrong_code() -> Refused:
    """A signed-in user sent a code that is wrong or was used before."""
    return Refused(
        ErrorCode.INVALID_CREDENTIALS,
        "The code is wrong or was already used. Wait for the next one and try again.",
    )


def otp_required(methods: Sequence[str], passkey: Mapping[str, object] | None = None) -> Refused:
    """The password is right, and the account has second factors.

    `passkey` holds the options to use one with.
    """
    return Refused(
        ErrorCode.OTP_REQUIRED,
        "This account has a second factor. Send otpCode as well: the code from the authenticator "
        "app, or a recovery code; or passkey.",
        extra={"methods": list(methods), "passkey": passkey},
    )


def passkey_not_accepted() -> Refused:
    """The answer of a passkey is malformed, foreign, forged, replayed or expired."""
    return Refused(
        ErrorCode.INVALID_CREDENTIALS,
        "The passkey was not accepted. Start again; if that does not help, use another way to "
        "sign in.",
    )


def no_host_name() -> Refused:
    """Passkeys are bound to a host name, and the service is reached at an IP address."""
    return Refused(
        ErrorCode.CONFLICT,
        "Passkeys need a host name. Ask the operator of this service to set LICET_PUBLIC_URL to a "
        "URL with one.",
    )


def step_up_required(methods: Sequence[str]) -> Refused:
    """What is hard to undo needs a recent proof of identity; `methods` are those that count."""
    return Refused(
        ErrorCode.STEP_UP_REQUIRED,
        f"This is hard to undo, so confirm that it is you: {_ways(methods)}. Then try again. The "
        "confirmation counts for 15 minutes.",
        extra={"methods": list(methods)},
    )


def own_sign_in_required() -> Refused:
    """A session through an identity provider would change what is not that institution's."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "You signed in through the identity provider of an institution, which does not count for "
        "your account elsewhere. Sign in with your password or a passkey; without either, request "
        "a password on the sign-in page.",
        extra={"requires": "OwnSignIn"},
    )


def provider_required() -> Refused:
    """A passkey of an account that only an identity provider signs in to."""
    return Refused(
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


def account_disabled() -> Refused:
    """The password is right, and a system Admin has disabled the account."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "This account is disabled. Ask the operator of this service to enable it.",
    )


def own_account() -> Refused:
    """System Admins cannot lock themselves out."""
    return Refused(
        ErrorCode.FORBIDDEN, "You cannot disable your own account. Ask another system Admin."
    )


def invalid_link() -> Refused:
    """An e-mailed token is unknown, used, expired, or was issued for another purpose."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "This link is no longer valid: it works once and for a limited time. Request a new one.",
    )


def sign_up_closed() -> Refused:
    """New users need an invitation."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Sign-up is closed on this service. Ask its operator for an invitation.",
    )


def email_not_verified() -> Refused:
    """The user has not proved that the e-mail address is theirs."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Verify your e-mail address first: open the link that was e-mailed to you. "
        "POST /api/auth/verify-email/resend sends a new one.",
    )


def system_admin_only() -> Refused:
    """The request concerns the whole instance."""
    return Refused(ErrorCode.FORBIDDEN, "Only a system Admin can do this.")


def own_second_factor() -> Refused:
    """System Admins cannot bypass the confirmation that their own account requires."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "You can only do this for other users. To turn off your own second factor, use "
        "DELETE /api/auth/totp with a code.",
    )


def session_ended() -> Refused:
    """The refresh token is unknown, used or expired."""
    return Refused(ErrorCode.UNAUTHORIZED, "The session has ended. Sign in again.")


def wrong_setup_token() -> Refused:
    """First-run setup is complete, or the token is not the latest one."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The setup token is not valid, or setup is already complete. Use the token that the server "
        "printed at its latest start.",
    )
