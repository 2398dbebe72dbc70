"""Semantic versions: which major versions a license covers, and precedence."""

from __future__ import annotations

import re

_NUMBER = r"(0|[1-9]\d*)"
_SEMVER = re.compile(
    rf"v?{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?", re.ASCII
)


def major_of(version: str) -> int | None:
    """The major number of a semantic version; ``None`` for anything else."""
    match = _SEMVER.fullmatch(version.strip())
    return int(match[1]) if match and len(match[1]) <= 9 else None


def release_allows(release_version: str | None, app_version: str | None) -> bool:
    """Whether a license for one release covers this version of the application."""
    if release_version is None or app_version is None:
        return True
    release, application = major_of(release_version), major_of(app_version)
    return release is None or application is None or application <= release


Precedence = tuple[tuple[int, int, int], bool, tuple[tuple[bool, int, str], ...]]


def precedence(version: str) -> Precedence | None:
    """The sort key of a semantic version; ``None`` for anything else."""
    match = _SEMVER.fullmatch(version.strip())
    if match is None:
        return None
    numbers = int(match[1]), int(match[2]), int(match[3])
    parts = match[4][1:].split(".") if match[4] else []
    return (
        numbers,
        not parts,  # a release sorts after its pre-releases
        tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts),
    )
