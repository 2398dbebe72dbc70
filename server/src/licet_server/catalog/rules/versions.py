"""Compares versions: by their numbers if both have them, else by publication."""

import re
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


_IDENTIFIERS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_COMPARABLE = re.compile(rf"v?(\d+(?:\.\d+)*)(?:-({_IDENTIFIERS}))?(?:\+{_IDENTIFIERS})?", re.ASCII)
_Number = tuple[int, str]
_Order = tuple[tuple[_Number, ...], bool, tuple[tuple[bool, _Number, str], ...]]


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
    """Return the newest published release.

    In the order of publication, each replaces the previous one unless its version is lower.
    """
    lead: PublishedVersion | None = None
    for item in sorted(offered, key=_publication):
        if item.status is not ReleaseStatus.PUBLISHED:
            continue
        if lead is None or compared(item.version, lead.version) != -1:
            lead = item
    return lead


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


@lru_cache(maxsize=1024)
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
