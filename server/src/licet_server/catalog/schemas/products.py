"""Wire shapes of products and their settings."""

import textwrap
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from licet_server.catalog.rules.model import (
    ALGORITHM,
    CHANNEL_MAX,
    DEFAULT_CHANNEL,
    DEFAULT_KEY_SIZE,
    DEVICE_RELEASES_MAX,
    FILE_LIFETIME_MAX,
    FILE_LIFETIME_MIN,
    IDLE_DAYS_MAX,
    IDLE_DAYS_MIN,
    INTERVAL_MAX,
    INTERVAL_MIN,
    INVITED_AT_ONCE_MAX,
    TIMEOUT_MAX,
    TIMEOUT_MIN,
    VERSION_MAX,
    AccessType,
    AppDeviceRelease,
    Coverage,
    LiveProductKey,
    Product,
    ProductMode,
    PublicRsaKey,
    Release,
    ReleaseFile,
    ReleaseStatus,
    RsaKey,
    invitation_breaches,
    merge_settings,
    pair_breaches,
)
from licet_server.catalog.rules.releases import PLATFORM_MAX, PublishedVersion
from licet_server.catalog.service.products import ProductDraft
from licet_server.kit.characters import label_breaches
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name, Paragraphs
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.uploads import FORM
from licet_server.kit.web.views import view_of

Version = Annotated[str, Meta(min_length=1, max_length=VERSION_MAX, pattern=r"\S")]
Channel = Annotated[str, Meta(min_length=1, max_length=CHANNEL_MAX, pattern=r"\S")]


class ReleaseBody(Body):
    """A new release."""

    version: Version
    channel: Channel = DEFAULT_CHANNEL
    status: ReleaseStatus = ReleaseStatus.DRAFT
    notes: Paragraphs | None = None
    coverage: Coverage = Coverage.LICENSED

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("version", self.version)
        yield from label_breaches("channel", self.channel)


class ReleaseChange(Change):
    """A change of a release."""

    version: Version | UnsetType = UNSET
    channel: Channel | UnsetType = UNSET
    status: ReleaseStatus | UnsetType = UNSET
    notes: Paragraphs | UnsetType | None = UNSET
    coverage: Coverage | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("version", self.version)
        yield from label_breaches("channel", self.channel)


class ReleaseView(Struct, rename="camel"):
    """A release. `publishedAt` and `firstPublishedAt` are both the first time it was published.

    A license whose maintenance ended before does not cover it, unless its `coverage` is `Everyone`.
    """

    id: UUID
    product_id: UUID
    version: str
    channel: str
    status: ReleaseStatus
    notes: str | None
    published_at: datetime | None
    first_published_at: datetime | None
    coverage: Coverage
    created_at: datetime
    updated_at: datetime


def release_view(release: Release) -> ReleaseView:
    return view_of(ReleaseView, release, first_published_at=release.published_at)


FILE_FORM: Final[dict[str, Any]] = {
    "required": True,
    "content": {
        FORM: {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "format": "binary"},
                    "platform": {
                        "type": "string",
                        "pattern": "^[A-Za-z0-9._-]+$",
                        "maxLength": PLATFORM_MAX,
                        "description": "For example windows-x64; by default for all platforms.",
                    },
                    "sha256": {
                        "type": "string",
                        "pattern": "^[0-9a-fA-F]{64}$",
                        "description": "Checked against the uploaded file.",
                    },
                },
            }
        }
    },
}
"""The form of an upload, for the OpenAPI document."""


class ReleaseFileView(Struct, rename="camel"):
    """A file of a release. `contentType` is as the uploader sent it."""

    id: UUID
    name: str
    platform: str | None
    size_bytes: int
    sha256: str
    content_type: str
    created_at: datetime


class UpdateFileView(Struct, rename="camel"):
    """A file to download. `downloadUrl` works for 15 minutes, without any credential."""

    name: str
    platform: str | None
    size_bytes: int
    sha256: str
    download_url: str


def download_view(file: ReleaseFile, address: str) -> UpdateFileView:
    return view_of(UpdateFileView, file, sha256=file.sha256.hex(), download_url=address)


def file_view(file: ReleaseFile) -> ReleaseFileView:
    return view_of(ReleaseFileView, file, sha256=file.sha256.hex())


InstitutionIds = Annotated[list[UUID], Meta(max_length=INVITED_AT_ONCE_MAX)]
Interval = Annotated[int, Meta(ge=INTERVAL_MIN, le=INTERVAL_MAX)]
Timeout = Annotated[int, Meta(ge=TIMEOUT_MIN, le=TIMEOUT_MAX)]
Spacing = Annotated[int, Meta(ge=0, le=INTERVAL_MAX)]
FileLifetime = Annotated[int, Meta(ge=FILE_LIFETIME_MIN, le=FILE_LIFETIME_MAX)]
DeviceReleases = Annotated[int, Meta(ge=0, le=DEVICE_RELEASES_MAX)]
IdleDays = Annotated[int, Meta(ge=IDLE_DAYS_MIN, le=IDLE_DAYS_MAX)]
HardwareIdKind = Literal["m", "j", "c", "n", "s", "b"]
HardwareIdKinds = Annotated[list[HardwareIdKind], Meta(min_length=1, max_length=20)]


