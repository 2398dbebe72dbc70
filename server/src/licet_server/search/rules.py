"""Hits, and which of them come first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from uuid import UUID

GROUP_MAX = 6
"""How many hits of a kind are shown."""


class HitKind(StrEnum):
    """A kind of hits; of equally good groups, the first one here comes first."""

    LICENSE = "License"
    CUSTOMER = "Customer"
    PRODUCT = "Product"
    DEVICE = "Device"
    RELEASE = "Release"


class Match(StrEnum):
    """How well a hit matches: all of a name, its beginning, or words in it."""

    EXACT = "Exact"
    START = "Start"
    WORD = "Word"


_KINDS = list(HitKind)
_MATCHES = list(Match)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something found. `license_id` is what a device belongs to; `detail` tells namesakes apart.

    `former_key`: the text is a key that the license had before.
    """

    kind: HitKind
    id: UUID
    institution_id: UUID
    match: Match
    title: str
    detail: str | None = None
    status: str | None = None
    product_id: UUID | None = None
    product_name: str | None = None
    license_id: UUID | None = None
    license_name: str | None = None
    former_key: bool = False


@dataclass(frozen=True, slots=True)
class HitGroup:
    """The best hits of a kind, and whether there are more."""

    kind: HitKind
    items: Sequence[Hit]
    has_more: bool


def match_of(texts: Iterable[str], names: Iterable[str | None]) -> Match:
    """Return how well a thing with these names matches one of the texts, ignoring case."""
    searched = [item.lower() for item in texts]
    known = [item.lower() for item in names if item is not None]
    if any(item in known for item in searched):
        return Match.EXACT
    starts = any(name.startswith(text) for name in known for text in searched)
    return Match.START if starts else Match.WORD


def ranked(hits: Iterable[Hit]) -> list[HitGroup]:
    """Group hits by kind: the best first, and of equal ones the newest."""
    # UUIDv7: the order of ids is the order of creation.
    newest_first = sorted(hits, key=lambda hit: hit.id, reverse=True)
    ordered = sorted(newest_first, key=lambda hit: (_KINDS.index(hit.kind), _place(hit)))
    groups = [
        HitGroup(kind, found[:GROUP_MAX], len(found) > GROUP_MAX)
        for kind, of_kind in groupby(ordered, key=lambda hit: hit.kind)
        for found in (list(of_kind),)
    ]
    return sorted(groups, key=lambda group: _place(group.items[0]))


def _place(hit: Hit) -> int:
    return _MATCHES.index(hit.match)
