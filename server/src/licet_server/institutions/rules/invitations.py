"""Invitations, and the tokens by which they are accepted."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from licet_server.institutions.rules.members import Assignments
from licet_server.institutions.rules.operators import Role

INVITATION_LIFE = timedelta(days=7)
TOKEN_RANDOM_BYTES = 32

_ID_BYTES = 16
_TOKEN = re.compile(r"[A-Za-z0-9_-]{64}")


class InvitationStatus(StrEnum):
    """Where an invitation stands; only a Pending one can be accepted."""

    PENDING = "Pending"
    ACCEPTED = "Accepted"
    EXPIRED = "Expired"
    REVOKED = "Revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A role that an institution offers to whoever has an address.

    `sealed_link` is the token that is handed over as a link; the mailed one is known by its hash.
    """

    institution_id: UUID
    id: UUID
    email: str
    role: Role
    assigned: Assignments
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None = None
    revoked_at: datetime | None = None
    sealed_link: bytes | None = field(default=None, repr=False)

    def status(self, now: datetime) -> InvitationStatus:
        """Where it stands at `now`."""
        if self.accepted_at is not None:
            return InvitationStatus.ACCEPTED
        if self.revoked_at is not None:
            return InvitationStatus.REVOKED
        return InvitationStatus.PENDING if now < self.expires_at else InvitationStatus.EXPIRED

    def facts(self) -> Mapping[str, object]:
        """What events tell."""
        return {
            "id": self.id,
            "email": self.email,
            "role": self.role,
            "productIds": list(self.assigned.products),
            "releaseIds": list(self.assigned.releases),
            "expiresAt": self.expires_at,
        }


def invitation_token(institution_id: UUID, random_bytes: bytes) -> str:
    """A token that names its institution, so that looking it up touches one tenant."""
    if len(random_bytes) != TOKEN_RANDOM_BYTES:
        raise ValueError(f"an invitation's token takes {TOKEN_RANDOM_BYTES} random bytes")
    return urlsafe_b64encode(institution_id.bytes + random_bytes).decode()


def institution_of_invitation(token: str) -> UUID | None:
    """The institution that a token names; `None` for a text that is no such token."""
    if _TOKEN.fullmatch(token) is None:
        return None
    return UUID(bytes=urlsafe_b64decode(token)[:_ID_BYTES])
