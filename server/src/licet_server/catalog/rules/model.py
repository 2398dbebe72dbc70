"""Products and what belongs to them."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.settings import ProductSettings
from licet_server.kit.errors import FieldError

DEFAULT_CHANNEL = "Stable"
DEFAULT_KEY_SIZE: Final = 3072
ALGORITHM = "RS256"
LIVE_PRODUCT_KEYS_MAX = 20
ASSOCIATIONS_MAX = 1_000
SET_FEATURES_MAX = 1_000
VERSION_MAX = 100
CHANNEL_MAX = 50
FEATURE_NAME_MAX = 128


class AccessType(StrEnum):
    """Who may hold licenses: anybody, or named institutions."""

    OPENED = "Opened"
    ASSOCIATED = "Associated"


class ReleaseStatus(StrEnum):
    """Where a release stands; only a Published one is offered."""

    DRAFT = "Draft"
    PUBLISHED = "Published"
    YANKED = "Yanked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """The anchor of releases, keys, entitlements and licenses.

    `license_count` is `None` for those who see single releases of it.
    `image_version` changes with the image, and is `None` while there is none.
    """

    institution_id: UUID
    id: UUID
    name: str
    description: str | None
    access_type: AccessType
    associated_institution_ids: tuple[UUID, ...]
    settings: ProductSettings
    has_keys: bool
    image_version: str | None
    license_count: int | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ProductCaller:
    """The application behind a runtime request: which product its key stands for.

    `settings` are the product's at the moment of the request, and `rate_limit` is how often a
    minute the key may be used then, if that is limited.
    """

    institution_id: UUID
    product_id: UUID
    key_id: UUID
    settings: ProductSettings
    rate_limit: int | None = None


@dataclass(frozen=True, slots=True)
class Credential:
    """A live product key in plain, for those who may see it."""

    id: UUID
    api_key: str
    created_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RsaKey:
    """The public side of a product's signing key. `generation` counts from 1."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    kid: str
    key_size: int
    public_key: bytes
    generation: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A version of a product in a channel. `published_at` is the first time it was published."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    version: str
    channel: str
    status: ReleaseStatus
    notes: str | None
    published_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFile:
    """A file of a release; `platform` is `None` where it is for all of them."""

    institution_id: UUID
    id: UUID
    release_id: UUID
    name: str
    platform: str | None
    size_bytes: int
    sha256: bytes
    content_type: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ProductImage:
    """What a product looks like in lists, ready to be served."""

    media_type: str
    content: bytes
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """Something that a license may entitle to."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    name: str
    display_name: str | None
    description: str | None
    created_at: datetime


FeatureKey = tuple[UUID, UUID, str]
"""Institution, product and a feature's name in any case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitlementSet:
    """A named choice of a product's features, in the order that its author gave."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    name: str
    feature_names: tuple[str, ...]
    created_at: datetime
    updated_at: datetime


def label_breaches(field: str, text: object) -> Iterator[FieldError]:
    """A label is one line: no control characters, and something to see at both ends."""
    if not isinstance(text, str):
        return
    if any(unicodedata.category(symbol) == "Cc" for symbol in text):
        yield FieldError(field, "must hold no control characters.")
    elif text != text.strip():
        yield FieldError(field, "must not begin or end with a space.")


def association_breaches(access_type: AccessType, count: int) -> Iterator[FieldError]:
    """Only an Associated product is associated with institutions."""
    if access_type is AccessType.OPENED and count > 0:
        yield FieldError(
            "associatedInstitutionIds",
            "belongs to products of the access type Associated only; leave it out for Opened.",
        )


def check_status_change(before: ReleaseStatus, after: ReleaseStatus) -> None:
    """A release never becomes a draft again.

    Raises:
        Refused: `Conflict`.
    """
    if after is ReleaseStatus.DRAFT and before is not ReleaseStatus.DRAFT:
        raise errors.release_was_published()
