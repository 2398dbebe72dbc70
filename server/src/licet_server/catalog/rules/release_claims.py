"""Claims in the token of a release: its version, channel, publication and files."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from licet_server.catalog.rules.model import Release, ReleaseFile

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
