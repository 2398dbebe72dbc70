"""The promises of `licet_server.kit.coalesce`, each on its own."""

import asyncio
import contextvars
from collections.abc import Sequence

import pytest

from licet_server.kit.coalesce import (
    Coalescer,
    CoalescerClosed,
    QueueFull,
    WrongResultCount,
)


class Doubler:
    """A batch function that doubles numbers, one batch at a time when `gate` is closed."""

    def __init__(self, *, poison: frozenset[int] = frozenset()) -> None:
        self.batches: list[list[int]] = []
        self.running = 0
        self.most_running = 0
        self.poison = poison
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, items: Sequence[int]) -> list[int | Exception]:
        self.batches.append(list(items))
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await self.gate.wait()
            await asyncio.sleep(0)
            if bad := self.poison.intersection(items):
                raise ValueError(min(bad))
            return [item * 2 for item in items]
        finally:
            self.running -= 1


async def turn(times: int = 5) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


async def test_a_lone_caller_is_served_at_once() -> None:
    run = Doubler()
    async with Coalescer(run) as coalescer:
        async with asyncio.timeout(1):
            assert await coalescer.submit(21) == 42
    assert run.batches == [[21]]


async def test_callers_in_the_same_turn_share_a_batch() -> None:
    run = Doubler()
    async with Coalescer(run) as coalescer:
        assert await asyncio.gather(*map(coalescer.submit, range(10))) == list(range(0, 20, 2))
    assert run.batches == [list(range(10))]


async def test_callers_in_the_next_turn_join_the_batch() -> None:
    """What the sockets hold is read once between two turns, so most of it arrives in the second."""
    run = Doubler()
    async with Coalescer(run, batches_in_flight=2) as coalescer:
        first = asyncio.create_task(coalescer.submit(0))
        await turn(1)
        rest = [asyncio.create_task(coalescer.submit(n)) for n in (1, 2)]
        assert await asyncio.gather(first, *rest) == [0, 2, 4]
    assert run.batches == [[0, 1, 2]]


async def test_a_batch_whose_callers_have_all_gone_is_not_run() -> None:
    run = Doubler()
    async with Coalescer(run) as coalescer:
        call = asyncio.create_task(coalescer.submit(0))
        await turn(1)
        call.cancel()
        await turn()
        assert run.batches == []
        assert await coalescer.submit(1) == 2
    assert run.batches == [[1]]


async def test_callers_during_a_batch_form_the_next() -> None:
    run = Doubler()
    run.gate.clear()
    async with Coalescer(run) as coalescer:
        calls = [asyncio.create_task(coalescer.submit(0))]
        await turn()
        calls += [asyncio.create_task(coalescer.submit(n)) for n in (1, 2, 3)]
        await turn()
        assert (run.batches, coalescer.waiting) == ([[0]], 3)
        run.gate.set()
        assert await asyncio.gather(*calls) == [0, 2, 4, 6]
    assert run.batches == [[0], [1, 2, 3]]


async def test_a_batch_is_bounded() -> None:
    run = Doubler()
    async with Coalescer(run, max_batch=4) as coalescer:
        await asyncio.gather(*map(coalescer.submit, range(10)))
    assert [len(batch) for batch in run.batches] == [4, 4, 2]


async def test_beyond_the_queue_callers_are_refused_and_the_others_are_not() -> None:
    run = Doubler()
    run.gate.clear()
    async with Coalescer(run, max_waiting=2) as coalescer:
        calls = [asyncio.create_task(coalescer.submit(0))]
        await turn()
        calls += [asyncio.create_task(coalescer.submit(n)) for n in (1, 2)]
        await turn()
        async with asyncio.timeout(1):
            with pytest.raises(QueueFull) as refused:
                await coalescer.submit(3)
        assert (refused.value.waiting, refused.value.retry_after) == (2, 1)
        run.gate.set()
        assert await asyncio.gather(*calls) == [0, 2, 4]
        assert await coalescer.submit(4) == 8
    assert all(3 not in batch for batch in run.batches)


