"""The letters that accounts sends. Each says what to do where nobody asked for it."""

from licet_server.accounts.rules import User
from licet_server.kit.mail import Letter


def reset_letter(email: str, address: str, token: str) -> Letter:
    """With a token that sets a new password."""
    return Letter(
        email,
        "Set a new password for Licet",
        (
            f"Somebody asked for a new password for the account {email}.",
            "Open this link within one hour to set one. It works once:",
            f"{address}/reset-password?token={token}",
            f"If the page asks for a code, it is this: {token}",
            "If it was not you, do nothing: the password stays as it is.",
        ),
    )


def verification_letter(email: str, address: str, token: str) -> Letter:
    """With a token that proves that the address is somebody's own."""
    return Letter(
        email,
        "Verify your e-mail address for Licet",
        (
            f"Somebody made an account with the address {email}.",
            "If it was you, open this link within seven days to verify the address:",
            f"{address}/verify-email?token={token}",
            f"If the page asks for a code, it is this: {token}",
            "If it was not you, do not open the link: somebody else would be taken for you.",
        ),
    )


def invitation_letter(
    email: str, address: str, token: str, *, inviter: User, institution_name: str
) -> Letter:
    """With a token that lets somebody join an institution; the names in it are anybody's."""
    who, where = _quoted(inviter.full_name), _quoted(institution_name)
    return Letter(
        email,
        "You are invited to Licet",
        (
            f"{who} ({inviter.email}) invites you to join the institution {where}.",
            "Open this link within seven days to accept. It works once:",
            f"{address}/accept-invitation?token={token}",
            f"If the page asks for a code, it is this: {token}",
            "If you did not expect this, do nothing: you join only what you accept.",
            "Do not pass the link on: whoever opens it could join in your name.",
        ),
    )


def taken_letter(email: str, address: str) -> Letter:
    """To the owner of an address with which somebody tried to make a second account."""
    return Letter(
        email,
        "You have a Licet account already",
        (
            f"Somebody tried to make an account with the address {email}, which has one already.",
            "If it was you, sign in, or ask for a new password where you do not remember it:",
            address,
            "If it was not you, do nothing: your account is as it was.",
        ),
    )


def _quoted(name: str) -> str:
    """What somebody calls himself, within one line and within its quotation marks."""
    line = " ".join(name.replace('"', "'").split())
    return '"' + "".join(symbol for symbol in line if symbol.isprintable()) + '"'
