"""Wire shapes of releases."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.catalog.rules.model import (
    CHANNEL_MAX,
    DEFAULT_CHANNEL,
    VERSION_MAX,
    Release,
    ReleaseStatus,
    label_breaches,
)
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Paragraphs
from licet_server.kit.web.body import Body, Change
from licet_server.kit.web.views import view_of

Version = Annotated[str, Meta(min_length=1, max_length=VERSION_MAX, pattern=r"\S")]
Channel = Annotated[str, Meta(min_length=1, max_length=CHANNEL_MAX, pattern=r"\S")]


class ReleaseBody(Body):
    """A new release."""

    version: Version
    channel: Channel = DEFAULT_CHANNEL
    status: ReleaseStatus = ReleaseStatus.DRAFT
    notes: Paragraphs | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("version", self.version)
        yield from label_breaches("channel", self.channel)


class ReleaseChange(Change):
    """A change of a release."""

    version: Version | UnsetType = UNSET
    channel: Channel | UnsetType = UNSET
    status: ReleaseStatus | UnsetType = UNSET
    notes: Paragraphs | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("version", self.version)
        yield from label_breaches("channel", self.channel)


class ReleaseView(Struct, rename="camel"):
    """A release. `publishedAt` is the first time it was published."""

    id: UUID
    product_id: UUID
    version: str
    channel: str
    status: ReleaseStatus
    notes: str | None
    published_at: datetime | None
    created_at: datetime
    updated_at: datetime


def release_view(release: Release) -> ReleaseView:
    return view_of(ReleaseView, release)