async def test_an_error_among_the_answers_goes_to_its_caller_alone() -> None:
    async def run(items: Sequence[int]) -> list[int | Exception]:
        return [LookupError(item) if item % 2 else item for item in items]

    async with Coalescer(run) as coalescer:
        answers = await asyncio.gather(*map(coalescer.submit, range(4)), return_exceptions=True)
    assert [repr(answer) for answer in answers] == ["0", "LookupError(1)", "2", "LookupError(3)"]


async def test_a_poisoned_item_fails_alone() -> None:
    run = Doubler(poison=frozenset({5}))
    async with Coalescer(run) as coalescer:
        answers = await asyncio.gather(*map(coalescer.submit, range(8)), return_exceptions=True)
    assert [answer for answer in answers if not isinstance(answer, ValueError)] == [
        0, 2, 4, 6, 8, 12, 14,
    ]  # fmt: skip
    assert repr(answers[5]) == "ValueError(5)"
    assert len(run.batches) == 7  # 8, then 4 and 4, then 2 and 2, then 1 and 1


async def test_a_lost_connection_is_not_met_again_for_each_item() -> None:
    calls = 0

    async def run(items: Sequence[int]) -> list[int | Exception]:
        nonlocal calls
        calls += 1
        raise ConnectionResetError("gone")

    async with Coalescer(run) as coalescer:
        answers = await asyncio.gather(*map(coalescer.submit, range(8)), return_exceptions=True)
    assert calls == 1
    assert {type(answer) for answer in answers} == {ConnectionResetError}


async def test_the_caller_may_say_which_errors_to_search_for() -> None:
    run = Doubler(poison=frozenset({1}))
    async with Coalescer(run, bisects=lambda error: False) as coalescer:
        answers = await asyncio.gather(*map(coalescer.submit, range(4)), return_exceptions=True)
    assert len(run.batches) == 1
    assert {type(answer) for answer in answers} == {ValueError}


@pytest.mark.parametrize("difference", [-1, 1])
async def test_a_wrong_number_of_answers_is_an_error_for_all(difference: int) -> None:
    calls = 0

    async def run(items: Sequence[int]) -> list[int | Exception]:
        nonlocal calls
        calls += 1
        return [0] * (len(items) + difference)

    async with Coalescer(run) as coalescer:
        answers = await asyncio.gather(*map(coalescer.submit, range(4)), return_exceptions=True)
    assert {type(answer) for answer in answers} == {WrongResultCount}
    assert calls == 1


async def test_cancelling_a_caller_in_flight_leaves_the_batch_whole() -> None:
    run = Doubler()
    run.gate.clear()
    async with Coalescer(run) as coalescer:
        calls = [asyncio.create_task(coalescer.submit(n)) for n in range(3)]
        await turn()
        calls[1].cancel()
        await turn()
        assert calls[1].cancelled()
        run.gate.set()
        assert (await calls[0], await calls[2]) == (0, 4)
        assert await coalescer.submit(9) == 18
    assert run.batches == [[0, 1, 2], [9]]


async def test_a_failing_batch_reaches_the_callers_that_are_still_there() -> None:
    run = Doubler(poison=frozenset({0}))
    run.gate.clear()
    async with Coalescer(run, bisects=lambda error: False) as coalescer:
        calls = [asyncio.create_task(coalescer.submit(n)) for n in range(3)]
        await turn()
        calls[1].cancel()
        await turn()
        run.gate.set()
        answers = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(answer) for answer in answers] == [
        ValueError,
        asyncio.CancelledError,
        ValueError,
    ]


async def test_cancelling_a_waiting_caller_withdraws_its_item_and_frees_its_place() -> None:
    run = Doubler()
    run.gate.clear()
    async with Coalescer(run, max_waiting=1) as coalescer:
        first = asyncio.create_task(coalescer.submit(0))
        await turn()
        waiting = asyncio.create_task(coalescer.submit(1))
        await turn()
        waiting.cancel()
        await turn()
        assert coalescer.waiting == 0
        other = asyncio.create_task(coalescer.submit(2))
        await turn()
        run.gate.set()
        assert (await first, await other) == (0, 4)
    assert run.batches == [[0], [2]]


