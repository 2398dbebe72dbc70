"""Which releases a license covers: those of its updates, and after its term those it keeps."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from licet._semver import precedence, release_allows
from licet.testing._state import License, PublishedRelease

SHORTER = timedelta(days=3)
"""How much shorter calendar months may be than twelfths of a year."""


def fallback_until(license_: License) -> datetime | None:
    """The last publication of a release that a license keeps after its term, if it keeps any."""
    end = license_.expiration_date
    if license_.fallback == "None" or end is None:
        return None
    needed = timedelta(days=license_.fallback_after_months * 365 // 12)
    if license_.fallback_after_months and end - license_.paid_since < needed - SHORTER:
        return None
    if license_.fallback == "ReleaseAtTermEnd":
        return end
    return max(license_.paid_since, min(license_.term_began_at, end - needed))


def is_unpaid(license_: License, now: datetime) -> bool:
    """Whether the term and its grace have ended, whatever the license keeps."""
    end = license_.valid_until
    return end is not None and end <= now


def covers_until(license_: License, now: datetime) -> datetime | None:
    """The last publication of a release that a license covers; ``None`` if no date limits it."""
    kept = fallback_until(license_) if is_unpaid(license_, now) else None
    ends = [license_.updates_until, kept]
    return min((end for end in ends if end is not None), default=None)


def is_covered(
    license_: License,
    line: str,
    version: str | None,
    release: PublishedRelease | None,
    now: datetime,
) -> bool:
    """Whether a license for a release covers a version, and its publication if that is known."""
    has_date = license_.updates_until is not None and release is not None
    if not has_date and not release_allows(line, version):
        return False
    until = covers_until(license_, now)
    if release is None or until is None or release.coverage == "Everyone":
        return True
    return release.published_at <= until


def is_dated(license_: License, now: datetime) -> bool:
    """Whether it matters when the application's release was published."""
    kept = fallback_until(license_) if is_unpaid(license_, now) else None
    return license_.updates_until is not None or kept is not None


def release_of(version: str | None, known: Iterable[PublishedRelease]) -> PublishedRelease | None:
    """The first publication of an application's version; ``None`` if there is none."""
    if version is None:
        return None
    named, order = version.strip().lower(), precedence(version)
    return next(
        (
            item
            for item in known
            if item.version.lower() == named
            or (order is not None and precedence(item.version) == order)
        ),
        None,
    )
