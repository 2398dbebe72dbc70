"""Wire shapes of associations, on the vendor's and on the customer's side."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.rules.model import AssociationStatus
from licet_server.catalog.service.accepting import AssociationPreview, ReceivedAssociation
from licet_server.catalog.service.associations import Invitee, ShownAssociation
from licet_server.identity.schemas.users import EmailAddress, Secret
from licet_server.kit.emails import normal_email, read_email
from licet_server.kit.errors import FieldError, bad_field
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of


class AssociationBody(Body):
    """The institution to invite: by the email address of a person there, or by its ID."""

    email: EmailAddress | None = None
    institution_id: UUID | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.email and read_email(self.email) is None:
            yield FieldError("email", "must be an email address.")
        if self.email is not None and self.institution_id is not None:
            yield FieldError("institutionId", "cannot be given together with email.")

    def invitee(self) -> Invitee:
        """Return who is invited.

        Raises:
            Refused: `InvalidRequest` if none is named. A field of a wrong type would look the
                same to `breaches`.
        """
        if self.email is None and self.institution_id is None:
            raise bad_field("email", "is required, unless institutionId is given.")
        email = None if self.email is None else normal_email(self.email)
        return Invitee(email=email, institution_id=self.institution_id)


class AcceptAssociationBody(Body):
    """The acceptance of an invitation for an institution of the caller."""

    token: Secret
    institution_id: UUID | None = None


class AssociationView(Struct, rename="camel"):
    """An association, as the vendor sees it.

    `institutionId` and `institutionName` are those of the institution that accepted; before that,
    the ID that was invited, and its name if it is visible to the caller anyway. `inviteUrl` is null
    for callers who may not invite, and once the invitation is accepted or has expired.
    """

    id: UUID
    product_id: UUID
    status: AssociationStatus
    institution_id: UUID | None
    institution_name: str | None
    email: str | None
    invite_url: str | None
    created_at: datetime
    expires_at: datetime | None
    accepted_at: datetime | None


class AssociationPreviewView(Struct, rename="camel"):
    """An invitation as the holder of its token sees it; `institutionId` was invited by its ID."""

    vendor_name: str
    product_name: str
    expires_at: datetime
    institution_id: UUID | None


class ReceivedAssociationView(Struct, rename="camel"):
    """An association, as the customer's institution sees it; `institutionId` is the customer's.

    `acceptUrl` is for its Owners, while the invitation is pending; `productId` is null until it is
    accepted.
    """

    id: UUID
    status: AssociationStatus
    institution_id: UUID
    institution_name: str
    vendor_name: str
    product_id: UUID | None
    product_name: str
    accept_url: str | None
    created_at: datetime
    expires_at: datetime | None
    accepted_at: datetime | None


def association_view(shown: ShownAssociation) -> AssociationView:
    item = shown.association
    return view_of(
        AssociationView,
        item,
        institution_id=item.customer_institution_id or item.invited_institution_id,
        institution_name=shown.institution_name,
        invite_url=shown.invite_url,
        expires_at=None if item.accepted_at else item.expires_at,
    )


def preview_view(preview: AssociationPreview) -> AssociationPreviewView:
    return view_of(AssociationPreviewView, preview)


def received_association_view(received: ReceivedAssociation) -> ReceivedAssociationView:
    item = received.association
    return view_of(
        ReceivedAssociationView,
        item,
        institution_id=received.institution_id,
        institution_name=received.institution_name,
        vendor_name=received.vendor_name,
        product_id=item.product_id if item.accepted_at else None,
        product_name=received.product_name,
        accept_url=received.accept_url,
        expires_at=None if item.accepted_at else item.expires_at,
    )
