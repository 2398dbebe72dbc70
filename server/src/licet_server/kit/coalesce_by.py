"""Coalescing by group: calls share a batch only with calls of their group.

In a database that is spread by institution, a statement about one institution stays on one node.
"""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic

from licet_server.kit.coalesce import (
    DEFAULT_MAX_BATCH,
    DEFAULT_MAX_WAITING,
    Coalescer,
    CoalescerClosed,
    Item,
    Observe,
    QueueFull,
    Result,
    concerns_one_item,
    unobserved,
)

KEPT_GROUPS = 64
"""More are looked through for those that are idle, before another one is added."""


class CoalescerBy(Generic[Item, Result]):
    """A `Coalescer` for each group of items, with the same promises.

    `group_of` says which items may share a batch. Each group has `batches_in_flight` batches at a
    time, and all of them together `batches_in_all`; a batch that waits for its turn is complete, so
    that calls that arrive meanwhile form the next one. `max_waiting` is of all groups together.
    """

    def __init__(
        self,
        group_of: Callable[[Item], Hashable],
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        *,
        batches_in_all: int,
        max_batch: int = DEFAULT_MAX_BATCH,
        max_waiting: int = DEFAULT_MAX_WAITING,
        batches_in_flight: int = 1,
        bisects: Callable[[Exception], bool] = concerns_one_item,
        name: str = "",
        observe: Observe = unobserved,
    ) -> None:
        self._group_of = group_of
        self._turns = asyncio.Semaphore(batches_in_all)
        self._run = run
        self._max_batch = max_batch
        self._max_waiting = max_waiting
        self._batches_in_flight = batches_in_flight
        self._bisects = bisects
        self._context = contextvars.copy_context()
        self._observer = observe(name, lambda: self.waiting)
        self._groups: dict[Hashable, Coalescer[Item, Result]] = {}
        self._calls = 0
        self._closed = False

    @property
    def waiting(self) -> int:
        """The number of calls that are not yet in a batch."""
        return sum(group.waiting for group in self._groups.values())

    async def submit(self, item: Item) -> Result:
        """Run `item` with the next batch of its group, as `Coalescer.submit` does."""
        if self._closed:
            raise CoalescerClosed("the service is shutting down")
        if self._calls >= self._max_waiting and self.waiting >= self._max_waiting:
            self._observer.refuse()
            raise QueueFull(self.waiting)
        self._calls += 1
        try:
            return await self._group(self._group_of(item)).submit(item)
        finally:
            self._calls -= 1

    async def aclose(self, *, grace: float = 10.0) -> None:
        """Reject new calls, complete the accepted ones, and stop, as `Coalescer.aclose` does."""
        self._closed = True
        await asyncio.gather(*(group.aclose(grace=grace) for group in self._groups.values()))

    def _group(self, key: Hashable) -> Coalescer[Item, Result]:
        found = self._groups.get(key)
        if found is None:
            if len(self._groups) >= KEPT_GROUPS:
                busy = {of: group for of, group in self._groups.items() if not group.is_idle}
                self._groups = busy
            found = self._groups[key] = self._context.run(self._new_group)
        return found

    def _new_group(self) -> Coalescer[Item, Result]:
        return Coalescer(
            self._run_in_turn,
            max_batch=self._max_batch,
            max_waiting=self._max_waiting,
            batches_in_flight=self._batches_in_flight,
            bisects=self._bisects,
            observe=lambda _name, _length: self._observer,
        )

    async def _run_in_turn(self, items: Sequence[Item]) -> Sequence[Result | Exception]:
        async with self._turns:
            return await self._run(items)
