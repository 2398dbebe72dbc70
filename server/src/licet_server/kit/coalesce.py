"""Coalescing: callers that arrive while a batch is in flight form the next batch.

There is no timer. An idle service runs each call at once, as a batch of one; under load the
batches grow by themselves, and one statement serves tens of callers. The invariant: every
accepted item is answered exactly once, with its own answer or its own error, whatever happens
to the callers around it.
"""

import asyncio
import contextvars
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Self, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")

DEFAULT_MAX_BATCH = 256
DEFAULT_MAX_WAITING = 4096


@dataclass(frozen=True, slots=True)
class Batching:
    """How many items a look-up takes at most, and how many look-ups run at a time.

    Two in flight did slightly better for reading than one; `max_batch=1` looks up one by one.
    """

    max_batch: int = DEFAULT_MAX_BATCH
    in_flight: int = 2


class QueueFull(Exception):
    """Too many callers wait already; nothing was done. Try again in `retry_after` seconds."""

    def __init__(self, waiting: int, *, retry_after: int = 1) -> None:
        super().__init__(f"{waiting} callers are waiting already; try again in {retry_after} s.")
        self.waiting = waiting
        self.retry_after = retry_after


class CoalescerClosed(Exception):
    """The coalescer is shutting down; a call that was not in flight yet did nothing."""


class WrongResultCount(Exception):
    """The batch function broke its promise of one answer per item."""

    def __init__(self, *, items: int, answers: int) -> None:
        super().__init__(f"the batch function gave {answers} answers for {items} items")


def concerns_one_item(error: Exception) -> bool:
    """Whether a smaller batch could succeed; a lost connection or a timeout concerns them all."""
    return not isinstance(error, (OSError, WrongResultCount))


class Coalescer(Generic[Item, Answer]):
    """Turns concurrent calls of `submit` into calls of one batch function.

    `run` receives between one and `max_batch` items in the order of arrival, and returns as many
    answers by position; an `Exception` instance among them is raised to that caller alone. When
    `run` raises, it must have changed nothing: the batch is then halved and run again until the
    poisoned item stands alone. `bisects` tells errors worth that search from those that every
    smaller batch would meet too, such as a lost connection; the latter go to all callers at once.

    At most `max_waiting` callers wait outside a batch, and `batches_in_flight` batches run at a
    time. Batches run in the context of whoever built the coalescer, not in that of any caller.
    One coalescer belongs to one event loop.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Item]], Awaitable[Sequence[Answer | Exception]]],
        *,
        max_batch: int = DEFAULT_MAX_BATCH,
        max_waiting: int = DEFAULT_MAX_WAITING,
        batches_in_flight: int = 1,
        bisects: Callable[[Exception], bool] = concerns_one_item,
    ) -> None:
        if min(max_batch, max_waiting, batches_in_flight) < 1:
            raise ValueError("max_batch, max_waiting and batches_in_flight must be at least 1")
        self._run = run
        self._max_batch = max_batch
        self._max_waiting = max_waiting
        self._batches_in_flight = batches_in_flight
        self._bisects = bisects
        self._context = contextvars.copy_context()
        self._waiting: OrderedDict[asyncio.Future[Answer], Item] = OrderedDict()
        self._running: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many callers wait for a batch to take them."""
        return len(self._waiting)

    async def submit(self, item: Item) -> Answer:
        """Run `item` with the next batch and return its answer.

        A caller that is cancelled before a batch took its item withdraws it; later, the item
        runs all the same and its answer is dropped.

        Raises `QueueFull`, `CoalescerClosed`, or the item's own error.
        """
        if self._closed:
            raise CoalescerClosed("the service is shutting down")
        if len(self._waiting) >= self._max_waiting:
            raise QueueFull(len(self._waiting))
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[answer] = item
        self._start_batch()
        try:
            return await answer
        finally:
            self._waiting.pop(answer, None)

    async def aclose(self, *, grace: float = 10.0) -> None:
        """Refuse new callers, answer those already accepted, and stop.

        After `grace` seconds what still runs is cancelled, and its callers get
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
        for flight in self._running:
            flight.cancel()
        if self._running:
            await asyncio.wait(self._running)

    def _start_batch(self) -> None:
        # The batch is taken at the task's first step, not here: all callers that arrive in one
        # turn of the loop share it. A task that finds them gone already ends at once.
        if self._waiting and len(self._running) < self._batches_in_flight:
            flight = asyncio.get_running_loop().create_task(
                self._run_batch(), context=self._context.copy(), name="coalesce"
            )
            self._running.add(flight)
            flight.add_done_callback(self._finish_batch)

    def _finish_batch(self, flight: asyncio.Task[None]) -> None:
        self._running.discard(flight)
        self._start_batch()

    async def _run_batch(self) -> None:
        size = min(self._max_batch, len(self._waiting))
        if size == 0:
            return
        batch = [self._waiting.popitem(last=False) for _ in range(size)]
        try:
            await self._answer(batch)
        finally:
            # Only a cancellation or the end of the process leaves anyone unanswered here.
            left = [caller for caller, _ in batch]
            _fail(left, CoalescerClosed("the service stopped while this call was running"))

    async def _answer(self, batch: list[tuple[asyncio.Future[Answer], Item]]) -> None:
        callers = [caller for caller, _ in batch]
        try:
            answers = await self._run([item for _, item in batch])
            _require_one_answer_each(batch, answers)
        except Exception as error:  # noqa: BLE001 - whatever it is, the callers must hear of it
            if len(batch) == 1 or not self._bisects(error):
                _fail(callers, error)
                return
        else:
            for caller, answer in zip(callers, answers, strict=True):
                if isinstance(answer, Exception):
                    _fail([caller], answer)
                elif not caller.done():
                    caller.set_result(answer)
            return
        middle = len(batch) // 2
        await self._answer(batch[:middle])
        await self._answer(batch[middle:])


def _require_one_answer_each(items: Sequence[object], answers: Sequence[object]) -> None:
    if len(answers) != len(items):
        raise WrongResultCount(items=len(items), answers=len(answers))


def _fail(callers: Sequence[asyncio.Future[Answer]], error: Exception) -> None:
    if isinstance(error, StopIteration):  # the one exception that a future refuses to carry
        error = RuntimeError(f"the batch function answered with {error!r}")
    for caller in callers:
        if not caller.done():
            caller.set_exception(error)
            caller.exception()  # mark as seen: a caller cancelled in this very turn never looks
