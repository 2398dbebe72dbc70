"""Coalescing: calls that arrive while a batch is in flight form the next batch.

There is no timer. An idle service runs each call in the next turn of the event loop, as a batch of
one; under load the batches grow, and one statement serves tens of callers. The invariant: every
accepted item gets exactly one result, its own value or its own error, whatever happens to the other
callers.
"""

import asyncio
import contextvars
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from licet_server.kit.clock import go_by, product_instant

Item = TypeVar("Item")
Result = TypeVar("Result")

_Call = tuple[Item, Any, datetime | None]
"""A call: its item, what the observer returned for it, and the instant that it goes by."""

DEFAULT_MAX_BATCH = 256
DEFAULT_MAX_WAITING = 4096


class QueueObserver(Protocol):
    """Observes one queue; what it does costs every call."""

    @property
    def arrive(self) -> Callable[[], Any]:
        """Called when a call arrives; returns what `batch` is to know of it."""
        ...

    @property
    def refuse(self) -> Callable[[], None]:
        """Called when a call is refused because the queue is full."""
        ...

    def batch(self, arrivals: Sequence[Any]) -> AbstractContextManager[None]:
        """Entered around a batch; `arrivals` are of its calls, the oldest first."""
        ...


Observe = Callable[[str, Callable[[], int]], QueueObserver]
"""Creates the observer of a queue, by its name and what returns its length."""


class _Unobserved:
    def arrive(self) -> None: ...

    def refuse(self) -> None: ...

    def batch(self, arrivals: Sequence[None]) -> AbstractContextManager[None]:
        return nullcontext()


def unobserved(_name: str, _length: Callable[[], int]) -> QueueObserver:
    """Return an observer that does nothing."""
    return _Unobserved()


class QueueFull(Exception):
    """Too many calls are waiting; nothing was done. Try again in `retry_after` seconds."""

    def __init__(self, waiting: int, *, retry_after: int = 1) -> None:
        super().__init__(f"{waiting} calls are already waiting; try again in {retry_after} s.")
        self.waiting = waiting
        self.retry_after = retry_after


class CoalescerClosed(Exception):
    """The coalescer is shutting down; calls that were not in flight did nothing."""


class WrongResultCount(Exception):
    """The batch function did not return one result per item."""

    def __init__(self, *, items: int, results: int) -> None:
        super().__init__(f"the batch function returned {results} results for {items} items")


def concerns_one_item(error: Exception) -> bool:
    """Check whether a smaller batch could succeed; a lost connection affects every item."""
    return not isinstance(error, (OSError, WrongResultCount))


