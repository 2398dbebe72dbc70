"""Members of an institution, their assignments, and who may change them."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from licet_server.events.rules.model import facts_of
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.errors import owners_only
from licet_server.kit.errors import FieldError

ASSIGNED_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Assignments:
    """The products that a Member sees, and single releases of others; IDs are sorted."""

    product_ids: tuple[UUID, ...] = ()
    release_ids: tuple[UUID, ...] = ()


NOTHING = Assignments()


@dataclass(frozen=True, slots=True)
class Recipient:
    """A member who is notified of what happens in an institution."""

    institution_id: UUID
    user_id: UUID
    email: str
    email_verified: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Member(Assignments):
    """A user with a role in an institution."""

    institution_id: UUID
    user_id: UUID
    email: str
    full_name: str
    totp_enabled: bool
    has_second_factor: bool
    role: Role
    joined_at: datetime

    def facts(self) -> Mapping[str, object]:
        """Return the data of events."""
        omitted = {"institution_id", "user_id", "totp_enabled", "has_second_factor", "joined_at"}
        return {"id": self.user_id, **facts_of(self, omit=omitted)}


def may_give(giver: Role | None, role: Role) -> bool:
    """Check whether the giver may add, change and remove members with the role."""
    return giver is Role.OWNER or (giver is Role.ADMIN and role is not Role.OWNER)


def require_may_give(giver: Role, *roles: Role) -> None:
    """Check that the giver may give and take all these roles.

    Raises:
        Refused: `Forbidden`.
    """
    if not all(may_give(giver, role) for role in roles):
        raise owners_only()


def roles_out_of_reach(before: Role, after: Role | None) -> list[Role]:
    """Return the roles that a member can no longer give after a change of their own role."""
    return [role for role in Role if may_give(before, role) and not may_give(after, role)]


def assignment_breaches(
    role: Role, product_ids: Sequence[UUID] | None, release_ids: Sequence[UUID] | None
) -> Iterator[FieldError]:
    """Yield what is assigned to another role than Member: all others see everything."""
    if role is Role.MEMBER:
        return
    for name, ids in (("productIds", product_ids), ("releaseIds", release_ids)):
        if ids:
            yield FieldError(name, f"is for the role Member only; {role} sees everything.")


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
    """A role that an institution offers to the user of an email address.

    `link_token` is the sealed token of the link to hand over; of the emailed token only a hash is
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
