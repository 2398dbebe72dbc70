"""The e-mails that identity sends. Each says what to do if the recipient did not ask for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from licet_server.identity.rules.memberships import AccountApiKey
from licet_server.kit.mail import Email
from licet_server.kit.text import one_line, quoted, unlinked
from licet_server.kit.unit_of_work import UnitOfWork


def password_reset_email(email: str, address: str, token: str) -> Email:
    """Write the e-mail with a token that sets a new password."""
    return Email(
        email,
        "Set a new password for Licet",
        (
            f"Someone requested a new password for the account {email}.",
            "Open this link within one hour to set one. It works once:",
            f"{address}/reset-password?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If this was not you, you can ignore this e-mail: your password stays the same.",
        ),
    )


def verification_email(email: str, address: str, token: str) -> Email:
    """Write the e-mail with a token that verifies the address."""
    return Email(
        email,
        "Verify your e-mail address for Licet",
        (
            f"Someone created an account with the e-mail address {email}.",
            "If this was you, open this link within seven days to verify the address:",
            f"{address}/verify-email?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If this was not you, do not open the link: it would confirm someone else's account.",
        ),
    )


@dataclass(frozen=True, slots=True)
class IssuedBy:
    """The vendors that issued licenses to an address.

    `only` is the ID of a single one whose appearance is public.
    """

    names: Sequence[str] = ()
    only: UUID | None = None

    def __str__(self) -> str:
        named = [one_line(unlinked(name)) for name in self.names[:_NAMED_MAX]]
        if len(self.names) > _NAMED_MAX:
            named.append("others")
        return " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))


_NAMED_MAX = 3


def portal_welcome_email(email: str, address: str, token: str, vendors: IssuedBy) -> Email:
    """Write the e-mail with a token that creates an account to see licenses with."""
    return Email(
        email,
        f"Your licenses from {vendors}",
        (
            f"{vendors} issued software licenses to {email}.",
            "Open this link within 24 hours to choose a password and see them. It works once:",
            f"{address}/portal/welcome?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If you did not expect this e-mail, you can ignore it: no account is created.",
        ),
    )


def portal_account_exists_email(email: str, address: str, vendors: IssuedBy | None) -> Email:
    """Write how to open the portal to an address that has an account."""
    issued = () if vendors is None else (f"{vendors} issued software licenses to {email}.",)
    return Email(
        email,
        "You already have a Licet account",
        (
            *issued,
            "Sign in to see your licenses, or request a new password if you have forgotten yours:",
            f"{address}/portal",
            "If you did not expect this e-mail, you can ignore it: nothing has changed.",
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
            "If this was not you, you can ignore this e-mail: nothing has changed.",
        ),
    )


def moment_of(work: UnitOfWork) -> str:
    """Return when and from where the change was made, as part of a sentence."""
    address = work.origin.ip_address
    where = f"from the IP address {address}" if address else "on the server itself"
    return f"on {work.now:%Y-%m-%d} at {work.now:%H:%M} UTC, {where}"


def password_changed_email(email: str, address: str, moment: str) -> Email:
    return _notice(
        email,
        "Your Licet password was changed",
        f"The password of the account {email} was changed {moment}. All other sessions were signed "
        "out.",
        "If this was not you, someone else has access to your account. Request a new password "
        "right away, which also signs them out:",
        address,
    )


def password_was_reset_email(
    email: str,
    address: str,
    moment: str,
    api_keys: Sequence[AccountApiKey],
    *,
    are_revoked: bool,
) -> Email:
    """Write the notice of a reset; it lists API keys, since a new password ends none."""
    notice = _notice(
        email,
        "Your Licet password was reset",
        f"A new password was set for the account {email} {moment}, using a link that was e-mailed "
        "to you. All sessions were signed out.",
        "If this was not you, someone else can read your e-mail. Secure your mailbox first, then "
        "request a new password:",
        address,
    )
    if not api_keys:
        return notice
    names = ", ".join(
        f"{quoted(unlinked(key.name))} ({one_line(unlinked(key.institution_name))})"
        for key in api_keys
    )
    if are_revoked:
        about_keys = [f"These API keys of yours were revoked: {names}."]
    else:
        about_keys = [
            f"These API keys of yours still work: {names}. Revoke those that others may have:",
            f"{address}/settings/api-keys",
        ]
    return replace(notice, paragraphs=(*notice.paragraphs, *about_keys))


def second_factor_on_email(email: str, address: str, moment: str) -> Email:
    return _notice(
        email,
        "The second factor of your Licet account is on",
        f"The second factor of the account {email} was turned on {moment}. Signing in now also "
        "requires a code. Keep the recovery codes in a safe place.",
        "If this was not you, someone else has access to your account. Request a new password, and "
        "ask a system Admin of the service to turn the second factor off:",
        address,
    )


def second_factor_off_email(email: str, address: str, moment: str) -> Email:
    return _notice(
        email,
        "The second factor of your Licet account is off",
        f"The second factor of the account {email} was turned off {moment}. The password alone is "
        "now enough to sign in.",
        "If this was not you, someone else has access to your account. Request a new password "
        "right away, sign in with it and turn the second factor on again:",
        address,
    )


def passkey_added_email(email: str, name: str, address: str, moment: str) -> Email:
    return _notice(
        email,
        "Your Licet account has a new passkey",
        f'The passkey "{name}" was added to the account {email} {moment}. It can be used to sign '
        "in.",
        "If this was not you, someone else has access to your account. Request a new password "
        "right away, sign in and remove the passkey:",
        address,
    )


def passkey_removed_email(email: str, name: str, address: str, moment: str) -> Email:
    return _notice(
        email,
        "A passkey of your Licet account was removed",
        f'The passkey "{name}" of the account {email} was removed {moment}.',
        "If this was not you, someone else has access to your account. Request a new password "
        "right away, sign in and add a passkey again:",
        address,
    )


def second_factor_removed_email(email: str, address: str, moment: str) -> Email:
    """Write the notice that an administrator has removed the second factor."""
    happened = (
        f"An administrator of this service turned off the second factor of the account {email} "
        f"{moment}. All your sessions were signed out."
    )
    otherwise = (
        "If you did not, someone may have asked in your name. Inform the administrator, and "
        "request a new password right away."
    )
    again = "If you asked for this, sign in with your password and turn it on again:"
    subject = "The second factor of your Licet account was turned off for you"
    return Email(email, subject, (happened, again, address, otherwise))


def account_disabled_email(email: str, moment: str) -> Email:
    happened = (
        f"An administrator of this service disabled the account {email} {moment}. You were signed "
        "out everywhere, and API keys that you created do not work."
    )
    otherwise = "If you did not expect this, ask the operator of the service."
    return Email(email, "Your Licet account was disabled", (happened, otherwise))


def account_enabled_email(email: str, address: str, moment: str) -> Email:
    happened = f"An administrator of this service enabled the account {email} again {moment}."
    again = "Sign in here; API keys that you created work again, too:"
    return Email(email, "Your Licet account was enabled again", (happened, again, address))


def signed_out_email(email: str, address: str, moment: str) -> Email:
    happened = (
        f"An administrator of this service ended all sessions of the account {email} {moment}."
    )
    otherwise = "If you did not expect this, ask the operator of the service why."
    subject = "You were signed out of Licet everywhere"
    return Email(email, subject, (happened, "Sign in again to go on:", address, otherwise))


def recovery_codes_renewed_email(email: str, address: str, moment: str) -> Email:
    return _notice(
        email,
        "Your Licet account has new recovery codes",
        f"New recovery codes were created for the account {email} {moment}. The old ones no longer "
        "work.",
        "If this was not you, someone else has access to your account and can sign in again "
        "without your phone. Request a new password right away, sign in with it and create new "
        "codes:",
        address,
    )


def _notice(email: str, subject: str, happened: str, otherwise: str, address: str) -> Email:
    """Write what happened, and what to do about it, without any token."""
    return Email(
        email, subject, (happened, "If this was you, there is nothing to do.", otherwise, address)
    )
