"""Coalescers for the database: how much one statement serves, and how many run at a time."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from licet_server.kit.coalesce import (
    DEFAULT_MAX_BATCH,
    Coalescer,
    Item,
    Observe,
    Result,
    unobserved,
)
from licet_server.kit.database import concerns_one_item

Run = Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]]


@dataclass(frozen=True, slots=True)
class Batching:
    """The maximum number of items per batch, and of batches of a concurrent kind in flight.

    Two in flight measured slightly faster for reads than one; `max_batch=1` disables batching.
    """

    max_batch: int = DEFAULT_MAX_BATCH
    in_flight: int = 2
    observe: Observe = unobserved

    def concurrent(self, name: str, run: Run[Item, Result]) -> Coalescer[Item, Result]:
        """Create a coalescer with up to `in_flight` batches at a time."""
        return self._coalescer(name, run, self.in_flight)

    def serial(self, name: str, run: Run[Item, Result]) -> Coalescer[Item, Result]:
        """Create a coalescer with one batch at a time: two would wait for each other's rows."""
        return self._coalescer(name, run, 1)

    def _coalescer(
        self, name: str, run: Run[Item, Result], in_flight: int
    ) -> Coalescer[Item, Result]:
        return Coalescer(
            run,
            max_batch=self.max_batch,
            batches_in_flight=in_flight,
            bisects=concerns_one_item,
            name=name,
            observe=self.observe,
        )
