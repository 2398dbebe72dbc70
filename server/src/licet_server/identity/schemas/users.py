"""Wire shapes of users and their accounts."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.identity.rules.memberships import Closure, Role
from licet_server.identity.rules.users import PASSWORD_MAX, PASSWORD_MIN, TOO_COMMON, UserAccount
from licet_server.identity.service.users import Profile
from licet_server.kit.emails import read_email
from licet_server.kit.errors import FieldError
from licet_server.kit.mail import Mail, MailStatus
from licet_server.kit.passwords import is_common
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body, Change
from licet_server.kit.web.views import view_of

Password = Annotated[str, Meta(min_length=PASSWORD_MIN, max_length=PASSWORD_MAX)]
"""A password to be set."""

Secret = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX)]
"""A password or token to be checked."""

Code = Annotated[str, Meta(min_length=1, max_length=64)]
EmailAddress = Annotated[str, Meta(min_length=3, max_length=254)]


def password_breaches(field: str, password: str | None) -> Iterator[FieldError]:
    """Yield what is wrong with a new password, besides its length."""
    if password is not None and len(password) >= PASSWORD_MIN and is_common(password):
        yield FieldError(field, TOO_COMMON)


class WithEmail(Body):
    """A body with an email address."""

    email: EmailAddress

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.email and read_email(self.email) is None:
            yield FieldError("email", "must be an email address.")


class MembershipView(Struct, rename="camel"):
    """A role in an institution.

    `closed` says what the session lacks to reach it: a sign-in through its identity provider, a
    second factor, or, for a session that another institution's provider opened, a sign-in without
    it.
    """

    institution_id: UUID
    institution_name: str
    role: Role
    closed: Closure | None


class UserView(Struct, rename="camel"):
    """The signed-in user."""

    id: UUID
    email: str
    email_verified: bool
    full_name: str
    is_system_admin: bool
    totp_enabled: bool
    has_passkey: bool
    memberships: list[MembershipView]


class ProfileView(UserView, rename="camel", kw_only=True, omit_defaults=True):
    """The signed-in user; `recoveryCodesLeft` is null without a second factor.

    `accountClosed` is left out unless it is true: an identity provider opened the session, and the
    account exists for more than its institution, so the session cannot change it.
    """

    recovery_codes_left: int | None
    account_closed: bool = False


class AccountView(UserView, rename="camel", kw_only=True):
    """A user's account, for system Admins."""

    disabled: bool
    created_at: datetime


class ProfileChange(Change):
    """A change by users of their own profile."""

    full_name: Name | UnsetType = UNSET


class AccountChange(Change):
    """A change of an account by a system Admin."""

    disabled: bool | UnsetType = UNSET


def profile_view(profile: Profile, *, account_closed: bool) -> ProfileView:
    return view_of(
        ProfileView,
        profile.user,
        memberships=profile.memberships,
        recovery_codes_left=profile.recovery_codes_left,
        account_closed=account_closed,
    )


def account_view(account: UserAccount) -> AccountView:
    return view_of(
        AccountView,
        account.user,
        disabled=account.user.is_disabled,
        created_at=account.created_at,
        memberships=account.memberships,
    )


class MailView(Struct, rename="camel"):
    """An email in the outbox; `text` is null once it is sent."""

    id: UUID
    recipient: str
    subject: str
    text: str | None
    status: MailStatus
    created_at: datetime
    sent_at: datetime | None


def mail_view(mail: Mail) -> MailView:
    return view_of(MailView, mail)
