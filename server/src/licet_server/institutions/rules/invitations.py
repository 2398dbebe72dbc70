"""Invitations, and the tokens by which they are accepted."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from licet_server.events.rules.changes import facts_of
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.members import Assignments

INVITATION_LIFE = timedelta(days=7)
TOKEN_RANDOM_BYTES = 32

_ID_BYTES = 16
_TOKEN = re.compile(r"[A-Za-z0-9_-]{64}")


class InvitationStatus(StrEnum):
    """The status of an invitation; only a Pending one can be accepted."""

    PENDING = "Pending"
    ACCEPTED = "Accepted"
    EXPIRED = "Expired"
    REVOKED = "Revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation(Assignments):
    """A role that an institution offers to the user of an e-mail address.

    `link_token` is the sealed token of the link to hand over; of the e-mailed token only a hash is
    kept.
    """

    institution_id: UUID
    id: UUID
    email: str
    role: Role
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None = None
    revoked_at: datetime | None = None
    link_token: bytes | None = field(default=None, repr=False)

    def status(self, now: datetime) -> InvitationStatus:
        """Return the status at `now`."""
        if self.accepted_at is not None:
            return InvitationStatus.ACCEPTED
        if self.revoked_at is not None:
            return InvitationStatus.REVOKED
        return InvitationStatus.PENDING if now < self.expires_at else InvitationStatus.EXPIRED

    def facts(self) -> Mapping[str, object]:
        """Return the data of events."""
        omitted = {"institution_id", "created_at", "accepted_at", "revoked_at", "link_token"}
        return facts_of(self, omit=omitted)


def invitation_token(institution_id: UUID, random_bytes: bytes) -> str:
    """Return a token that contains its institution, so that looking it up touches one tenant."""
    if len(random_bytes) != TOKEN_RANDOM_BYTES:
        raise ValueError(f"an invitation token needs {TOKEN_RANDOM_BYTES} random bytes")
    return urlsafe_b64encode(institution_id.bytes + random_bytes).decode()


def institution_of_invitation(token: str) -> UUID | None:
    """Return the institution in a token; `None` for text that is not an invitation token."""
    if _TOKEN.fullmatch(token) is None:
        return None
    return UUID(bytes=urlsafe_b64decode(token)[:_ID_BYTES])
