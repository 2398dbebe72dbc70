"""Associations: institutions that may hold licenses of a product, once they have accepted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.model import AccessType
from licet_server.kit.errors import FieldError


class AssociationStatus(StrEnum):
    """The status of an association; licenses can be issued to an Associated institution only."""

    INVITED = "Invited"
    ASSOCIATED = "Associated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """An institution that is associated with a product, or invited to be.

    Invited is an e-mail address, or an institution by its ID, which may not exist.
    `customer_institution_id` is the institution that accepted. `sealed_link` is the token of an
    open invitation.
    """

    institution_id: UUID
    id: UUID
    product_id: UUID
    email: str | None
    invited_institution_id: UUID | None
    customer_institution_id: UUID | None
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None = None
    sealed_link: bytes | None = field(default=None, repr=False)

    @property
    def status(self) -> AssociationStatus:
        """The status; an invitation that has expired is still Invited."""
        accepted = self.customer_institution_id is not None
        return AssociationStatus.ASSOCIATED if accepted else AssociationStatus.INVITED

    def is_pending(self, now: datetime) -> bool:
        """Check whether the invitation can be accepted at `now`."""
        return self.accepted_at is None and now < self.expires_at

    def facts(self) -> Mapping[str, object]:
        """Return the data of the vendor's events."""
        return {
            "id": self.id,
            "productId": self.product_id,
            "status": self.status,
            "email": self.email,
            "institutionId": self.customer_institution_id or self.invited_institution_id,
            "expiresAt": None if self.accepted_at else self.expires_at,
        }


def invitation_breaches(
    access_type: AccessType, institution_ids: Sequence[UUID]
) -> Iterator[FieldError]:
    """Check that only an Associated product has institutions to invite."""
    if access_type is AccessType.OPENED and institution_ids:
        yield FieldError(
            "associatedInstitutionIds",
            "is only for products with the access type Associated; leave it out for Opened.",
        )


def require_associable(access_type: AccessType) -> None:
    """Check that a product takes associations.

    Raises:
        Refused: `Conflict` for an Opened one.
    """
    if access_type is AccessType.OPENED:
        raise errors.product_is_opened()
