"""Wire shapes of accounts."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.accounts.rules import (
    ACCESS_TOKEN_SECONDS,
    PASSWORD_MAX,
    PASSWORD_MIN,
    Institution,
    Membership,
    Role,
    User,
)
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name, is_email
from licet_server.kit.web.body import Body, Change

Password = Annotated[str, Meta(min_length=PASSWORD_MIN, max_length=PASSWORD_MAX)]
Secret = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX)]


class SetupBody(Body):
    """First-run setup."""

    setup_token: Secret
    email: Annotated[str, Meta(min_length=3, max_length=254)]
    password: Password
    full_name: Name
    institution_name: Name

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.email and not is_email(self.email.strip()):
            yield FieldError("email", "must be an e-mail address.")


class LoginBody(Body):
    """Sign-in."""

    email: Annotated[str, Meta(min_length=1, max_length=254)]
    password: Secret


class MembershipView(Struct, rename="camel"):
    """A role in an institution."""

    institution_id: UUID
    institution_name: str
    role: Role


class UserView(Struct, rename="camel"):
    """The signed-in person."""

    id: UUID
    email: str
    email_verified: bool
    full_name: str
    is_system_admin: bool
    totp_enabled: bool
    memberships: list[MembershipView]


class SessionView(Struct, rename="camel"):
    """A session; its refresh token travels in a cookie."""

    access_token: str
    token_type: str
    expires_in: int
    user: UserView


class ProfileChange(Change):
    """What a person may change about himself."""

    full_name: Name | UnsetType = UNSET


class InstitutionBody(Body):
    """A new institution."""

    name: Name


class InstitutionChange(Change):
    """A change of an institution."""

    name: Name | UnsetType = UNSET


class PlanLimits(Struct):
    """How many the plan allows; null is without limit."""

    products: int | None
    licenses: int | None


class InstitutionView(Struct, rename="camel"):
    """An institution."""

    id: UUID
    name: str
    plan: str
    limits: PlanLimits
    created_at: datetime


def user_view(user: User, memberships: list[Membership]) -> UserView:
    return UserView(
        user.id,
        user.email,
        user.email_verified,
        user.full_name,
        user.is_system_admin,
        totp_enabled=False,
        memberships=[
            MembershipView(held.institution_id, held.institution_name, held.role)
            for held in memberships
        ],
    )


def session_view(access_token: str, user: User, memberships: list[Membership]) -> SessionView:
    return SessionView(access_token, "Bearer", ACCESS_TOKEN_SECONDS, user_view(user, memberships))


def institution_view(institution: Institution) -> InstitutionView:
    unlimited = PlanLimits(products=None, licenses=None)
    return InstitutionView(
        institution.id, institution.name, "Unlimited", unlimited, institution.created_at
    )
