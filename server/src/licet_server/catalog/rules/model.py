"""Products, releases, features, keys."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from licet_server.catalog import errors
from licet_server.kit.characters import label_breaches
from licet_server.kit.errors import FieldError
from licet_server.kit.fitting import read_as

INTERVAL_MIN, INTERVAL_MAX = 1, 3_600
TIMEOUT_MIN, TIMEOUT_MAX = 3, 86_400
FILE_LIFETIME_MIN, FILE_LIFETIME_MAX = 1, 3_650
DEVICE_RELEASES_MAX = 1_000
DEFAULT_CHANNEL = "Stable"
IDLE_DAYS_MIN, IDLE_DAYS_MAX = 1, 365

_INTERVAL, _TIMEOUT, _SPACING = 30, 90, 5

_RANGES = {
    "heartbeat_interval_seconds": (INTERVAL_MIN, INTERVAL_MAX),
    "session_timeout_seconds": (TIMEOUT_MIN, TIMEOUT_MAX),
    "heartbeat_min_spacing_seconds": (0, INTERVAL_MAX),
    "offline_file_lifetime_days": (FILE_LIFETIME_MIN, FILE_LIFETIME_MAX),
    "device_releases_per_year": (0, DEVICE_RELEASES_MAX),
    "app_releases_per_year": (0, DEVICE_RELEASES_MAX),
    "device_idle_days": (IDLE_DAYS_MIN, IDLE_DAYS_MAX),
}
_WIRE_NAMES = {
    "heartbeat_interval_seconds": "settings.heartbeatIntervalSeconds",
    "session_timeout_seconds": "settings.sessionTimeoutSeconds",
    "heartbeat_min_spacing_seconds": "settings.heartbeatMinSpacingSeconds",
    "offline_file_lifetime_days": "settings.offlineFileLifetimeDays",
    "device_releases_per_year": "settings.deviceReleasesPerYear",
    "app_releases_per_year": "settings.appReleasesPerYear",
    "default_channel": "settings.defaultChannel",
    "device_idle_days": "settings.deviceIdleDays",
}


class AppDeviceRelease(StrEnum):
    """Whether an application may release other devices of its license."""

    OFF = "Off"
    ON = "On"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductSettings:
    """Settings of a product for its applications at run time.

    `offline_file_lifetime_days` is `None` if a license file is valid as long as its license,
    `device_idle_days` if a device keeps its seat however long it is not seen. `hardware_id_kinds`
    are the letters of the hardware IDs that are accepted, in order, and `None` for the default.
    New licenses get the highest release of `default_channel`.
    """

    heartbeat_interval_seconds: int = _INTERVAL
    session_timeout_seconds: int = _TIMEOUT
    heartbeat_min_spacing_seconds: int = _SPACING
    offline_file_lifetime_days: int | None = None
    device_releases_per_year: int = 3
    app_device_release: AppDeviceRelease = AppDeviceRelease.OFF
    app_releases_per_year: int = 3
    downloads_need_license: bool = False
    default_channel: str = DEFAULT_CHANNEL
    trial_once_per_device: bool = False
    device_idle_days: int | None = None
    hardware_id_kinds: tuple[str, ...] | None = None


def default_timeout(interval: int) -> int:
    """Return the default session timeout: 90 seconds, but at least twice the heartbeat interval."""
    return max(_TIMEOUT, 2 * interval)


def default_spacing(interval: int) -> int:
    """Return the default minimum spacing: 5 seconds, but at most half the heartbeat interval.

    Applications sometimes send a heartbeat slightly early, and must not be refused for that.
    """
    return min(_SPACING, max(1, interval // 2))


def merge_settings(
    current: ProductSettings | None, change: Mapping[str, Any]
) -> tuple[ProductSettings, list[FieldError]]:
    """Merge a change; return the settings and what is wrong with them.

    `change` contains only the given fields; `current` is `None` for a new product. Timeout and
    spacing adapt to a new interval if they are at their defaults; chosen values that no longer fit
    are errors.
    """
    base = current or ProductSettings()
    merged = _in_order(replace(base, **change))
    breaches = list(range_breaches(change))
    if breaches:
        return merged, breaches
    old, new = base.heartbeat_interval_seconds, merged.heartbeat_interval_seconds
    timeout, spacing = merged.session_timeout_seconds, merged.heartbeat_min_spacing_seconds
    if "session_timeout_seconds" not in change and timeout == default_timeout(old):
        timeout = max(timeout, default_timeout(new))
    if "heartbeat_min_spacing_seconds" not in change and spacing == default_spacing(old):
        spacing = min(spacing, default_spacing(new))
    merged = replace(merged, session_timeout_seconds=timeout, heartbeat_min_spacing_seconds=spacing)
    return merged, list(pair_breaches(asdict(merged)))


def range_breaches(change: Mapping[str, Any]) -> Iterator[FieldError]:
    """Check each value against its limits."""
    for name, (least, most) in _RANGES.items():
        value = change.get(name)
        if value is not None and not least <= value <= most:
            yield FieldError(_WIRE_NAMES[name], f"must be {least} to {most}.")
    yield from label_breaches(_WIRE_NAMES["default_channel"], change.get("default_channel"))


def pair_breaches(given: Mapping[str, Any]) -> Iterator[FieldError]:
    """Check the given values against the heartbeat interval, if it is given."""
    interval = given.get("heartbeat_interval_seconds")
    if interval is None:
        return
    timeout = given.get("session_timeout_seconds")
    if timeout is not None and timeout < 2 * interval:
        yield FieldError(
            _WIRE_NAMES["session_timeout_seconds"],
            f"must be at least {2 * interval}, twice the heartbeat interval.",
        )
    spacing = given.get("heartbeat_min_spacing_seconds")
    if spacing is not None and spacing > interval:
        yield FieldError(
            _WIRE_NAMES["heartbeat_min_spacing_seconds"],
            f"must be at most {interval}, the heartbeat interval.",
        )


def from_stored(stored: Mapping[str, Any]) -> ProductSettings:
    """Return the settings from the database as they are; those of another version are ignored."""
    return _in_order(read_as(ProductSettings, stored))


def _in_order(settings: ProductSettings) -> ProductSettings:
    kinds = settings.hardware_id_kinds
    return settings if kinds is None else replace(settings, hardware_id_kinds=_sorted(kinds))


def _sorted(letters: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(letters)))


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


class ProductMode(StrEnum):
    """What a product is for: sales, or the tests of its vendor, which count nowhere."""

    LIVE = "Live"
    TEST = "Test"


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
    `None` without one. `test` never changes.
    """

    institution_id: UUID
    id: UUID
    name: str
    description: str | None
    access_type: AccessType
    test: bool
    associated_institution_ids: tuple[UUID, ...]
    settings: ProductSettings
    has_keys: bool
    image_version: str | None
    license_count: int | None
    created_at: datetime
    updated_at: datetime

    @property
    def scope(self) -> tuple[UUID, UUID]:
        """Its institution and its ID, by which what belongs to it is found."""
        return self.institution_id, self.id

    @property
    def mode(self) -> ProductMode:
        """What it is for."""
        return ProductMode.TEST if self.test else ProductMode.LIVE

    @property
    def key_prefix(self) -> str:
        """How its product keys begin."""
        return TEST_PREFIX if self.test else PREFIX