class ProductSettingsBody(Body):
    """Settings of a new product; missing ones get their defaults."""

    heartbeat_interval_seconds: Interval | UnsetType = UNSET
    session_timeout_seconds: Timeout | UnsetType = UNSET
    heartbeat_min_spacing_seconds: Spacing | UnsetType = UNSET
    offline_file_lifetime_days: FileLifetime | UnsetType = UNSET
    device_releases_per_year: DeviceReleases | UnsetType = UNSET
    app_device_release: AppDeviceRelease | UnsetType = UNSET
    app_releases_per_year: DeviceReleases | UnsetType = UNSET
    downloads_need_license: bool | UnsetType = UNSET
    default_channel: Channel | UnsetType = UNSET
    trial_once_per_device: bool | UnsetType = UNSET
    device_idle_days: IdleDays | UnsetType = UNSET
    hardware_id_kinds: HardwareIdKinds | UnsetType = UNSET


class ProductSettingsChange(Change):
    """A change of settings; a null file lifetime is that of the license.

    Null for the idle days means that devices keep their seats, null for the kinds of hardware IDs
    the default.
    """

    heartbeat_interval_seconds: Interval | UnsetType = UNSET
    session_timeout_seconds: Timeout | UnsetType = UNSET
    heartbeat_min_spacing_seconds: Spacing | UnsetType = UNSET
    offline_file_lifetime_days: FileLifetime | UnsetType | None = UNSET
    device_releases_per_year: DeviceReleases | UnsetType = UNSET
    app_device_release: AppDeviceRelease | UnsetType = UNSET
    app_releases_per_year: DeviceReleases | UnsetType = UNSET
    downloads_need_license: bool | UnsetType = UNSET
    default_channel: Channel | UnsetType = UNSET
    trial_once_per_device: bool | UnsetType = UNSET
    device_idle_days: IdleDays | UnsetType | None = UNSET
    hardware_id_kinds: HardwareIdKinds | UnsetType | None = UNSET


class ProductBody(Body):
    """A new product with its first release; `associatedInstitutionIds` are invited.

    `mode` cannot change later. A Test product is for the vendor's own tests: its licenses have
    `test: true`, and count in no figure, limit or notification.
    """

    name: Name
    initial_version: Version
    institution_id: UUID | None = None
    release_channel: Channel = DEFAULT_CHANNEL
    access_type: AccessType = AccessType.OPENED
    mode: ProductMode = ProductMode.LIVE
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


class ProductCopyBody(Body):
    """The name of a Test copy; by default that of the product, with `(Test)`."""

    name: Name | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from label_breaches("name", self.name)


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
    """A product's settings, complete.

    `hardwareIdKinds` is null for the default: all, and for NodeLocked licenses neither that of a CI
    project (`j`) nor that of a host name (`n`).
    """

    heartbeat_interval_seconds: int
    session_timeout_seconds: int
    heartbeat_min_spacing_seconds: int
    offline_file_lifetime_days: int | None
    device_releases_per_year: int
    app_device_release: AppDeviceRelease
    app_releases_per_year: int
    downloads_need_license: bool
    default_channel: str
    trial_once_per_device: bool
    device_idle_days: int | None
    hardware_id_kinds: list[HardwareIdKind] | None


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
    mode: ProductMode
    associated_institution_ids: list[UUID]
    settings: ProductSettingsView
    has_keys: bool
    license_count: int | None
    created_at: datetime
    updated_at: datetime


class ProductExtra(StrEnum):
    """What a list of products has besides, if it is asked for."""

    LATEST_RELEASE = "LatestRelease"


class ListedProductView(ProductView, kw_only=True):
    """A product in a list; the last fields are present if they are asked for, and in CSV.

    They are of the release that was published last, and is still.
    """

    latest_version: str | UnsetType | None = UNSET
    latest_channel: str | UnsetType | None = UNSET
    latest_published_at: datetime | UnsetType | None = UNSET


def product_draft(body: ProductBody) -> ProductDraft:
    return ProductDraft(
        institution_id=body.institution_id,
        name=body.name,
        initial_version=body.initial_version,
        release_channel=body.release_channel,
        access_type=body.access_type,
        test=body.mode is ProductMode.TEST,
        invited_institution_ids=tuple(dict.fromkeys(body.associated_institution_ids or ())),
        description=body.description,
        settings=given(body.settings) if body.settings is not None else {},
    )


def product_view(product: Product) -> ProductView:
    return view_of(ProductView, product, image_url=_image_url(product))


def listed_product_view(
    product: Product, latest: PublishedVersion | UnsetType | None
) -> ListedProductView:
    """Return a product of a list, with its latest release if that was asked for."""
    view = ListedProductView(**asdict(product_view(product)))
    if isinstance(latest, UnsetType):
        return view
    view.latest_version = None if latest is None else latest.version
    view.latest_channel = None if latest is None else latest.channel
    view.latest_published_at = None if latest is None else latest.published_at
    return view


