"""The letters that accounts sends. Each says what to do where nobody asked for it."""

from licet_server.identity.rules.people import User
from licet_server.kit.mail import Letter
from licet_server.kit.text import quoted
from licet_server.kit.unit_of_work import UnitOfWork


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
    who, where = quoted(inviter.full_name), quoted(institution_name)
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


def welcome_letter(email: str, address: str, token: str) -> Letter:
    """With a token that makes an account, to an address that licenses are issued to."""
    return Letter(
        email,
        "See the licenses that were issued to you",
        (
            f"Somebody asked to see the software licenses that were issued to {email}.",
            "If it was you, open this link within 24 hours to choose a password. It works once:",
            f"{address}/portal/welcome?token={token}",
            f"If the page asks for a code, it is this: {token}",
            "If it was not you, do nothing: no account is made.",
        ),
    )


def known_letter(email: str, address: str) -> Letter:
    """To somebody who asked for a way into the portal and has an account."""
    return Letter(
        email,
        "You have a Licet account already",
        (
            f"Somebody asked to see the software licenses that were issued to {email}.",
            "If it was you, sign in, or ask for a new password where you do not remember it:",
            f"{address}/portal",
            "If it was not you, do nothing: your account is as it was.",
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


def moment_of(work: UnitOfWork) -> str:
    """When something was done and from where, as a part of a sentence."""
    address = work.origin.ip_address
    where = f"from the network address {address}" if address else "on the machine of the service"
    return f"on {work.now:%Y-%m-%d} at {work.now:%H:%M} UTC, {where}"


def password_changed_letter(email: str, address: str, moment: str) -> Letter:
    """After a change by somebody who was signed in."""
    return _notice(
        email,
        "Your Licet password was changed",
        f"The password of the account {email} was changed {moment}. Everybody who was signed in "
        "to it elsewhere was signed out.",
        "If it was not you, somebody else is in your account. Ask for a new password at once; that "
        "signs him out, too:",
        address,
    )


def password_reset_letter(email: str, address: str, moment: str) -> Letter:
    """After a reset with a mailed token."""
    return _notice(
        email,
        "Your Licet password was reset",
        f"A new password was set for the account {email} {moment}, with a link that had been "
        "mailed to you. Everybody who was signed in was signed out.",
        "If it was not you, somebody else reads your mail. Make your mailbox safe first, then ask "
        "for a new password:",
        address,
    )


def factor_on_letter(email: str, address: str, moment: str) -> Letter:
    """After the first code of an app."""
    return _notice(
        email,
        "The second factor of your Licet account is on",
        f"Since {moment}, signing in to the account {email} takes a code as well. Keep the "
        "recovery codes in a safe place.",
        "If it was not you, somebody else is in your account. Ask for a new password, and have a "
        "system Admin of the service turn the second factor off:",
        address,
    )


def factor_off_letter(email: str, address: str, moment: str) -> Letter:
    """After the owner of the account turned it off."""
    return _notice(
        email,
        "The second factor of your Licet account is off",
        f"The second factor of the account {email} was turned off {moment}. The password alone is "
        "enough to sign in now.",
        "If it was not you, somebody else is in your account. Ask for a new password at once, sign "
        "in with it and turn the second factor on again:",
        address,
    )


def second_factor_removed_email(email: str, address: str, moment: str) -> Letter:
    """After somebody who looks after the service turned it off."""
    happened = (
        f"The people who run this service turned the second factor of the account {email} off "
        f"{moment}. You were signed out everywhere."
    )
    otherwise = (
        "If you did not, somebody may have asked in your name. Tell them, and ask for a new "
        "password at once."
    )
    again = "If you asked for it, sign in with your password and turn it on again:"
    subject = "The second factor of your Licet account was turned off for you"
    return Letter(email, subject, (happened, again, address, otherwise))


def new_codes_letter(email: str, address: str, moment: str) -> Letter:
    """After recovery codes were replaced."""
    return _notice(
        email,
        "Your Licet account has new recovery codes",
        f"New recovery codes were made for the account {email} {moment}. The old ones do not work "
        "any more.",
        "If it was not you, somebody else is in your account and can get in again without your "
        "phone. Ask for a new password at once, sign in with it and make new codes:",
        address,
    )


def _notice(email: str, subject: str, happened: str, otherwise: str, address: str) -> Letter:
    """What happened, and what to do about it; nothing in it opens anything."""
    return Letter(
        email, subject, (happened, "If it was you, there is nothing to do.", otherwise, address)
    )
