"""A user's memberships, as identity shows them; what a role may do is institutions' business."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    """A member's role in an institution; each role may do everything that the later ones may."""

    OWNER = "Owner"
    ADMIN = "Admin"
    MEMBER = "Member"
    VIEWER = "Viewer"

    def covers(self, needed: "Role") -> bool:
        """Whether this role may do what `needed` may."""
        order = list(Role)
        return order.index(self) <= order.index(needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """A user's role in an institution."""

    institution_id: UUID
    institution_name: str
    role: Role
