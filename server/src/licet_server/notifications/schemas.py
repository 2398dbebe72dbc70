"""Wire shapes of notifications."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from licet_server.events.rules.kinds import NotificationKind
from licet_server.kit.web.body import Change
from licet_server.notifications.rules.facts import NoticeFacts
from licet_server.notifications.rules.model import (
    Channels,
    Notification,
    NotificationChoice,
    NotificationSubject,
)


class NotificationView(Struct, rename="camel"):
    """A notification; `subjectId` is what it links to.

    `title` and `body` are in English. `facts` is what a page in another language makes its own
    sentences of; null in notifications of earlier releases.
    """

    id: UUID
    kind: NotificationKind
    title: str
    body: str
    facts: NoticeFacts | None
    institution_id: UUID
    product_id: UUID | None
    subject_id: UUID
    subject_kind: NotificationSubject
    created_at: datetime
    read_at: datetime | None


def notification_view(item: Notification) -> NotificationView:
    """Return a notification as it is on the wire."""
    return msgspec.convert(item, NotificationView, from_attributes=True)


class UnreadCountView(Struct, rename="camel"):
    """The number of unread notifications."""

    unread: int


class ChannelsView(Struct, rename="camel"):
    """The channels of a kind that are turned on."""

    in_app: bool
    email: bool


class PreferencesView(Struct, rename="pascal"):
    """The channels of each kind of notification."""

    license_expiring: ChannelsView
    license_expired: ChannelsView
    device_activated: ChannelsView
    access_attempt: ChannelsView
    low_balance: ChannelsView
    webhook_disabled: ChannelsView
    connector_rejected: ChannelsView
    mail_failed: ChannelsView
    invitation: ChannelsView


def preferences_view(channels: Mapping[NotificationKind, Channels]) -> PreferencesView:
    """Return preferences as they are on the wire."""
    fields = msgspec.structs.fields(PreferencesView)
    kinds = {field.name: channels[NotificationKind(field.encode_name)] for field in fields}
    return PreferencesView(
        **{name: ChannelsView(item.in_app, item.email) for name, item in kinds.items()}
    )


class ChannelsChange(Change):
    """A change of the channels of a kind."""

    in_app: bool | UnsetType = UNSET
    email: bool | UnsetType = UNSET


class PreferencesChange(Change, rename="pascal"):
    """A change of the channels of some kinds."""

    license_expiring: ChannelsChange | UnsetType = UNSET
    license_expired: ChannelsChange | UnsetType = UNSET
    device_activated: ChannelsChange | UnsetType = UNSET
    access_attempt: ChannelsChange | UnsetType = UNSET
    low_balance: ChannelsChange | UnsetType = UNSET
    webhook_disabled: ChannelsChange | UnsetType = UNSET
    connector_rejected: ChannelsChange | UnsetType = UNSET
    mail_failed: ChannelsChange | UnsetType = UNSET
    invitation: ChannelsChange | UnsetType = UNSET

    def choices(self) -> dict[NotificationKind, NotificationChoice]:
        """Return the choices in the request, by kind."""
        return dict(self._choices())

    def _choices(self) -> Iterator[tuple[NotificationKind, NotificationChoice]]:
        for field in msgspec.structs.fields(type(self)):
            given = getattr(self, field.name)
            if isinstance(given, ChannelsChange):
                choice = NotificationChoice(_or_none(given.in_app), _or_none(given.email))
                yield NotificationKind(field.encode_name), choice


def _or_none(given: bool | UnsetType) -> bool | None:
    return None if isinstance(given, UnsetType) else given
