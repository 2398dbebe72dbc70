"""Calls by group: who shares a batch, what runs at a time, and what all groups share."""

import asyncio
import contextvars
from collections.abc import Sequence

import pytest

from licet_server.kit import coalesce_by
from licet_server.kit.coalesce import CoalescerClosed, QueueFull
from licet_server.kit.coalesce_by import CoalescerBy

Numbered = tuple[str, int]
whose = contextvars.ContextVar("whose", default="nobody's")


class Recorder:
    """A batch function that returns the numbers, and waits for `gate`."""

    def __init__(self) -> None:
        self.batches: list[list[Numbered]] = []
        self.running: list[str] = []
        self.most_running = 0
        self.gate = asyncio.Event()
        self.contexts: set[str] = set()

    async def __call__(self, items: Sequence[Numbered]) -> list[int | Exception]:
        self.contexts.add(whose.get())
        self.batches.append(list(items))
        self.running.append(items[0][0])
        self.most_running = max(self.most_running, len(self.running))
        try:
            await self.gate.wait()
            if items[0][0] == "broken":
                raise OSError("away")
            return [number for _, number in items]
        finally:
            self.running.remove(items[0][0])


def coalescer_of(run: Recorder, in_all: int = 8, **options: int) -> CoalescerBy[Numbered, int]:
    return CoalescerBy(lambda item: item[0], run, batches_in_all=in_all, **options)


async def turn() -> None:
    for _ in range(8):
        await asyncio.sleep(0)


async def test_calls_share_a_batch_with_their_group_only() -> None:
    run = Recorder()
    run.gate.set()
    coalescer = coalescer_of(run)
    items = [("ab"[number % 2], number) for number in range(6)]
    assert await asyncio.gather(*map(coalescer.submit, items)) == list(range(6))
    assert sorted(run.batches) == [
        [("a", 0), ("a", 2), ("a", 4)],
        [("b", 1), ("b", 3), ("b", 5)],
    ]


async def test_groups_run_side_by_side_and_each_in_turn() -> None:
    run = Recorder()
    coalescer = coalescer_of(run)
    first = [asyncio.create_task(coalescer.submit((group, 1))) for group in "ab"]
    await turn()
    later = [asyncio.create_task(coalescer.submit((group, 2))) for group in "aab"]
    await turn()
    assert sorted(run.running) == ["a", "b"]
    assert coalescer.waiting == 3
    run.gate.set()
    assert await asyncio.gather(*first, *later) == [1, 1, 2, 2, 2]
    assert run.batches[2:] == [[("a", 2), ("a", 2)], [("b", 2)]]


async def test_all_groups_together_have_a_limit() -> None:
    run = Recorder()
    coalescer = coalescer_of(run, in_all=2)
    calls = [asyncio.create_task(coalescer.submit((group, 1))) for group in "abcd"]
    await turn()
    assert len(run.running) == 2
    run.gate.set()
    await asyncio.gather(*calls)
    assert run.most_running == 2


async def test_a_group_that_fails_leaves_the_others_alone() -> None:
    run = Recorder()
    run.gate.set()
    coalescer = coalescer_of(run)
    broken, fine = await asyncio.gather(
        coalescer.submit(("broken", 1)), coalescer.submit(("fine", 2)), return_exceptions=True
    )
    assert isinstance(broken, OSError)
    assert fine == 2


async def test_the_queue_is_full_for_all_groups_together() -> None:
    run = Recorder()
    coalescer = coalescer_of(run, max_waiting=2)
    calls = [asyncio.create_task(coalescer.submit((group, 1))) for group in "ab"]
    await turn()
    calls += [asyncio.create_task(coalescer.submit((group, 2))) for group in "ab"]
    await turn()
    with pytest.raises(QueueFull):
        await coalescer.submit(("c", 3))
    run.gate.set()
    await asyncio.gather(*calls)


async def test_idle_groups_are_dropped_and_busy_ones_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coalesce_by, "KEPT_GROUPS", 3)
    gate, running, most = asyncio.Event(), 0, 0

    async def run(items: Sequence[Numbered]) -> list[int]:
        nonlocal running, most
        if items[0][0] == "busy":
            running += 1
            most = max(most, running)
            await gate.wait()
            running -= 1
        return [number for _, number in items]

    coalescer = CoalescerBy(lambda item: item[0], run, batches_in_all=8)
    busy = [asyncio.create_task(coalescer.submit(("busy", number))) for number in (1, 2)]
    await turn()
    for number in range(20):
        assert await coalescer.submit((f"group {number}", number)) == number
        await turn()
        assert len(coalescer._groups) <= 3
    busy.append(asyncio.create_task(coalescer.submit(("busy", 3))))
    await turn()
    gate.set()
    assert await asyncio.gather(*busy) == [1, 2, 3]
    assert most == 1


async def test_batches_do_not_run_in_the_context_of_a_caller() -> None:
    run = Recorder()
    run.gate.set()
    coalescer = coalescer_of(run)
    whose.set("the caller's")
    await coalescer.submit(("a", 1))
    assert run.contexts == {"nobody's"}


async def test_closing_completes_what_was_accepted_and_rejects_the_rest() -> None:
    run = Recorder()
    coalescer = coalescer_of(run)
    calls = [asyncio.create_task(coalescer.submit((group, 1))) for group in "ab"]
    await turn()
    closing = asyncio.create_task(coalescer.aclose())
    await turn()
    with pytest.raises(CoalescerClosed):
        await coalescer.submit(("a", 2))
    run.gate.set()
    await closing
    assert await asyncio.gather(*calls) == [1, 1]