@pytest.mark.parametrize("allowed", [1, 2, 3])
async def test_as_many_batches_in_flight_as_asked(allowed: int) -> None:
    run = Doubler()
    run.gate.clear()
    async with Coalescer(run, max_batch=2, batches_in_flight=allowed) as coalescer:
        calls = [asyncio.create_task(coalescer.submit(n)) for n in range(12)]
        await turn(10)
        assert run.running == allowed
        run.gate.set()
        assert await asyncio.gather(*calls) == list(range(0, 24, 2))
    assert run.most_running == allowed


async def test_a_second_batch_starts_while_the_first_runs() -> None:
    run = Doubler()
    run.gate.clear()
    async with Coalescer(run, batches_in_flight=2) as coalescer:
        calls = []
        for n in range(4):
            calls.append(asyncio.create_task(coalescer.submit(n)))
            await turn()
        assert run.batches == [[0], [1]]
        run.gate.set()
        await asyncio.gather(*calls)
    assert run.batches == [[0], [1], [2, 3]]


async def test_closing_answers_those_accepted_and_refuses_the_rest() -> None:
    run = Doubler()
    run.gate.clear()
    coalescer = Coalescer(run)
    calls = [asyncio.create_task(coalescer.submit(0))]
    await turn()
    calls.append(asyncio.create_task(coalescer.submit(1)))
    await turn()
    closing = asyncio.create_task(coalescer.aclose())
    await turn()
    with pytest.raises(CoalescerClosed):
        await coalescer.submit(2)
    assert not closing.done()
    run.gate.set()
    await closing
    assert await asyncio.gather(*calls) == [0, 2]
    await coalescer.aclose()


@pytest.mark.parametrize("cancelled", [False, True], ids=["grace over", "closing cancelled"])
async def test_closing_never_leaves_a_caller_hanging(cancelled: bool) -> None:
    run = Doubler()
    run.gate.clear()
    coalescer = Coalescer(run, max_batch=1)
    calls = [asyncio.create_task(coalescer.submit(n)) for n in range(2)]
    await turn()
    closing = asyncio.create_task(coalescer.aclose(grace=60 if cancelled else 0.01))
    await turn()
    if cancelled:
        closing.cancel()
    async with asyncio.timeout(1):
        answers = await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.wait([closing])
    assert [type(answer) for answer in answers] == [CoalescerClosed, CoalescerClosed]
    assert closing.cancelled() == cancelled
    assert run.running == 0


async def test_a_batch_that_cancels_itself_leaves_nobody_hanging() -> None:
    async def run(items: Sequence[int]) -> list[int | Exception]:
        if 0 in items:
            raise asyncio.CancelledError
        return [item * 2 for item in items]

    coalescer = Coalescer(run, max_batch=1)
    async with asyncio.timeout(1):
        answers = await asyncio.gather(*map(coalescer.submit, [0, 1]), return_exceptions=True)
    assert [repr(answer)[:15] for answer in answers] == ["CoalescerClosed", "2"]


async def test_an_error_that_a_future_refuses_reaches_its_caller() -> None:
    async def run(items: Sequence[int]) -> list[int | Exception]:
        return [StopIteration(item) for item in items]

    async with asyncio.timeout(1), Coalescer(run) as coalescer:
        with pytest.raises(RuntimeError, match=r"StopIteration\(7\)"):
            await coalescer.submit(7)


async def test_a_batch_runs_in_no_callers_context() -> None:
    request = contextvars.ContextVar("request", default="none")
    seen: list[str] = []

    async def run(items: Sequence[int]) -> list[int | Exception]:
        seen.append(request.get())
        return [0 for _ in items]

    request.set("builder")
    async with Coalescer(run) as coalescer:
        request.set("caller")
        await coalescer.submit(1)
    assert seen == ["builder"]


@pytest.mark.parametrize("setting", ["max_batch", "max_waiting", "batches_in_flight"])
def test_a_bound_of_zero_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match=setting):
        Coalescer(lambda items: asyncio.sleep(0, []), **{setting: 0})  # type: ignore[arg-type]
