"""Wire shapes of notifications."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from licet_server.kit.web.body import Change
from licet_server.notifications.rules.kinds import Channels, Choice, Kind
from licet_server.notifications.rules.model import Notification, SubjectKind


class NotificationView(Struct, rename="camel"):
    """Something that somebody was told; `subjectId` is what it leads to."""

    id: UUID
    kind: Kind
    title: str
    body: str
    institution_id: UUID
    product_id: UUID | None
    subject_id: UUID
    subject_kind: SubjectKind
    created_at: datetime
    read_at: datetime | None


def notification_view(item: Notification) -> NotificationView:
    """A notification on the wire."""
    return NotificationView(
        id=item.id,
        kind=item.kind,
        title=item.title,
        body=item.body,
        institution_id=item.institution_id,
        product_id=item.product_id,
        subject_id=item.subject_id,
        subject_kind=item.subject_kind,
        created_at=item.created_at,
        read_at=item.read_at,
    )


class UnreadView(Struct, rename="camel"):
    """How many notifications are unread."""

    unread: int


class ChannelsView(Struct, rename="camel"):
    """How notifications of a kind reach somebody."""

    in_app: bool
    email: bool


class PreferencesView(Struct, rename="pascal"):
    """How each kind of notification reaches somebody."""

    license_expiring: ChannelsView
    license_expired: ChannelsView
    device_activated: ChannelsView
    access_attempt: ChannelsView
    low_balance: ChannelsView
    webhook_disabled: ChannelsView
    invitation: ChannelsView


def preferences_view(channels: Mapping[Kind, Channels]) -> PreferencesView:
    """Preferences on the wire."""
    fields = msgspec.structs.fields(PreferencesView)
    kinds = {field.name: channels[Kind(field.encode_name)] for field in fields}
    return PreferencesView(
        **{name: ChannelsView(item.in_app, item.email) for name, item in kinds.items()}
    )


class ChannelsChange(Change):
    """The channels of a kind that are to change."""

    in_app: bool | UnsetType = UNSET
    email: bool | UnsetType = UNSET


class PreferencesChange(Change, rename="pascal"):
    """The kinds that are to change."""

    license_expiring: ChannelsChange | UnsetType = UNSET
    license_expired: ChannelsChange | UnsetType = UNSET
    device_activated: ChannelsChange | UnsetType = UNSET
    access_attempt: ChannelsChange | UnsetType = UNSET
    low_balance: ChannelsChange | UnsetType = UNSET
    webhook_disabled: ChannelsChange | UnsetType = UNSET
    invitation: ChannelsChange | UnsetType = UNSET

    def choices(self) -> dict[Kind, Choice]:
        """What was chosen, by kind."""
        return dict(self._choices())

    def _choices(self) -> Iterator[tuple[Kind, Choice]]:
        for field in msgspec.structs.fields(type(self)):
            given = getattr(self, field.name)
            if isinstance(given, ChannelsChange):
                yield Kind(field.encode_name), Choice(_or_none(given.in_app), _or_none(given.email))


def _or_none(given: bool | UnsetType) -> bool | None:
    return None if isinstance(given, UnsetType) else given