def test_name(name: str) -> str:
    """Return the name of the Test copy of a product, if none is given."""
    return f"{name[: _NAME_MAX - len(_TEST_SUFFIX)]}{_TEST_SUFFIX}"


_TEST_SUFFIX = " (Test)"


@dataclass(frozen=True, slots=True)
class ProductCaller:
    """The application behind a runtime request, identified by its product key.

    `settings` are those of the product at the time of the request, and `test` is whether it is a
    Test product. `rate_limit` is the number of requests per minute that the key may make, if it is
    limited. `clock` is where the test clock of the product stood then; a product without one goes
    by the present.
    """

    institution_id: UUID
    product_id: UUID
    key_id: UUID
    settings: ProductSettings
    rate_limit: int | None = None
    clock: datetime | None = None
    test: bool = False


UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveProductKey:
    """A live product key in plain text, or `UNREADABLE` if no master key opens it."""

    id: UUID
    api_key: str
    created_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRsaKey:
    """The public part of a key pair of a product."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    kid: str
    key_size: int
    public_key: bytes
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RsaKey(PublicRsaKey):
    """The public part of a product's signing key. `generation` counts from 1."""

    generation: int


class Coverage(StrEnum):
    """Who may use a release: licenses whose maintenance includes it, or everyone.

    A security fix is for everyone.
    """

    LICENSED = "Licensed"
    EVERYONE = "Everyone"


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
    coverage: Coverage = Coverage.LICENSED
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


