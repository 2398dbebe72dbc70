"""Whatever the arrivals, poisons and cancellations: one answer each, the right one, in bounds."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import is_long

from licet_server.kit.coalesce import Coalescer, QueueFull

Fate = Literal["fine", "refused", "poisoned", "cancelled"]


EXPECTED: dict[Fate, Callable[[int], set[str]]] = {
    "fine": lambda number: {f"answer {number}"},
    "refused": lambda number: {f"LookupError({number})"},
    "poisoned": lambda number: {f"ValueError({number})"},
    "cancelled": lambda number: {"cancelled", f"answer {number}"},
}


@dataclass(frozen=True)
class Caller:
    number: int
    fate: Fate
    arrives: int
    leaves: int


@st.composite
def crowds(draw: st.DrawFn) -> list[Caller]:
    choices: list[Fate] = ["fine", "fine", "refused", "poisoned", "cancelled"]
    fates = draw(st.lists(st.sampled_from(choices), max_size=40))
    turns = st.integers(0, 12)
    return [Caller(number, fate, draw(turns), draw(turns)) for number, fate in enumerate(fates)]


class Ledger:
    """A batch function that, like a transaction, does all of a batch or raises and does none."""

    def __init__(self, crowd: Sequence[Caller], turns: Sequence[int]) -> None:
        self.crowd = crowd
        self.turns = turns
        self.done: list[int] = []
        self.sizes: list[int] = []
        self.running = 0
        self.most_running = 0

    async def __call__(self, items: Sequence[int]) -> list[str | Exception]:
        self.sizes.append(len(items))
        self.running += 1
        self.most_running = max(self.running, self.most_running)
        for _ in range(self.turns[len(self.sizes) % len(self.turns)]):
            await asyncio.sleep(0)
        self.running -= 1
        for item in items:
            if self.crowd[item].fate == "poisoned":
                raise ValueError(item)
        self.done += items
        return [
            LookupError(item) if self.crowd[item].fate == "refused" else f"answer {item}"
            for item in items
        ]


@settings(max_examples=150 if is_long() else 40, deadline=None)
@given(
    crowd=crowds(),
    turns=st.lists(st.integers(0, 5), min_size=1, max_size=5),
    max_batch=st.integers(1, 12),
    max_waiting=st.integers(1, 30),
    in_flight=st.integers(1, 3),
)
def test_each_caller_gets_its_own_answer_or_its_own_error(
    crowd: list[Caller],
    turns: list[int],
    max_batch: int,
    max_waiting: int,
    in_flight: int,
) -> None:
    ledger = Ledger(crowd, turns)
    outcomes: dict[int, str] = {}

    async def call(coalescer: Coalescer[int, str], caller: Caller) -> None:
        for _ in range(caller.arrives):
            await asyncio.sleep(0)
        try:
            outcomes[caller.number] = await coalescer.submit(caller.number)
        except QueueFull:
            outcomes[caller.number] = "full"
        except (LookupError, ValueError) as error:
            outcomes[caller.number] = repr(error)
        except asyncio.CancelledError:
            outcomes[caller.number] = "cancelled"
            raise

    async def cancel(task: asyncio.Task[None], caller: Caller) -> None:
        for _ in range(caller.arrives + caller.leaves):
            await asyncio.sleep(0)
        task.cancel()

    async def play() -> None:
        async with (
            asyncio.timeout(5),
            Coalescer(
                ledger, max_batch=max_batch, max_waiting=max_waiting, batches_in_flight=in_flight
            ) as coalescer,
        ):
            calls = [asyncio.create_task(call(coalescer, caller)) for caller in crowd]
            leaving = [
                cancel(task, caller)
                for task, caller in zip(calls, crowd, strict=True)
                if caller.fate == "cancelled"
            ]
            await asyncio.gather(*leaving)
            await asyncio.gather(*calls, return_exceptions=True)
            assert coalescer.waiting == 0

    asyncio.run(play())

    assert all(1 <= size <= max_batch for size in ledger.sizes)
    assert ledger.most_running <= in_flight
    assert len(set(ledger.done)) == len(ledger.done), "an item ran to its end twice"
    for caller in crowd:
        # A caller that was cancelled before its first step has no outcome of its own.
        outcome = outcomes.get(caller.number, "cancelled")
        assert outcome in {"full", *EXPECTED[caller.fate](caller.number)}
        ran = caller.number in ledger.done
        assert ran or outcome != f"answer {caller.number}"
        assert not (ran and (outcome == "full" or caller.fate == "poisoned"))


@settings(max_examples=60 if is_long() else 20, deadline=None)
@given(size=st.integers(1, 256), poison=st.data())
def test_one_poisoned_item_costs_a_logarithm_of_the_batch(size: int, poison: st.DataObject) -> None:
    bad = poison.draw(st.integers(0, size - 1))
    batches = 0

    async def run(items: Sequence[int]) -> list[int | Exception]:
        nonlocal batches
        batches += 1
        if bad in items:
            raise ValueError(bad)
        return list(items)

    async def play() -> list[int | BaseException]:
        async with Coalescer(run) as coalescer:
            return await asyncio.gather(*map(coalescer.submit, range(size)), return_exceptions=True)

    answers = asyncio.run(play())
    assert repr(answers.pop(bad)) == f"ValueError({bad})"
    assert answers == [item for item in range(size) if item != bad]
    assert batches <= 1 + 2 * size.bit_length()
