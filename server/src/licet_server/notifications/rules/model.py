"""Notifications, and who may see them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.events.rules.kinds import NotificationKind
from licet_server.identity.rules.memberships import Role


class NotificationSubject(StrEnum):
    """The kind of thing that a notification links to."""

    LICENSE = "License"
    WEBHOOK = "Webhook"
    INVITATION = "Invitation"
    MEMBER = "Member"
    ASSOCIATION = "Association"
    CONNECTOR = "Connector"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeContent:
    """The text of notifications about one event, and what they are about."""

    institution_id: UUID
    kind: NotificationKind
    title: str
    body: str
    product_id: UUID | None
    subject_id: UUID
    subject_kind: NotificationSubject


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(NoticeContent):
    """The content of notifications about one event, before their recipients are known.

    The recipients are the Owners and Admins of the institution, except `except_user`; or, if
    `only_email` is set, the user with that e-mail address alone.
    """

    event_id: UUID
    only_email: str | None = None
    except_user: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification(NoticeContent):
    """A notice that a user received."""

    id: UUID
    user_id: UUID
    created_at: datetime
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NotificationVisibility:
    """The notifications of a user that a session of theirs sees.

    `administered` are the institutions where they are Owner or Admin. `invitations` come from any
    institution, and are not for a session through the identity provider of one.
    """

    user_id: UUID
    administered: tuple[UUID, ...]
    invitations: bool

    def covers(self, item: Notification) -> bool:
        """Return whether the session sees a notification."""
        is_invitation = item.subject_kind is NotificationSubject.INVITATION
        return item.institution_id in self.administered or (self.invitations and is_invitation)


def visibility_of(
    user_id: UUID, roles: Mapping[UUID, Role], through: UUID | None
) -> NotificationVisibility:
    """Return what a user with these roles sees, in a session through a provider if one is given.

    Users who lose their role no longer see the notifications that they received.
    """
    administered = tuple(item for item, role in roles.items() if role.covers(Role.ADMIN))
    return NotificationVisibility(user_id, administered, invitations=through is None)


_EMAILED = frozenset(
    {
        NotificationKind.LICENSE_EXPIRING,
        NotificationKind.ACCESS_ATTEMPT,
        NotificationKind.LOW_BALANCE,
        NotificationKind.WEBHOOK_DISABLED,
        NotificationKind.CONNECTOR_REJECTED,
        NotificationKind.MAIL_FAILED,
    }
)
"""Kinds that are sent by e-mail unless the user turns that off."""


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of a kind that are turned on for a user."""

    in_app: bool
    email: bool


@dataclass(frozen=True, slots=True)
class NotificationChoice:
    """The choice of a user for a kind; `None` for a channel left at the default."""

    in_app: bool | None = None
    email: bool | None = None


def channels_of(kind: NotificationKind, choice: NotificationChoice | None = None) -> Channels:
    """Return the channels of a kind: those chosen, or the defaults."""
    chosen = choice or NotificationChoice()
    return Channels(
        in_app=True if chosen.in_app is None else chosen.in_app,
        email=kind in _EMAILED if chosen.email is None else chosen.email,
    )
