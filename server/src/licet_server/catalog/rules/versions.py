"""Which of two versions is newer: as semver (semver.org 2.0), or else by their publication."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from semver import Version

from licet_server.catalog.rules.model import ReleaseStatus


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A release that is or was out."""

    id: UUID
    version: str
    status: ReleaseStatus
    published_at: datetime


@lru_cache(maxsize=1024)  # a vendor's few versions come with every request
def semver_of(text: str | None) -> Version | None:
    """The version that a text means, also with a `v` in front; `None` for what is no semver."""
    if text is None:
        return None
    try:
        return Version.parse(text.strip().removeprefix("v"))
    except (ValueError, TypeError):
        return None


def newest(offered: Iterable[PublishedVersion]) -> PublishedVersion | None:
    """The newest of those that are published.

    In the order of publication, each takes the lead unless it is the lower semver of two.
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
    """Whether an application of the version `current` is older than the candidate.

    One that names no version is, and so is one that is neither semver nor among the `known`.
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
