"""What the accounts feature refuses, in its words."""

from licet_server.kit.errors import ErrorCode, Refused


def unauthorized() -> Refused:
    """No credential, or one that does not (or no longer) stand for anybody."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "Sign in first: send an access token as Authorization: Bearer. Tokens live 15 minutes; "
        "POST /api/auth/refresh gives a new one.",
    )


def invalid_credentials() -> Refused:
    """The same answer for an unknown address and for a wrong password."""
    return Refused(
        ErrorCode.INVALID_CREDENTIALS, "The e-mail address or the password is wrong. Try again."
    )


def session_ended() -> Refused:
    """The refresh token is unknown, used up or expired."""
    return Refused(ErrorCode.UNAUTHORIZED, "The session has ended. Sign in again.")


def forbidden(needed: str) -> Refused:
    """Signed in, but the role does not allow it."""
    return Refused(
        ErrorCode.FORBIDDEN,
        f"Your role does not allow this. It takes the role {needed} in this institution.",
    )


def no_institution() -> Refused:
    """Something new needs a place to go."""
    return Refused(ErrorCode.FORBIDDEN, "You belong to no institution yet. Create one first.")


def wrong_setup_token() -> Refused:
    """First-run setup is over, or the token is not the one on the console."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The setup token is not valid, or setup is done already. The newest token is the one that "
        "the server printed at its last start.",
    )
