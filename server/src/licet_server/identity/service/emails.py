"""The emails that identity sends. Each says what to do if the recipient did not ask for it."""

from collections.abc import Sequence
from typing import NamedTuple

from licet_server.identity.rules.memberships import AccountApiKey
from licet_server.kit import mail
from licet_server.kit.dates import day_in_words
from licet_server.kit.mail import Email
from licet_server.kit.text import one_line, quoted, unlinked
from licet_server.kit.unit_of_work import UnitOfWork


def password_reset_email(email: str, address: str, token: str) -> Email:
    """Write the email with a token that sets a new password."""
    return Email(
        email,
        "Set a new password for Licet",
        (
            f"Someone requested a new password for the account {email}.",
            "Open this link within one hour to set one. It works once:",
            f"{address}/reset-password?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If this was not you, you can ignore this email: your password stays the same.",
        ),
    )


def verification_email(email: str, address: str, token: str) -> Email:
    """Write the email with a token that verifies the address."""
    return Email(
        email,
        "Verify your email address for Licet",
        (
            f"Someone created an account with the email address {email}.",
            "If this was you, open this link within seven days to verify the address:",
            f"{address}/verify-email?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If this was not you, do not open the link: it would confirm someone else's account.",
        ),
    )


def sign_up_account_exists_email(email: str, address: str) -> Email:
    """Write to a user with whose address someone tried to sign up."""
    return Email(
        email,
        "You already have a Licet account",
        (
            f"Someone tried to sign up with {email}, which already has an account.",
            "If this was you, sign in, or request a new password if you have forgotten yours:",
            address,
            "If this was not you, you can ignore this email: nothing has changed.",
        ),
    )


class Notice(NamedTuple):
    """A notice of a change of an account: what happened, and what to do about it; no tokens.

    `{email}` is the account, `{moment}` when and from where it was changed, `{address}` the
    service's URL, and `{name}` that of a passkey.
    """

    subject: str
    paragraphs: tuple[str, ...]


def _notice(subject: str, *paragraphs: str) -> Notice:
    return Notice(subject, paragraphs)


def _own(subject: str, happened: str, otherwise: str) -> Notice:
    """Return the notice of a change by which the user is surprised if another has made it."""
    nothing = "If this was you, there is nothing to do."
    return _notice(subject, happened, nothing, otherwise, "{address}")


PASSWORD_CHANGED = _own(
    "Your Licet password was changed",
    "The password of the account {email} was changed {moment}. All other sessions were signed out.",
    "If this was not you, someone else has access to your account. Request a new password right "
    "away, which also signs them out:",
)
PASSWORD_RESET = _own(
    "Your Licet password was reset",
    "A new password was set for the account {email} {moment}, using a link that was emailed to "
    "you. All sessions were signed out.",
    "If this was not you, someone else can read your email. Secure your mailbox first, then "
    "request a new password:",
)
SECOND_FACTOR_ON = _own(
    "The second factor of your Licet account is on",
    "The second factor of the account {email} was turned on {moment}. Signing in now also requires "
    "a code. Keep the recovery codes in a safe place.",
    "If this was not you, someone else has access to your account. Request a new password, and ask "
    "a system Admin of the service to turn the second factor off:",
)
SECOND_FACTOR_OFF = _own(
    "The second factor of your Licet account is off",
    "The second factor of the account {email} was turned off {moment}. The password alone is now "
    "enough to sign in.",
    "If this was not you, someone else has access to your account. Request a new password right "
    "away, sign in with it and turn the second factor on again:",
)
RECOVERY_CODES_RENEWED = _own(
    "Your Licet account has new recovery codes",
    "New recovery codes were created for the account {email} {moment}. The old ones no longer "
    "work.",
    "If this was not you, someone else has access to your account and can sign in again without "
    "your phone. Request a new password right away, sign in with it and create new codes:",
)
PASSKEY_ADDED = _own(
    "Your Licet account has a new passkey",
    'The passkey "{name}" was added to the account {email} {moment}. It can be used to sign in.',
    "If this was not you, someone else has access to your account. Request a new password right "
    "away, sign in and remove the passkey:",
)
PASSKEY_REMOVED = _own(
    "A passkey of your Licet account was removed",
    'The passkey "{name}" of the account {email} was removed {moment}.',
    "If this was not you, someone else has access to your account. Request a new password right "
    "away, sign in and add a passkey again:",
)
SECOND_FACTOR_REMOVED = _notice(
    "The second factor of your Licet account was turned off for you",
    "An administrator of this service turned off the second factor of the account {email} "
    "{moment}. All your sessions were signed out.",
    "If you asked for this, sign in with your password and turn it on again:",
    "{address}",
    "If you did not, someone may have asked in your name. Inform the administrator, and "
    "request a new password right away.",
)
ACCOUNT_DISABLED = _notice(
    "Your Licet account was disabled",
    "An administrator of this service disabled the account {email} {moment}. You were signed "
    "out everywhere, and API keys that you created do not work.",
    "If you did not expect this, ask the operator of the service.",
)
ACCOUNT_ENABLED = _notice(
    "Your Licet account was enabled again",
    "An administrator of this service enabled the account {email} again {moment}.",
    "Sign in here; API keys that you created work again, too:",
    "{address}",
)
SIGNED_OUT = _notice(
    "You were signed out of Licet everywhere",
    "An administrator of this service ended all sessions of the account {email} {moment}.",
    "Sign in again to go on:",
    "{address}",
    "If you did not expect this, ask the operator of the service why.",
)


def notice_email(notice: Notice, email: str, **given: str) -> Email:
    """Write a notice to a user, with the given values of its other placeholders."""
    written = (item.format(email=email, **given) for item in notice.paragraphs)
    return Email(email, notice.subject, tuple(written))


async def notify(work: UnitOfWork, email: str, notice: Notice, *, name: str = "") -> None:
    """Queue a notice to a user."""
    origin = work.origin.ip_address
    where = f"from the IP address {origin}" if origin else "on the server itself"
    moment = f"on {day_in_words(work.now, 'en')} at {work.now:%H:%M} UTC, {where}"
    given = {"moment": moment, "address": work.address, "name": name}
    await mail.write(work, notice_email(notice, email, **given))


def reset_notice(api_keys: Sequence[AccountApiKey], *, are_revoked: bool) -> Notice:
    """Return the notice of a reset; it lists API keys, since a new password ends none."""
    if not api_keys:
        return PASSWORD_RESET
    names = ", ".join(
        f"{quoted(unlinked(key.name))} ({one_line(unlinked(key.institution_name))})"
        for key in api_keys
    )
    names = names.replace("{", "{{").replace("}", "}}")
    if are_revoked:
        about_keys = [f"These API keys of yours were revoked: {names}."]
    else:
        about_keys = [
            f"These API keys of yours still work: {names}. Revoke those that others may have:",
            "{address}/settings/api-keys",
        ]
    return Notice(PASSWORD_RESET.subject, (*PASSWORD_RESET.paragraphs, *about_keys))
