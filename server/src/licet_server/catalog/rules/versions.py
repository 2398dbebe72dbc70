"""Compares versions: by semver 2.0 if both are, else by publication."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from semver import Version

from licet_server.catalog.rules.model import ReleaseStatus


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A release that is or was published."""

    id: UUID
    version: str
    status: ReleaseStatus
    published_at: datetime


@lru_cache(maxsize=1024)  # the few versions of a product recur in every request
def semver_of(text: str | None) -> Version | None:
    """Parse a version, also with a leading `v`; `None` if it is not semver."""
    if text is None:
        return None
    try:
        return Version.parse(text.strip().removeprefix("v"))
    except (ValueError, TypeError):
        return None


def newest(offered: Iterable[PublishedVersion]) -> PublishedVersion | None:
    """The newest published release.

    In the order of publication, each replaces the previous one unless its semver is lower.
    """
    lead: PublishedVersion | None = None
    for item in sorted(offered, key=_publication):
        if item.status is not ReleaseStatus.PUBLISHED:
            continue
        if lead is None or _compared(item.version, lead.version) != -1:
            lead = item
    return lead


def is_update(
    candidate: PublishedVersion, current: str | None, known: Iterable[PublishedVersion]
) -> bool:
    """Whether the candidate is newer than the version `current`.

    It is if `current` is missing, or neither semver nor among the `known` versions.
    """
    if current is None:
        return True
    order = _compared(candidate.version, current)
    if order is not None:
        return order == 1
    named = current.strip().lower()
    own = next((item for item in known if item.version.lower() == named), None)
    return own is None or _publication(own) < _publication(candidate)


def _compared(one: str, other: str) -> int | None:
    first, second = semver_of(one), semver_of(other)
    return None if first is None or second is None else first.compare(second)


def _publication(item: PublishedVersion) -> tuple[datetime, UUID]:
    return item.published_at, item.id
