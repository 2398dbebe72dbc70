"""Wire shapes of a search."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from licet_server.kit.web.views import view_of
from licet_server.search.rules import HitGroup, HitKind, Match


class SearchHit(Struct, rename="camel", kw_only=True):
    """Something found.

    `detail` is the receiver of a license, the address of a customer, the channel of a release, or
    the hardware ID of a device. `status` is that of a license, a release or a device, `licenseId`
    the license that a device belongs to. `formerKey`: the text is a key that the license had
    before.
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


class SearchGroup(Struct, rename="camel", kw_only=True):
    """The best hits of a kind, best first; `hasMore`: there are more than these."""

    kind: HitKind
    items: list[SearchHit]
    has_more: bool


class SearchResult(Struct):
    """The hits of a search, the kind with the best hit first."""

    groups: list[SearchGroup]


def search_result(groups: Sequence[HitGroup]) -> SearchResult:
    return SearchResult(
        [
            SearchGroup(
                kind=group.kind,
                items=[view_of(SearchHit, item) for item in group.items],
                has_more=group.has_more,
            )
            for group in groups
        ]
    )