class Coalescer(Generic[Item, Result]):
    """Turns concurrent calls of `submit` into calls of one batch function.

    `run` receives between one and `max_batch` items in the order of arrival, and returns one
    result per item by position; an `Exception` instance is raised to that caller alone. If `run`
    raises, it must have changed nothing: the batch is then split and rerun until the failing item
    is isolated. `bisects` decides whether an error is worth splitting for; an error that every
    smaller batch would hit too, such as a lost connection, goes to all callers at once.

    At most `max_waiting` callers wait outside a batch, and `batches_in_flight` batches run at a
    time. Batches run in the context that created the coalescer, not in that of a caller, but for
    the instant of a product's clock: calls that go by one are run apart from all others.
    One coalescer belongs to one event loop.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        *,
        max_batch: int = DEFAULT_MAX_BATCH,
        max_waiting: int = DEFAULT_MAX_WAITING,
        batches_in_flight: int = 1,
        bisects: Callable[[Exception], bool] = concerns_one_item,
        name: str = "",
        observe: Observe = unobserved,
    ) -> None:
        if min(max_batch, max_waiting, batches_in_flight) < 1:
            raise ValueError("max_batch, max_waiting and batches_in_flight must be at least 1")
        self._run = run
        self._max_batch = max_batch
        self._max_waiting = max_waiting
        self._batches_in_flight = batches_in_flight
        self._bisects = bisects
        self._context = contextvars.copy_context()
        self._waiting: OrderedDict[asyncio.Future[Result], _Call[Item]] = OrderedDict()
        self._observer = observe(name, lambda: len(self._waiting))
        self._running: set[asyncio.Task[None]] = set()
        self._forming: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        """The number of calls that are not yet in a batch."""
        return len(self._waiting)

    @property
    def is_idle(self) -> bool:
        """Whether no call is waiting or in a batch."""
        return not self._waiting and not self._running

    async def submit(self, item: Item) -> Result:
        """Run `item` with the next batch, and return its result.

        Cancelling the call before its batch starts withdraws the item; after that, the item runs
        and its result is dropped.

        Raises:
            QueueFull: too many calls are waiting.
            CoalescerClosed: the coalescer is shutting down.
            Exception: the item's own error.
        """
        if self._closed:
            raise CoalescerClosed("the service is shutting down")
        if len(self._waiting) >= self._max_waiting:
            self._observer.refuse()
            raise QueueFull(len(self._waiting))
        result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting[result] = (item, self._observer.arrive(), product_instant())
        self._start_batch()
        try:
            return await result
        finally:
            self._waiting.pop(result, None)

    async def aclose(self, *, grace: float = 10.0) -> None:
        """Reject new calls, complete the accepted ones, and stop.

        After `grace` seconds the remaining batches are cancelled, and their callers get
        `CoalescerClosed`. Closing twice is harmless.
        """
        self._closed = True
        try:
            async with asyncio.timeout(grace):
                while self._running:
                    await asyncio.wait(self._running)
        except TimeoutError:
            await self._abandon()
        except asyncio.CancelledError:
            await self._abandon()
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _abandon(self) -> None:
        left = list(self._waiting)
        self._waiting.clear()
        _fail(left, CoalescerClosed("the service stopped before this call was run"))
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)

    def _start_batch(self) -> None:
        is_free = len(self._running) < self._batches_in_flight
        if self._waiting and is_free and self._forming is None:
            self._forming = task = asyncio.get_running_loop().create_task(
                self._run_batch(), context=self._context.copy(), name="coalesce"
            )
            self._running.add(task)
            task.add_done_callback(self._finish_batch)

    def _finish_batch(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if self._forming is task:  # it was cancelled before it took its calls
            self._forming = None
        self._start_batch()

    async def _run_batch(self) -> None:
        # Calls that arrive in this turn of the event loop and in the next one share the batch:
        # sockets are read between the turns, and many that are ready then belong together.
        await asyncio.sleep(0)
        size = min(self._max_batch, len(self._waiting))
        batch = [self._waiting.popitem(last=False) for _ in range(size)]
        self._forming = None
        if not batch:
            return
        try:
            self._start_batch()
            with self._observer.batch([arrival for _, (_, arrival, _) in batch]):
                for instant, calls in _by_instant(batch).items():
                    go_by(instant)  # this task's context is its own
                    await self._resolve(calls)
        finally:
            # Only a cancellation or the end of the process leaves calls unresolved here.
            left = [caller for caller, _ in batch]
            _fail(left, CoalescerClosed("the service stopped while this call was running"))

    async def _resolve(self, batch: "list[tuple[asyncio.Future[Result], _Call[Item]]]") -> None:
        callers = [caller for caller, _ in batch]
        try:
            results = await self._run([item for _, (item, _, _) in batch])
            _require_one_result_each(batch, results)
        except Exception as error:  # noqa: BLE001 - any error must reach the callers
            if len(batch) == 1 or not self._bisects(error):
                _fail(callers, error)
                return
        else:
            for caller, result in zip(callers, results, strict=True):
                if isinstance(result, Exception):
                    _fail([caller], result)
                elif not caller.done():
                    caller.set_result(result)
            return
        middle = len(batch) // 2
        await self._resolve(batch[:middle])
        await self._resolve(batch[middle:])


def _by_instant(
    batch: "list[tuple[asyncio.Future[Result], _Call[Item]]]",
) -> "dict[datetime | None, list[tuple[asyncio.Future[Result], _Call[Item]]]]":
    """Return the calls by the instant that they go by, those that go by the present first."""
    if all(call[2] is None for _, call in batch):
        return {None: batch}
    found: dict[datetime | None, list[tuple[asyncio.Future[Result], _Call[Item]]]] = {None: []}
    for entry in batch:
        found.setdefault(entry[1][2], []).append(entry)
    return {instant: calls for instant, calls in found.items() if calls}


def _require_one_result_each(items: Sequence[object], results: Sequence[object]) -> None:
    if len(results) != len(items):
        raise WrongResultCount(items=len(items), results=len(results))


def _fail(callers: Sequence[asyncio.Future[Result]], error: Exception) -> None:
    if isinstance(error, StopIteration):  # the one exception that a future cannot hold
        error = RuntimeError(f"the batch function raised {error!r}")
    for caller in callers:
        if not caller.done():
            caller.set_exception(error)
            caller.exception()  # mark as retrieved: a caller cancelled in this turn never awaits it
