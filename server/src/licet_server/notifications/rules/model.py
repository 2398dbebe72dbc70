"""What a notification is, and who may see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.identity.rules.memberships import Role
from licet_server.notifications.rules.kinds import Kind


class SubjectKind(StrEnum):
    """What a notification leads to."""

    LICENSE = "License"
    WEBHOOK = "Webhook"
    INVITATION = "Invitation"
    MEMBER = "Member"


@dataclass(frozen=True, slots=True)
class Notice:
    """What there is to tell of an event, before it is known to whom.

    It is for those who look after the institution, but for `except_user`; or, where `only_email`
    is set, for the person with that address alone.
    """

    institution_id: UUID
    event_id: UUID
    kind: Kind
    title: str
    body: str
    product_id: UUID | None
    subject_id: UUID
    subject_kind: SubjectKind
    only_email: str | None = None
    except_user: UUID | None = None


@dataclass(frozen=True, slots=True)
class Notification:
    """A notice that somebody got."""

    institution_id: UUID
    id: UUID
    user_id: UUID
    kind: Kind
    title: str
    body: str
    product_id: UUID | None
    subject_id: UUID
    subject_kind: SubjectKind
    created_at: datetime
    read_at: datetime | None


def overseen(roles: Mapping[UUID, Role]) -> tuple[UUID, ...]:
    """The institutions whose notifications somebody with these roles sees.

    Whoever lost his role loses visibility of what he was told.
    """
    return tuple(item for item, role in roles.items() if role.covers(Role.ADMIN))


def is_seen(item: Notification, roles: Mapping[UUID, Role]) -> bool:
    """Whether the one who got it sees it still; an invitation is for somebody without a role."""
    return item.institution_id in overseen(roles) or item.subject_kind is SubjectKind.INVITATION
