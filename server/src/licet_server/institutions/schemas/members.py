"""Wire shapes of members and invitations."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.identity.schemas.accounts import Password, Secret, WithAddress
from licet_server.institutions.rules.invitations import InvitationStatus
from licet_server.institutions.rules.members import ASSIGNED_MAX, Member, assignment_breaches
from licet_server.institutions.rules.operators import Role
from licet_server.institutions.service.accepting import Acceptance, Offer
from licet_server.institutions.service.invitations import InvitationDraft, ShownInvitation
from licet_server.institutions.service.members import MemberEdit
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name, normal_email
from licet_server.kit.web.body import Body, Change

Ids = Annotated[list[UUID], Meta(max_length=ASSIGNED_MAX)]


class MemberChange(Change):
    """A change of a member. The ids replace those that are assigned; null is none."""

    role: Role | UnsetType = UNSET
    product_ids: Ids | UnsetType | None = UNSET
    release_ids: Ids | UnsetType | None = UNSET

    def edit(self) -> MemberEdit:
        """The change that is asked for."""
        return MemberEdit(
            role=None if self.role is UNSET else self.role,
            product_ids=None if self.product_ids is UNSET else self.product_ids or [],
            release_ids=None if self.release_ids is UNSET else self.release_ids or [],
        )


class InvitationBody(WithAddress):
    """A new invitation; products and releases are assigned to Members only."""

    role: Role
    product_ids: Ids | None = None
    release_ids: Ids | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from WithAddress.breaches(self, now)
        if self.role is not None:
            yield from assignment_breaches(self.role, self.product_ids, self.release_ids)

    def draft(self) -> InvitationDraft:
        """The invitation that is asked for."""
        return InvitationDraft(
            email=normal_email(self.email),
            role=self.role,
            product_ids=self.product_ids or [],
            release_ids=self.release_ids or [],
        )


class AcceptanceBody(Body):
    """An invitation that is accepted; a new account takes a password and a name."""

    token: Secret
    password: Password | None = None
    full_name: Name | None = None

    def acceptance(self, user_agent: str | None) -> Acceptance:
        """What was sent, from this program."""
        return Acceptance(self.token, self.password, self.full_name, user_agent)


class OfferView(Struct, rename="camel"):
    """What an invitation offers; `email` is null where the address has an account."""

    institution_name: str
    role: Role
    expires_at: datetime
    has_account: bool
    email: str | None


class MemberView(Struct, rename="camel"):
    """Somebody who belongs to an institution."""

    user_id: UUID
    email: str
    full_name: str
    role: Role
    product_ids: list[UUID]
    release_ids: list[UUID]
    totp_enabled: bool
    joined_at: datetime


class InvitationView(Struct, rename="camel"):
    """An invitation; `acceptUrl` is null for those who may not give its role, and once it ended."""

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
    return MemberView(
        member.user_id,
        member.email,
        member.full_name,
        member.role,
        list(member.assigned.products),
        list(member.assigned.releases),
        totp_enabled=member.totp_enabled,
        joined_at=member.joined_at,
    )


def invitation_view(shown: ShownInvitation) -> InvitationView:
    invitation = shown.invitation
    return InvitationView(
        invitation.id,
        invitation.email,
        invitation.role,
        list(invitation.assigned.products),
        list(invitation.assigned.releases),
        status=shown.status,
        accept_url=shown.accept_url,
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
    )


def offer_view(offer: Offer) -> OfferView:
    return OfferView(
        offer.institution_name,
        offer.role,
        offer.expires_at,
        offer.email is None,
        offer.email,
    )
