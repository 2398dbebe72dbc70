"""Look-ups of operators by ID: those that arrive together share a statement."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.database import Connection, Database

Scope = TypeVar("Scope")
Found = TypeVar("Found")

Fetch = Callable[[Connection, Scope, Sequence[UUID]], Awaitable[Mapping[UUID, Found]]]
"""Fetches the items with these IDs that belong to a scope, by ID, each row by its key."""


class LookUps:
    """Finds items by ID; look-ups of one kind and one scope that arrive together are one statement.

    Nothing is kept between requests. A look-up that arrives while a statement runs waits for the
    next one, so it sees whatever was committed before it arrived.
    """

    def __init__(self, database: Database, batching: Batching) -> None:
        self._database = database
        self._look_ups: Coalescing[tuple[Any, Any, UUID], Any] = batching.concurrent(
            "look_ups", self._look_up, itemgetter(1)
        )

    async def find(self, fetch: Fetch[Scope, Found], scope: Scope, item_id: UUID) -> Found | None:
        """Return the item, or `None` if the scope, which is hashable, has none with this ID."""
        found: Found | None = await self._look_ups.submit((fetch, scope, item_id))
        return found

    async def aclose(self) -> None:
        """Finish the accepted look-ups, then stop."""
        await self._look_ups.aclose()

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
