"""What a search finds, as it is on the wire, and which of it comes first."""

from collections.abc import Iterable
from enum import StrEnum
from itertools import groupby
from uuid import UUID

from msgspec import Struct

from licet_server.kit.folding import folded

GROUP_MAX = 6
"""How many hits of a kind are shown."""


class HitKind(StrEnum):
    """A kind of hits; of equally good groups, the first one here comes first."""

    LICENSE = "License"
    CUSTOMER = "Customer"
    PRODUCT = "Product"
    DEVICE = "Device"
    SESSION = "Session"
    RELEASE = "Release"


class Match(StrEnum):
    """How well a hit matches: all of a name, its beginning, or words in it."""

    EXACT = "Exact"
    START = "Start"
    WORD = "Word"


_KINDS = list(HitKind)
_MATCHES = list(Match)


class SearchHit(Struct, rename="camel", kw_only=True, frozen=True):
    """Something found.

    `detail` is the receiver of a license, the address of a customer, the channel of a release, or
    the hardware ID of a device or a session. `status` is that of a license, a release or a device;
    that of a session is `Live`, or `Borrowed` while a lease holds its seat. `licenseId` is the
    license that a device or a session belongs to. `formerKey`: the text is a key that the license
    had before.
    """

    kind: HitKind
    id: UUID
    institution_id: UUID
    title: str
    detail: str | None
    match: Match
    status: str | None
    product_id: UUID | None
    product_name: str | None
    license_id: UUID | None
    license_name: str | None
    former_key: bool


class SearchGroup(Struct, rename="camel", kw_only=True, frozen=True):
    """The best hits of a kind, best first; `hasMore`: there are more than these."""

    kind: HitKind
    items: list[SearchHit]
    has_more: bool


class SearchResult(Struct, frozen=True):
    """The hits of a search, the kind with the best hit first."""

    groups: list[SearchGroup]


def match_of(texts: Iterable[str], names: Iterable[str | None]) -> Match:
    """Return how well a thing with these names matches one of the texts, as a search folds them."""
    searched = [folded(item) for item in texts]
    known = [folded(item) for item in names if item is not None]
    if any(item in known for item in searched):
        return Match.EXACT
    starts = any(name.startswith(text) for name in known for text in searched)
    return Match.START if starts else Match.WORD


def ranked(hits: Iterable[SearchHit]) -> SearchResult:
    """Group hits by kind: the best first, and of equal ones the newest."""
    # UUIDv7: the order of ids is the order of creation.
    newest_first = sorted(hits, key=lambda hit: hit.id, reverse=True)
    ordered = sorted(newest_first, key=lambda hit: (_KINDS.index(hit.kind), _place(hit)))
    groups = [
        SearchGroup(kind=kind, items=found[:GROUP_MAX], has_more=len(found) > GROUP_MAX)
        for kind, of_kind in groupby(ordered, key=lambda hit: hit.kind)
        for found in (list(of_kind),)
    ]
    return SearchResult(sorted(groups, key=lambda group: _place(group.items[0])))


def _place(hit: SearchHit) -> int:
    return _MATCHES.index(hit.match)
