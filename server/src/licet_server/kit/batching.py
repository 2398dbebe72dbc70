"""Coalescers for the database: how much one statement serves, and how many run at a time."""

from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from licet_server.kit.coalesce import (
    DEFAULT_MAX_BATCH,
    Coalescer,
    Item,
    Observe,
    Result,
    unobserved,
)
from licet_server.kit.coalesce_by import CoalescerBy
from licet_server.kit.database import concerns_one_item

Run = Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]]
Item_contra = TypeVar("Item_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


class Coalescing(Protocol[Item_contra, Result_co]):
    """What callers of a coalescer use."""

    async def submit(self, item: Item_contra, /) -> Result_co:
        """Run `item` with the next batch, and return its result."""
        ...

    async def aclose(self) -> None:
        """Reject new calls, complete the accepted ones, and stop."""
        ...


@dataclass(frozen=True, slots=True)
class Batching:
    """The maximum number of items per batch, and of batches of a concurrent kind in flight.

    Two in flight measured slightly faster for reads than one; `max_batch=1` disables batching.
    """

    max_batch: int = DEFAULT_MAX_BATCH
    in_flight: int = 2
    observe: Observe = unobserved

    def concurrent(
        self, name: str, run: Run[Item, Result], tenant_of: Callable[[Item], Hashable]
    ) -> Coalescing[Item, Result]:
        """Create a coalescer with up to `in_flight` batches at a time.

        `tenant_of` says whose rows an item concerns, for a database that is spread by that.
        """
        return self._coalescer(name, run, tenant_of, self.in_flight)

    def serial(
        self, name: str, run: Run[Item, Result], tenant_of: Callable[[Item], Hashable]
    ) -> Coalescing[Item, Result]:
        """Create a coalescer with one batch at a time: two would wait for each other's rows."""
        return self._coalescer(name, run, tenant_of, 1)

    def _coalescer(
        self,
        name: str,
        run: Run[Item, Result],
        tenant_of: Callable[[Item], Hashable],
        in_flight: int,
    ) -> Coalescing[Item, Result]:
        return Coalescer(
            run,
            max_batch=self.max_batch,
            batches_in_flight=in_flight,
            bisects=concerns_one_item,
            name=name,
            observe=self.observe,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadBatching(Batching):
    """Batches of one tenant each, so that each statement of theirs stays on one node.

    Of all tenants together, `in_all` batches of a kind run at a time.
    """

    in_all: int

    def _coalescer(
        self,
        name: str,
        run: Run[Item, Result],
        tenant_of: Callable[[Item], Hashable],
        in_flight: int,
    ) -> Coalescing[Item, Result]:
        return CoalescerBy(
            tenant_of,
            run,
            batches_in_all=self.in_all,
            max_batch=self.max_batch,
            batches_in_flight=in_flight,
            bisects=concerns_one_item,
            name=name,
            observe=self.observe,
        )
