"""Members of an institution, their assignments, and who may change them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.events.rules.changes import facts_of
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
    role: Role
    joined_at: datetime

    def facts(self) -> Mapping[str, object]:
        """Return the data of events."""
        omitted = {"institution_id", "user_id", "totp_enabled", "joined_at"}
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
    for field, ids in (("productIds", product_ids), ("releaseIds", release_ids)):
        if ids:
            yield FieldError(field, f"is for the role Member only; {role} sees everything.")
