"""Wire shapes of products and their settings."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.catalog.rules.associations import invitation_breaches
from licet_server.catalog.rules.model import (
    DEFAULT_CHANNEL,
    INVITED_AT_ONCE_MAX,
    AccessType,
    Product,
    label_breaches,
)
from licet_server.catalog.rules.settings import (
    DEVICE_RELEASES_MAX,
    FILE_LIFETIME_MAX,
    FILE_LIFETIME_MIN,
    INTERVAL_MAX,
    INTERVAL_MIN,
    TIMEOUT_MAX,
    TIMEOUT_MIN,
    merge_settings,
    pair_breaches,
)
from licet_server.catalog.schemas.releases import Channel, Version
from licet_server.catalog.service.products import ProductDraft
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name, Paragraphs
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of

InstitutionIds = Annotated[list[UUID], Meta(max_length=INVITED_AT_ONCE_MAX)]
Interval = Annotated[int, Meta(ge=INTERVAL_MIN, le=INTERVAL_MAX)]
Timeout = Annotated[int, Meta(ge=TIMEOUT_MIN, le=TIMEOUT_MAX)]
Spacing = Annotated[int, Meta(ge=0, le=INTERVAL_MAX)]
FileLifetime = Annotated[int, Meta(ge=FILE_LIFETIME_MIN, le=FILE_LIFETIME_MAX)]
DeviceReleases = Annotated[int, Meta(ge=0, le=DEVICE_RELEASES_MAX)]


class ProductSettingsBody(Body):
    """Settings of a new product; missing ones get their defaults."""

    heartbeat_interval_seconds: Interval | UnsetType = UNSET
    session_timeout_seconds: Timeout | UnsetType = UNSET
    heartbeat_min_spacing_seconds: Spacing | UnsetType = UNSET
    offline_file_lifetime_days: FileLifetime | UnsetType = UNSET
    device_releases_per_year: DeviceReleases | UnsetType = UNSET
    downloads_need_license: bool | UnsetType = UNSET


class ProductSettingsChange(Change):
    """A change of settings; a null file lifetime is that of the license."""

    heartbeat_interval_seconds: Interval | UnsetType = UNSET
    session_timeout_seconds: Timeout | UnsetType = UNSET
    heartbeat_min_spacing_seconds: Spacing | UnsetType = UNSET
    offline_file_lifetime_days: FileLifetime | UnsetType | None = UNSET
    device_releases_per_year: DeviceReleases | UnsetType = UNSET
    downloads_need_license: bool | UnsetType = UNSET


class ProductBody(Body):
    """A new product with its first release; `associatedInstitutionIds` are invited."""

    name: Name
    initial_version: Version
    institution_id: UUID | None = None
    release_channel: Channel = DEFAULT_CHANNEL
    access_type: AccessType = AccessType.OPENED
    associated_institution_ids: InstitutionIds | None = None
    description: Paragraphs | None = None
    settings: ProductSettingsBody | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)
        yield from label_breaches("initialVersion", self.initial_version)
        yield from label_breaches("releaseChannel", self.release_channel)
        if self.access_type is not None:
            invited = self.associated_institution_ids or ()
            yield from invitation_breaches(self.access_type, invited)
        if isinstance(self.settings, ProductSettingsBody):
            settings = given(self.settings)
            if None not in settings.values():
                yield from merge_settings(None, settings)[1]


class ProductChange(Change):
    """A change of a product."""

    name: Name | UnsetType = UNSET
    access_type: AccessType | UnsetType = UNSET
    description: Paragraphs | UnsetType | None = UNSET
    settings: ProductSettingsChange | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)
        if isinstance(self.settings, ProductSettingsChange):
            yield from pair_breaches(given(self.settings))


class ProductSettingsView(Struct, rename="camel"):
    """A product's settings, complete."""

    heartbeat_interval_seconds: int
    session_timeout_seconds: int
    heartbeat_min_spacing_seconds: int
    offline_file_lifetime_days: int | None
    device_releases_per_year: int
    downloads_need_license: bool


class ProductView(Struct, rename="camel"):
    """A product.

    `associatedInstitutionIds` are the institutions that have accepted. `licenseCount` is null for
    callers with only single releases assigned.
    """

    id: UUID
    institution_id: UUID
    name: str
    description: str | None
    image_url: str | None
    access_type: AccessType
    associated_institution_ids: list[UUID]
    settings: ProductSettingsView
    has_keys: bool
    license_count: int | None
    created_at: datetime
    updated_at: datetime


def product_draft(body: ProductBody) -> ProductDraft:
    return ProductDraft(
        institution_id=body.institution_id,
        name=body.name,
        initial_version=body.initial_version,
        release_channel=body.release_channel,
        access_type=body.access_type,
        invited_institution_ids=tuple(dict.fromkeys(body.associated_institution_ids or ())),
        description=body.description,
        settings=given(body.settings) if body.settings is not None else {},
    )


def product_view(product: Product) -> ProductView:
    return view_of(ProductView, product, image_url=_image_url(product))


def _image_url(product: Product) -> str | None:
    """Return a URL that changes with the image, so browsers may cache it forever."""
    if product.image_version is None:
        return None
    return f"/api/products/{product.id}/image?v={product.image_version}"