def check_status_change(before: ReleaseStatus, after: ReleaseStatus) -> None:
    """Check that a release does not become a draft again.

    Raises:
        Refused: `Conflict`.
    """
    if after is ReleaseStatus.DRAFT and before is not ReleaseStatus.DRAFT:
        raise errors.release_was_published()


class AssociationStatus(StrEnum):
    """The status of an association; licenses can be issued to an Associated institution only."""

    INVITED = "Invited"
    ASSOCIATED = "Associated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """An institution that is associated with a product, or invited to be.

    Invited is an email address, or an institution by its ID, which may not exist.
    `customer_institution_id` is the institution that accepted. `sealed_link` is the token of an
    open invitation.
    """

    institution_id: UUID
    id: UUID
    product_id: UUID
    email: str | None
    invited_institution_id: UUID | None
    customer_institution_id: UUID | None
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None = None
    sealed_link: bytes | None = field(default=None, repr=False)

    @property
    def status(self) -> AssociationStatus:
        """The status; an invitation that has expired is still Invited."""
        accepted = self.customer_institution_id is not None
        return AssociationStatus.ASSOCIATED if accepted else AssociationStatus.INVITED

    def is_pending(self, now: datetime) -> bool:
        """Check whether the invitation can be accepted at `now`."""
        return self.accepted_at is None and now < self.expires_at

    def facts(self) -> Mapping[str, object]:
        """Return the data of the vendor's events."""
        return {
            "id": self.id,
            "productId": self.product_id,
            "status": self.status,
            "email": self.email,
            "institutionId": self.customer_institution_id or self.invited_institution_id,
            "expiresAt": None if self.accepted_at else self.expires_at,
        }


def invitation_breaches(
    access_type: AccessType, institution_ids: Sequence[UUID]
) -> Iterator[FieldError]:
    """Check that only an Associated product has institutions to invite."""
    if access_type is AccessType.OPENED and institution_ids:
        yield FieldError(
            "associatedInstitutionIds",
            "is only for products with the access type Associated; leave it out for Opened.",
        )


def require_associable(access_type: AccessType) -> None:
    """Check that a product takes associations.

    Raises:
        Refused: `Conflict` for an Opened one.
    """
    if access_type is AccessType.OPENED:
        raise errors.product_is_opened()


PREFIX = "pk_"
TEST_PREFIX = "pk_test_"
TEST_PRODUCTS_MAX = 100
_NAME_MAX = 200
RANDOM_BYTES = 20

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_AS_BASE_32 = str.maketrans(_ALPHABET, "0123456789abcdefghijklmnopqrstuv")
"""The digits by which Python reads a number of this base."""
_ID_SYMBOLS = 26
_RANDOM_SYMBOLS = 32
_FORM = re.compile(
    rf"(?:{TEST_PREFIX}|{PREFIX})"
    rf"([0-7][{_ALPHABET}]{{{_ID_SYMBOLS - 1}}})[{_ALPHABET}]{{{_RANDOM_SYMBOLS}}}"
)


def product_key(institution_id: UUID, random_bytes: bytes, prefix: str = PREFIX) -> str:
    """Build a key of an institution from 20 random bytes."""
    if len(random_bytes) != RANDOM_BYTES:
        raise ValueError(f"a product key takes {RANDOM_BYTES} random bytes")
    random_part = _symbols(int.from_bytes(random_bytes), _RANDOM_SYMBOLS)
    return prefix + _symbols(institution_id.int, _ID_SYMBOLS) + random_part


def institution_of(key: str) -> UUID | None:
    """Return the institution in a key; `None` if the text is not a product key."""
    form = _FORM.fullmatch(key)
    if form is None:
        return None
    return UUID(int=int(form.group(1).translate(_AS_BASE_32), 32))


def key_hash(key: str) -> bytes:
    """Return the hash to look a key up by; keys are long and random, so it needs no salt."""
    return hashlib.sha256(key.encode()).digest()


def _symbols(value: int, count: int) -> str:
    return "".join(_ALPHABET[value >> 5 * at & 31] for at in reversed(range(count)))
