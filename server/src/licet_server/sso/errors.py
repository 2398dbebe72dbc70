"""Refusals of single sign-on."""

from licet_server.kit.errors import ErrorCode, Refused, conflict, not_found, refusal


def not_connected() -> Refused:
    return not_found("identity provider")


no_provider = refusal(
    ErrorCode.NOT_FOUND,
    "No institution signs in through an identity provider with this email domain. Sign in "
    "with your password.",
)


def provider_unavailable(reason: str) -> Refused:
    """Report a provider that did not answer in time, or with something unusable."""
    return Refused(
        ErrorCode.UNAVAILABLE,
        "Your identity provider sent an unexpected response. Nothing was changed; try again in a "
        "moment. If the problem persists, Owners can sign in with a password and a second factor.",
        extra={"reason": reason},
        retry_after=10,
    )


def answer_not_accepted(reason: str) -> Refused:
    """Refuse an answer that is forged, expired, replayed, or of another provider."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The response of the identity provider was rejected. Start again from the sign-in page.",
        extra={"reason": reason},
    )


def secret_lost() -> Refused:
    """Report a client secret that no master key opens; the operator has lost a key."""
    return Refused(
        ErrorCode.CONFLICT,
        "The client secret for your identity provider cannot be read any more. An Owner can sign "
        "in with a password and a second factor, and save the connection with the secret again.",
        extra={"reason": "secret"},
    )


def not_admitted(reason: str) -> Refused:
    """Refuse a user whom the provider, or the institution's rules, do not admit."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Your identity provider does not give you access here. Ask an Owner of your institution.",
        extra={"reason": reason},
    )


def unproven_account() -> Refused:
    return Refused(
        ErrorCode.FORBIDDEN,
        "An account with your email address belongs to another institution, and its address was "
        "never verified. Request a password on the sign-in page, which verifies it; then try "
        "again.",
        extra={"reason": "unproven"},
    )


def domain_taken(domain: str) -> Refused:
    return conflict(
        f"Another institution of this service signs in with the domain {domain}. Ask the operator "
        "of this service."
    )
