"""Look-ups of operators, by ID or page by page: those that arrive together share a statement."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.database import Connection, Database
from licet_server.kit.paging import ItemsOf, Listing, Pages, Paging, require_reachable

Scope = TypeVar("Scope")
Found = TypeVar("Found")

Fetch = Callable[[Connection, Scope, Sequence[UUID]], Awaitable[Mapping[UUID, Found]]]
"""Fetches the items with these IDs that belong to a scope, by ID, each row by its key."""


PAGES_AT_ONCE = 8
"""Reading the rows of more pages would keep validations of the same process waiting."""

_Asked = tuple[Pages, Paging, Mapping[str, Any], ItemsOf[Any]]


class LookUps:
    """Finds items by ID, and pages; what arrives together of one kind and scope is one statement.

    Nothing is kept between requests. A look-up that arrives while a statement runs waits for the
    next one, so it sees whatever was committed before it arrived.
    """

    def __init__(self, database: Database, batching: Batching) -> None:
        self._database = database
        self._look_ups: Coalescing[tuple[Any, Any, UUID], Any] = batching.concurrent(
            "look_ups", self._look_up, itemgetter(1)
        )
        few = replace(batching, max_batch=min(batching.max_batch, PAGES_AT_ONCE))
        self._pages: Coalescing[_Asked, Listing[Any]] = few.concurrent(
            "pages", self._fetch_pages, itemgetter(0)
        )

    async def find(self, fetch: Fetch[Scope, Found], scope: Scope, item_id: UUID) -> Found | None:
        """Return the item, or `None` if the scope, which is hashable, has none with this ID."""
        found: Found | None = await self._look_ups.submit((fetch, scope, item_id))
        return found

    async def page(
        self, pages: Pages, paging: Paging, given: Mapping[str, Any], items_of: ItemsOf[Found]
    ) -> Listing[Found]:
        """Return a numbered page that is read in the order of a key, as `Pages.fetch_each` does.

        Raises:
            Refused: for an unknown sort field, or a page beyond row 10,000.
        """
        require_reachable(paging)
        return await self._pages.submit((pages, paging, given, items_of))

    async def aclose(self) -> None:
        """Finish the accepted look-ups, then stop."""
        await self._look_ups.aclose()
        await self._pages.aclose()

    async def _fetch_pages(self, asked: Sequence[_Asked]) -> list[Listing[Any]]:
        alike: dict[tuple[Pages, str | None, ItemsOf[Any]], list[int]] = {}
        for place, (pages, paging, _, items_of) in enumerate(asked):
            alike.setdefault((pages, paging.sort, items_of), []).append(place)
        found: dict[int, Listing[Any]] = {}
        async with self._database.looking_up() as db:
            for (pages, sort, items_of), places in alike.items():
                values = [asked[place][1:3] for place in places]
                listings = await pages.fetch_each(db, sort, values, items_of)
                found |= zip(places, listings, strict=True)
        return [found[place] for place in range(len(asked))]

    async def _look_up(self, asked: Sequence[tuple[Any, Any, UUID]]) -> list[Any]:
        wanted: dict[tuple[Any, Any], set[UUID]] = {}
        for fetch, scope, item_id in asked:
            wanted.setdefault((fetch, scope), set()).add(item_id)
        async with self._database.looking_up() as db:
            found = {
                (fetch, scope): await fetch(db, scope, list(ids))
                for (fetch, scope), ids in wanted.items()
            }
        return [found[fetch, scope].get(item_id) for fetch, scope, item_id in asked]


Source: TypeAlias = Connection | LookUps
"""What an item is read from by its ID: a connection, or together with what others ask for."""