def _image_url(product: Product) -> str | None:
    """Return a URL that changes with the image, so browsers may cache it forever."""
    if product.image_version is None:
        return None
    return f"/api/products/{product.id}/image?v={product.image_version}"


GRACE_SECONDS_MAX = 31_536_000

GraceSeconds = Annotated[int, Meta(ge=0, le=GRACE_SECONDS_MAX)]


class RotateProductKeyBody(Body):
    """How long older keys keep working; null for until they are revoked."""

    grace_seconds: GraceSeconds | None = None


class GenerateSigningKeyBody(Body):
    """The size of the RSA key in bits."""

    key_size: Literal[2048, 3072, 4096] = DEFAULT_KEY_SIZE


class ProductKeyView(Struct, rename="camel"):
    """A live product key; `expiresAt` is null if it lives until it is revoked.

    `apiKey` is `unreadable` if the master key that sealed it is lost.
    """

    id: UUID
    api_key: str
    created_at: datetime
    expires_at: datetime | None


class CredentialsView(Struct, rename="camel"):
    """The product's live keys, newest first; `apiKey` is the newest."""

    api_key: str | None
    keys: list[ProductKeyView]


class SigningKeyView(Struct, rename="camel"):
    """The signing key of a product; `createdAt` is when it began to sign."""

    kid: str
    algorithm: str
    key_size: int
    created_at: datetime


class GeneratedKeyView(Struct, rename="camel", kw_only=True):
    """A new signing key. `warning` says what ends, where it replaced another one."""

    warning: str | UnsetType = UNSET
    kid: str
    algorithm: str
    key_size: int
    created_at: datetime


class NextSigningKeyView(SigningKeyView):
    """A prepared key, which signs nothing yet: `publicKey` is SPKI DER in Base64."""

    public_key: str
    public_key_pem: str


class SigningKeyStatusView(Struct, rename="camel"):
    """The signing key of a product, if it has one. `generation` counts its keys from 1."""

    exists: bool
    kid: str | None = None
    algorithm: str | None = None
    key_size: int | None = None
    created_at: datetime | None = None
    rotated_at: datetime | None = None
    generation: int = 0
    next: NextSigningKeyView | None = None
    compact_key: str | None = None


class PublicKeyView(Struct, rename="camel"):
    """The public key: `publicKey` is SPKI DER in Base64. `next` is the key that is prepared.

    `compactKey` is the second key of the product, of the same form, which signs answer codes; null
    while there is none. Applications need not know it: base files name it.
    """

    kid: str
    algorithm: str
    key_size: int
    public_key: str
    public_key_pem: str
    next: NextSigningKeyView | None
    compact_key: str | None


def credentials_view(keys: list[LiveProductKey]) -> CredentialsView:
    return CredentialsView(
        api_key=keys[0].api_key if keys else None,
        keys=[view_of(ProductKeyView, item) for item in keys],
    )


def signing_key_view(key: RsaKey) -> SigningKeyView:
    return view_of(SigningKeyView, key, algorithm=ALGORITHM)


_HARD_CUT = (
    "The previous key signs nothing any more. Applications that know only its public key reject "
    "every new response and license.bin with SignatureMismatch, without a grace period; "
    "applications that know only the new one reject every license.bin from before. Another time, "
    "replace a key that has not leaked with keys/prepare, ship applications that trust both, then "
    "keys/activate: that breaks nothing."
)


def generated_key_view(key: RsaKey) -> GeneratedKeyView:
    return GeneratedKeyView(
        warning=_HARD_CUT if key.generation > 1 else UNSET,
        kid=key.kid,
        algorithm=ALGORITHM,
        key_size=key.key_size,
        created_at=key.created_at,
    )


def next_key_view(key: PublicRsaKey) -> NextSigningKeyView:
    return view_of(
        NextSigningKeyView,
        key,
        algorithm=ALGORITHM,
        public_key=b64encode(key.public_key).decode(),
        public_key_pem=public_key_pem(key),
    )


def signing_key_status_view(
    key: RsaKey | None, prepared: PublicRsaKey | None, compact: bytes | None
) -> SigningKeyStatusView:
    if key is None:
        return SigningKeyStatusView(exists=False)
    return view_of(
        SigningKeyStatusView,
        key,
        exists=True,
        algorithm=ALGORITHM,
        rotated_at=key.created_at if key.generation > 1 else None,
        next=next_key_view(prepared) if prepared else None,
        compact_key=_in_base64(compact),
    )


def _in_base64(der: bytes | None) -> str | None:
    return None if der is None else b64encode(der).decode()


def public_key_view(
    key: RsaKey, prepared: PublicRsaKey | None, compact: bytes | None
) -> PublicKeyView:
    return view_of(
        PublicKeyView,
        key,
        algorithm=ALGORITHM,
        public_key=b64encode(key.public_key).decode(),
        public_key_pem=public_key_pem(key),
        next=next_key_view(prepared) if prepared else None,
        compact_key=_in_base64(compact),
    )


def public_key_pem(key: PublicRsaKey) -> str:
    """Return the public key as PEM (RFC 7468)."""
    lines = textwrap.wrap(b64encode(key.public_key).decode(), 64)
    return "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----", ""])
