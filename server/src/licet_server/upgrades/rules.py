"""Releases of this service, and the rule of which one to upgrade to."""

from dataclasses import dataclass
from datetime import datetime

from semver import Version

from licet_server.kit.text import is_web_link

VERSION_MAX = 64
URL_MAX = 500


@dataclass(frozen=True, slots=True)
class ServiceRelease:
    """A release of this service, and where its notes can be read."""

    version: str
    released_at: datetime | None
    notes_url: str


def is_offered(release: ServiceRelease, running: str) -> bool:
    """Check whether to offer the upgrade to a release from a feed.

    Both versions must be semver, and the offered one higher. A pre-release is only offered to a
    pre-release.
    """
    offered, current = _semver_of(release.version), _semver_of(running)
    if offered is None or current is None or not _is_readable(release):
        return False
    return offered > current and (offered.prerelease is None or current.prerelease is not None)


def _semver_of(text: str) -> Version | None:
    try:
        return Version.parse(text.strip().removeprefix("v"))
    except (ValueError, TypeError):
        return None


def _is_readable(release: ServiceRelease) -> bool:
    if len(release.version) > VERSION_MAX or len(release.notes_url) > URL_MAX:
        return False
    return is_web_link(release.notes_url)
