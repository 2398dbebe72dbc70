"""Compares versions: by their numbers if both have them, else by publication."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from licet_server.catalog.rules.model import (
    Coverage,
    Product,
    Release,
    ReleaseFile,
    ReleaseStatus,
)
from licet_server.institutions.rules.institutions import Limits
from licet_server.kit.characters import file_name_misleads
from licet_server.kit.errors import FieldError, bad_fields


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A release that is or was published."""

    id: UUID
    version: str
    channel: str
    status: ReleaseStatus
    published_at: datetime
    coverage: Coverage = Coverage.LICENSED

    def is_in(self, channel: str) -> bool:
        """Check whether the release is in a channel, whose name is case-insensitive."""
        return self.channel.lower() == channel.lower()


_IDENTIFIERS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_COMPARABLE = re.compile(rf"v?(\d+(?:\.\d+)*)(?:-({_IDENTIFIERS}))?(?:\+{_IDENTIFIERS})?", re.ASCII)
_Number = tuple[int, str]
_Order = tuple[tuple[_Number, ...], bool, tuple[tuple[bool, _Number, str], ...]]


def newest(offered: Iterable[PublishedVersion]) -> PublishedVersion | None:
    """Return the newest published release.

    It is the highest of those with comparable versions, or the last of the others if that was
    published later.
    """
    leads: dict[bool, PublishedVersion] = {}
    for item in sorted(offered, key=_publication):
        if item.status is ReleaseStatus.PUBLISHED:
            kind = _order_of(item.version) is not None
            lead = leads.get(kind)
            if lead is None or compared(item.version, lead.version) != -1:
                leads[kind] = item
    return max(leads.values(), key=_publication, default=None)


def of_new_licenses(known: Sequence[PublishedVersion], channel: str) -> PublishedVersion | None:
    """Return the newest release of the channel, or of all channels if it has none."""
    return newest(item for item in known if item.is_in(channel)) or newest(known)


@dataclass(frozen=True, slots=True)
class Issuable:
    """A product with what was published of it, and the limits of its institution's plan."""

    product: Product
    published: Sequence[PublishedVersion]
    limits: Limits

    @property
    def release(self) -> PublishedVersion | None:
        """The release that a license gets if none is named; `None` if none is published."""
        return of_new_licenses(self.published, self.product.settings.default_channel)


def release_of(version: str, known: Iterable[PublishedVersion]) -> PublishedVersion | None:
    """Return the release of an application's version; `None` if it was never published.

    Of one version in several channels it is the one that was published first, for everyone if any
    of them is.
    """
    named = version.strip().lower()
    same = [
        item
        for item in known
        if item.version.lower() == named or compared(item.version, version) == 0
    ]
    if not same:
        return None
    is_for_everyone = any(item.coverage is Coverage.EVERYONE for item in same)
    first = min(same, key=_publication)
    return replace(first, coverage=Coverage.EVERYONE) if is_for_everyone else first


def installable(
    offered: Sequence[PublishedVersion], has_file: Mapping[UUID, bool]
) -> Sequence[PublishedVersion]:
    """Return the releases that have a file for a platform.

    `has_file` has an entry for each release with files. Releases without any are announcements,
    which only count where no release has a file.
    """
    return [item for item in offered if has_file.get(item.id)] if has_file else offered


def is_update(
    candidate: PublishedVersion, current: str | None, known: Iterable[PublishedVersion]
) -> bool:
    """Check whether the candidate is newer than the version `current`.

    It is if `current` is missing, or neither comparable nor among the `known` versions.
    """
    if current is None:
        return True
    order = compared(candidate.version, current)
    if order is not None:
        return order == 1
    named = current.strip().lower()
    own = next((item for item in known if item.version.lower() == named), None)
    return own is None or _publication(own) < _publication(candidate)


def compared(one: str, other: str) -> int | None:
    """Compare two versions: -1, 0 or 1; `None` if one of them is not comparable.

    A version is any count of numbers with dots; missing ones are 0. After two or more there may
    be a pre-release, which sorts as in semver: `2024-11-22` is a date.
    """
    first, second = _order_of(one), _order_of(other)
    if first is None or second is None:
        return None
    return (first > second) - (first < second)


def covers(line: str, application: str) -> bool | None:
    """Check whether a license for the version `line` is also one for this application's version.

    It covers every version up to the end of its major one, the first number; `None` if one of the
    two is not comparable.
    """
    first, second = _order_of(line), _order_of(application)
    if first is None or second is None:
        return None
    return _major(second) <= _major(first)


def _major(order: _Order) -> _Number:
    return order[0][0] if order[0] else _ZERO


@lru_cache(maxsize=1024)  # the few versions of a product recur in every request
def _order_of(version: str) -> _Order | None:
    match = _COMPARABLE.fullmatch(version.strip())
    if match is None or (match[2] and "." not in match[1]):
        return None
    numbers = [_number(part) for part in match[1].split(".")]
    while numbers and numbers[-1] == _ZERO:
        numbers.pop()
    parts = match[2].split(".") if match[2] else []
    is_final = not parts  # a release sorts after its pre-releases
    return tuple(numbers), is_final, tuple(_identifier(part) for part in parts)


