"""Wire shapes of members and invitations."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.identity.rules.memberships import Role
from licet_server.identity.schemas.users import Password, Secret, WithEmail, password_breaches
from licet_server.institutions.rules.members import (
    ASSIGNED_MAX,
    InvitationStatus,
    Member,
    assignment_breaches,
)
from licet_server.institutions.service.invitations import (
    Acceptance,
    InvitationDraft,
    InvitationPreview,
    ShownInvitation,
)
from licet_server.institutions.service.members import MemberEdit
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body, Change
from licet_server.kit.web.views import view_of

Ids = Annotated[list[UUID], Meta(max_length=ASSIGNED_MAX)]


class MemberChange(Change):
    """A change of a member. The ids replace those that are assigned; null removes all."""

    role: Role | UnsetType = UNSET
    product_ids: Ids | UnsetType | None = UNSET
    release_ids: Ids | UnsetType | None = UNSET

    def edit(self) -> MemberEdit:
        """Return the change to make."""
        return MemberEdit(
            role=None if self.role is UNSET else self.role,
            product_ids=None if self.product_ids is UNSET else self.product_ids or [],
            release_ids=None if self.release_ids is UNSET else self.release_ids or [],
        )


class InvitationBody(WithEmail):
    """A new invitation; products and releases are assigned to Members only."""

    role: Role
    product_ids: Ids | None = None
    release_ids: Ids | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from WithEmail.breaches(self, now)
        if self.role is not None:
            yield from assignment_breaches(self.role, self.product_ids, self.release_ids)

    def draft(self) -> InvitationDraft:
        """Return the invitation to create."""
        return InvitationDraft(
            email=normal_email(self.email),
            role=self.role,
            product_ids=self.product_ids or [],
            release_ids=self.release_ids or [],
        )


class AcceptInvitationBody(Body):
    """The acceptance of an invitation; a new account needs a password and a name."""

    token: Secret
    password: Password | None = None
    full_name: Name | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from password_breaches("password", self.password)

    def acceptance(self, user_agent: str | None) -> Acceptance:
        """Return the acceptance from this user agent."""
        return Acceptance(
            token=self.token,
            password=self.password,
            full_name=self.full_name,
            user_agent=user_agent,
        )


class InvitationPreviewView(Struct, rename="camel"):
    """An invitation as the holder of its token sees it; `email` is null if there is an account."""

    institution_name: str
    role: Role
    expires_at: datetime
    has_account: bool
    email: str | None


class MemberView(Struct, rename="camel"):
    """A member of an institution; `hasSecondFactor`: an authenticator app or a passkey."""

    user_id: UUID
    email: str
    full_name: str
    role: Role
    product_ids: list[UUID]
    release_ids: list[UUID]
    totp_enabled: bool
    has_second_factor: bool
    joined_at: datetime


class InvitationView(Struct, rename="camel"):
    """An invitation; `acceptUrl` is null if you may not give its role, and once it is closed."""

    id: UUID
    email: str
    role: Role
    product_ids: list[UUID]
    release_ids: list[UUID]
    status: InvitationStatus
    accept_url: str | None
    created_at: datetime
    expires_at: datetime


def member_view(member: Member) -> MemberView:
    return view_of(MemberView, member)


def invitation_view(shown: ShownInvitation) -> InvitationView:
    invitation = shown.invitation
    return view_of(
        InvitationView,
        invitation,
        status=shown.status,
        accept_url=shown.accept_url,
    )


def invitation_preview_view(preview: InvitationPreview) -> InvitationPreviewView:
    return view_of(InvitationPreviewView, preview)
