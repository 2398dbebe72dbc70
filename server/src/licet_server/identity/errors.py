"""What the accounts feature refuses, in its words."""

from licet_server.kit.errors import ErrorCode, Refused, conflict


def unauthorized() -> Refused:
    """No credential, or one that does not (or no longer) stand for anybody."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "Sign in first: send an access token as Authorization: Bearer. Tokens live 15 minutes; "
        "POST /api/auth/refresh gives a new one.",
    )


def invalid_credentials() -> Refused:
    """The same answer for an unknown address, a wrong password, and a wrong code."""
    return Refused(
        ErrorCode.INVALID_CREDENTIALS,
        "The e-mail address, the password or the code is wrong. Try again.",
    )


def wrong_password() -> Refused:
    """A signed-in person must prove who he is, and did not."""
    return Refused(ErrorCode.INVALID_CREDENTIALS, "The password is wrong. Nothing was changed.")


def wrong_code() -> Refused:
    """A signed-in person sent a code that does not fit, or that was used before."""
    return Refused(
        ErrorCode.INVALID_CREDENTIALS,
        "The code is wrong, or it was used already. Wait for the next one and try again.",
    )


def otp_required() -> Refused:
    """The password is right, and there is a second factor."""
    return Refused(
        ErrorCode.OTP_REQUIRED,
        "This account asks for a second factor. Send otpCode, too: the code that the app shows, "
        "or a recovery code.",
    )


def dead_link() -> Refused:
    """A mailed token is unknown, used up, expired, or was mailed for something else."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The link is not valid any more: it works once, and for a limited time. Ask for a new one.",
    )


def signup_closed() -> Refused:
    """Only the operator of this instance lets people in."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "This service does not take new accounts. Ask its operator for an invitation.",
    )


def email_not_verified() -> Refused:
    """Signed in, but the address may be anybody's."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Verify your e-mail address first: open the link that was mailed to it. "
        "POST /api/auth/verify-email/resend mails a new one.",
    )


def address_not_allowed() -> Refused:
    """A key that is used from somewhere else."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "This API key must not be used from your address. Add it to the key's ipAllowList.",
    )


def address_barred() -> Refused:
    """A key whose institution does not let anybody in from there."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "The institution of this API key lets nobody in from your address. Add it to the "
        "ipAllowList in the institution's settings.",
    )


def address_not_in_institution(what: str) -> Refused:
    """Nothing of this is seen, and an institution of the caller does not let him in from there."""
    return Refused(
        ErrorCode.FORBIDDEN,
        f"There is no such {what} among what you see from your address. An institution of yours "
        "lets people in from certain addresses only: use one of them, or ask an Owner or a system "
        "Admin to add yours to its ipAllowList.",
    )


def no_api_keys_here() -> Refused:
    """Some things only people do."""
    return Refused(ErrorCode.FORBIDDEN, "This takes a signed-in person; an API key does not do.")


def scope_missing(needed: str) -> Refused:
    """The key is good for something else."""
    return Refused(ErrorCode.FORBIDDEN, f"This takes an API key with the scope {needed}.")


def system_admin_only() -> Refused:
    """Signed in, but this concerns the whole instance."""
    return Refused(ErrorCode.FORBIDDEN, "Only a system Admin may do this.")


def not_for_oneself() -> Refused:
    """A system Admin would get around the proof that his own account asks for."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "This is for the accounts of others. DELETE /api/auth/totp turns off your own second "
        "factor, with your password or a code.",
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
    return Refused(
        ErrorCode.FORBIDDEN,
        "You belong to no institution yet. Create one first, where this service lets you.",
    )


def no_new_institutions() -> Refused:
    """An account that was made to see licenses does not make a vendor."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "This service takes new institutions only from those who belong to one. Ask its operator.",
    )


def plan_limit_reached(what: str, limit: int, used: int) -> Refused:
    """The plan allows no more of something."""
    return Refused(
        ErrorCode.PLAN_LIMIT_REACHED,
        f"The plan of the institution allows {limit:,} {what}, and there are {used:,}. Delete some "
        "that are not needed, or book a larger plan.",
        extra={"limit": limit, "used": used},
    )


def wrong_setup_token() -> Refused:
    """First-run setup is over, or the token is not the one on the console."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "The setup token is not valid, or setup is done already. The newest token is the one that "
        "the server printed at its last start.",
    )


def owners_only() -> Refused:
    """An Admin reaches for what only Owners do."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "Only an Owner of the institution may make, change, invite or remove an Owner.",
    )


def last_owner() -> Refused:
    """An institution is never without an Owner."""
    return conflict(
        "This is the last Owner of the institution. Make another member an Owner first."
    )


def just_deleted() -> Refused:
    """A product or release vanished between the check and the change."""
    return conflict("A product or release was deleted at this very moment. Try again.")


def member_already() -> Refused:
    """There is nothing to invite anybody to."""
    return conflict(
        "Somebody with this address is a member already. Change the role of the member instead."
    )


def joined_already() -> Refused:
    """The membership that there is counts; an invitation changes no role."""
    return conflict(
        "You are a member of this institution already, and your role stays as it is. An Owner or "
        "Admin can change it."
    )


def invited_already() -> Refused:
    """One invitation for an address is enough."""
    return conflict(
        "This address has an invitation that waits to be accepted. Resend it, or revoke it first."
    )


def invitation_over() -> Refused:
    """It was accepted or revoked."""
    return conflict("The invitation was accepted or revoked already. Make a new one.")


def invitation_accepted() -> Refused:
    """Too late to take it back."""
    return conflict("The invitation was accepted already. Remove the member instead.")


def sign_in_to_accept() -> Refused:
    """The address has an account, and whoever accepts must be its owner."""
    return Refused(
        ErrorCode.UNAUTHORIZED,
        "There is an account with the invited address. Sign in as the invited address to accept.",
    )


def invited_somebody_else() -> Refused:
    """The account that is signed in has another address."""
    return Refused(
        ErrorCode.FORBIDDEN,
        "The invitation is for another address than that of your account. Sign out, and accept it "
        "as the invited address.",
    )