def _number(digits: str) -> _Number:
    # Of any size, which Python does not convert beyond 4,300 digits.
    significant = digits.lstrip("0")
    return len(significant), significant


_ZERO = _number("0")


def _identifier(part: str) -> tuple[bool, _Number, str]:
    return (False, _number(part), "") if part.isdigit() else (True, _ZERO, part)


def _publication(item: PublishedVersion) -> tuple[datetime, UUID]:
    return item.published_at, item.id


NAME_MAX = 200
PLATFORM_MAX = 50
DEFAULT_CONTENT_TYPE = "application/octet-stream"
UPLOAD_MAX = timedelta(hours=12)
ORPHAN_AFTER = timedelta(days=1)

_PLATFORM = re.compile(rf"[A-Za-z0-9._-]{{1,{PLATFORM_MAX}}}")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_TYPE = re.compile(r"[a-z0-9.+-]{1,50}/[a-z0-9.+-]{1,80}")
_FIELDS = {"platform", "sha256"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDraft:
    """A file to be stored, as its uploader describes it; `sha256` is the expected hash."""

    name: str
    platform: str | None
    content_type: str
    sha256: bytes | None


def parse_file_form(
    filename: str, content_type: str | None, fields: Mapping[str, str]
) -> FileDraft:
    """Validate the form of an upload; empty fields count as missing.

    Raises:
        Refused: `InvalidRequest` naming every invalid field.
    """
    name = re.split(r"[/\\]", filename)[-1]
    platform, sha256 = fields.get("platform") or None, fields.get("sha256") or None
    breaches = [*_name_breaches(name), *_field_breaches(fields, platform, sha256)]
    if breaches:
        raise bad_fields(breaches)
    known = content_type is not None and _TYPE.fullmatch(content_type)
    return FileDraft(
        name=name,
        platform=platform,
        content_type=content_type if known and content_type is not None else DEFAULT_CONTENT_TYPE,
        sha256=None if sha256 is None else bytes.fromhex(sha256),
    )


def is_orphaned(file_id: UUID, now: datetime) -> bool:
    """Check whether a stored file without a row is old enough to be a leftover of a crash.

    Its id (UUIDv7) contains the time when its upload began, and no upload takes that long.
    """
    started_at = (file_id.int >> 80) / 1000
    return started_at <= (now - ORPHAN_AFTER).timestamp()


def _name_breaches(name: str) -> Iterator[FieldError]:
    if not 1 <= len(name) <= NAME_MAX or name in {".", ".."}:
        yield FieldError("file", f"must have a name of 1 to {NAME_MAX} characters.")
    elif name != name.strip():
        yield FieldError("file", "must have a name that does not begin or end with a space.")
    elif file_name_misleads(name):
        yield FieldError("file", "must have a name without control or text direction characters.")


def _field_breaches(
    fields: Mapping[str, str], platform: str | None, sha256: str | None
) -> Iterator[FieldError]:
    if platform is not None and not _PLATFORM.fullmatch(platform):
        yield FieldError(
            "platform", f"must be 1 to {PLATFORM_MAX} letters, digits, dots, dashes, underscores."
        )
    if sha256 is not None and not _SHA256.fullmatch(sha256):
        yield FieldError("sha256", "must be a SHA-256 of 64 hexadecimal digits.")
    for name in fields:
        if name not in _FIELDS:
            yield FieldError(name, "is not a field of this request.")


RELEASE_TYPE = "release+jwt"

ReleaseClaims = dict[str, Any]


def release_claims(release: Release, files: Iterable[ReleaseFile], now: datetime) -> ReleaseClaims:
    """Return the claims of a release as it is stored."""
    return {
        "aud": str(release.product_id),
        "iat": int(now.timestamp()),
        "version": release.version,
        "channel": release.channel,
        "publishedAt": release.published_at,
        "files": [_file_claims(file) for file in files],
    }


def with_labels(claims: ReleaseClaims, release: Release) -> ReleaseClaims:
    """Return the claims after the version or the channel has changed."""
    return {**claims, "version": release.version, "channel": release.channel}


def with_file(claims: ReleaseClaims, file: ReleaseFile) -> ReleaseClaims:
    """Add a file to the claims; those of the other files stay as they were signed."""
    return {**claims, "files": [*claims["files"], _file_claims(file)]}


def without_file(claims: ReleaseClaims, file: ReleaseFile) -> ReleaseClaims:
    """Remove a file from the claims."""
    deleted = _name_key(file.name, file.platform)
    kept = [
        item for item in claims["files"] if _name_key(item["name"], item["platform"]) != deleted
    ]
    return {**claims, "files": kept}


def _file_claims(file: ReleaseFile) -> dict[str, Any]:
    return {
        "name": file.name,
        "platform": file.platform,
        "sizeBytes": file.size_bytes,
        "sha256": file.sha256.hex(),
    }


def _name_key(name: str, platform: str | None) -> tuple[str, str]:
    # Names are unique per platform, in any case.
    return name.lower(), (platform or "").lower()
