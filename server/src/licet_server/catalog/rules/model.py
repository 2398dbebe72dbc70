"""Products, releases, features, keys."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.settings import ProductSettings
from licet_server.kit.errors import FieldError

DEFAULT_CHANNEL = "Stable"
DEFAULT_KEY_SIZE: Final = 3072
KEY_SIZES = (2048, 3072, 4096)
ALGORITHM = "RS256"
LIVE_PRODUCT_KEYS_MAX = 20
ASSOCIATIONS_MAX = 1_000
INVITED_AT_ONCE_MAX = 20
SET_FEATURES_MAX = 1_000
FEATURE_VALUES_MAX = 100
TEXT_VALUE_MAX = 200
NUMBER_DIGITS_MAX = 15
VERSION_MAX = 100
CHANNEL_MAX = 50
FEATURE_NAME_MAX = 128

FeatureValue = bool | int | float | str
"""The value of a feature: `True` for a flag, a number or a text.

A number has few enough digits for a double-precision float to hold it exactly.
"""


class AccessType(StrEnum):
    """The parties that may hold licenses: anyone, or named institutions."""

    OPENED = "Opened"
    ASSOCIATED = "Associated"


class ReleaseStatus(StrEnum):
    """The status of a release; only Published ones are offered."""

    DRAFT = "Draft"
    PUBLISHED = "Published"
    YANKED = "Yanked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product.

    `associated_institution_ids` are the institutions that have accepted. `license_count` is `None`
    for operators who see only single releases of it. `image_version` changes with the image, and is
    `None` without one.
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
    """The application behind a runtime request, identified by its product key.

    `settings` are those of the product at the time of the request. `rate_limit` is the number of
    requests per minute that the key may make, if it is limited.
    """

    institution_id: UUID
    product_id: UUID
    key_id: UUID
    settings: ProductSettings
    rate_limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveProductKey:
    """A live product key in plain text."""

    id: UUID
    api_key: str
    created_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RsaKey:
    """The public part of a product's signing key. `generation` counts from 1."""

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
    """A version of a product in a channel. `published_at` is the first time it was published.

    `token` is the signed description of a published release and its files, for applications; `None`
    where the product had no signing key, or for a release from before releases were signed.
    """

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
    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ReleaseName:
    """The name of a product and the version of its release, to show."""

    product_name: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFile:
    """A file of a release; `platform` is `None` if it is for all platforms."""

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
    """The image of a product, ready to be served."""

    media_type: str
    content: bytes
    version: str


class FeatureKind(StrEnum):
    """The kind of a feature: granted or not, or granted with a number or a text."""

    FLAG = "Flag"
    NUMBER = "Number"
    TEXT = "Text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature of a product that a license may entitle to."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    name: str
    kind: FeatureKind
    display_name: str | None
    description: str | None
    created_at: datetime


FeatureKey = tuple[UUID, UUID, str]
"""Institution, product and feature name, in any case."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A feature that an entitlement set grants, with its value: `True` for a flag."""

    feature_name: str
    value: FeatureValue


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitlementSet:
    """A named list of a product's features, in the given order."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    name: str
    entries: tuple[Entry, ...]
    created_at: datetime
    updated_at: datetime

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features, in the given order."""
        return tuple(entry.feature_name for entry in self.entries)


def label_breaches(field: str, text: object) -> Iterator[FieldError]:
    """Check a label: no control characters, no spaces at its ends."""
    if not isinstance(text, str):
        return
    if any(unicodedata.category(symbol) == "Cc" for symbol in text):
        yield FieldError(field, "must not contain control characters.")
    elif text != text.strip():
        yield FieldError(field, "must not begin or end with a space.")


def check_status_change(before: ReleaseStatus, after: ReleaseStatus) -> None:
    """Check that a release does not become a draft again.

    Raises:
        Refused: `Conflict`.
    """
    if after is ReleaseStatus.DRAFT and before is not ReleaseStatus.DRAFT:
        raise errors.release_was_published()
