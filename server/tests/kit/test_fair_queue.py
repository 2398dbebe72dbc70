"""Fair queues: a lane waits for itself, and keeps nobody else waiting."""

import asyncio
import secrets
from collections import Counter

import pytest

from licet_server.kit import fair_queue
from licet_server.kit.coalesce import QueueFull
from licet_server.kit.fair_queue import IN_PROGRESS, REMEMBERED_SECONDS, FairQueue

SHARE = IN_PROGRESS // 2


class Stopwatch:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def stopwatch() -> Stopwatch:
    return Stopwatch()


@pytest.fixture
def queue(stopwatch: Stopwatch) -> FairQueue:
    return FairQueue(elapsed=stopwatch)


async def turn() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def visit(queue: FairQueue, tenant: str) -> None:
    await queue.enter(tenant)
    queue.leave(tenant)


async def entering(queue: FairQueue, tenant: str, count: int) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(queue.enter(tenant)) for _ in range(count)]
    await turn()
    return tasks


def admitted(tasks: list[asyncio.Task[None]]) -> list[int]:
    return [place for place, task in enumerate(tasks) if task.done() and not task.cancelled()]


async def end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_tenant_alone_is_not_limited(queue: FairQueue) -> None:
    tasks = await entering(queue, "loud", 500)
    assert len(admitted(tasks)) == 500
    assert queue.waiting == 0


async def test_among_several_a_tenant_has_its_share_and_the_other_does_not_wait(
    queue: FairQueue,
) -> None:
    await visit(queue, "quiet")
    loud = await entering(queue, "loud", 500)
    assert admitted(loud) == list(range(SHARE))
    assert queue.waiting == 500 - SHARE
    async with asyncio.timeout(1):
        await visit(queue, "quiet")
    await end(loud)


async def test_a_lane_is_served_in_the_order_of_arrival(queue: FairQueue) -> None:
    await visit(queue, "quiet")
    loud = await entering(queue, "loud", SHARE + 3)
    for served in range(1, 4):
        queue.leave("loud")
        await turn()
        assert admitted(loud) == list(range(SHARE + served))


async def test_canceled_request_leaves_the_queue(queue: FairQueue) -> None:
    await visit(queue, "quiet")
    loud = await entering(queue, "loud", SHARE + 2)
    loud[SHARE].cancel()
    await turn()
    queue.leave("loud")
    await turn()
    assert loud[SHARE + 1] in [loud[place] for place in admitted(loud)]


async def test_request_canceled_at_its_admission_admits_the_next(
    queue: FairQueue,
) -> None:
    await visit(queue, "quiet")
    loud = await entering(queue, "loud", SHARE + 2)
    queue.leave("loud")
    loud[SHARE].cancel()
    await turn()
    assert loud[SHARE].cancelled()
    assert admitted(loud)[-1] == SHARE + 1


async def test_more_tenants_have_smaller_shares(queue: FairQueue) -> None:
    lanes = [await entering(queue, f"tenant {n}", 64) for n in range(64)]
    last = admitted(lanes[-1])
    assert len(last) == fair_queue.SMALLEST_SHARE
    for lane in lanes:
        await end(lane)


async def test_tenant_is_not_limited_after_others_have_left(
    queue: FairQueue, stopwatch: Stopwatch
) -> None:
    await visit(queue, "quiet")
    loud = await entering(queue, "loud", 500)
    stopwatch.seconds += REMEMBERED_SECONDS
    queue.leave("loud")
    await turn()
    assert len(admitted(loud)) == 500


async def test_a_full_lane_refuses_and_others_do_not(
    queue: FairQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_queue, "MAX_WAITING", 10)
    await visit(queue, "quiet")
    loud = await entering(queue, "loud", SHARE + 10)
    with pytest.raises(QueueFull):
        await queue.enter("loud")
    await visit(queue, "quiet")
    await end(loud)


async def test_all_requests_are_served_and_the_queue_is_empty(queue: FairQueue) -> None:
    draw = secrets.SystemRandom()
    served: Counter[str] = Counter()

    async def request(tenant: str) -> None:
        await queue.enter(tenant)
        try:
            for _ in range(draw.randrange(3)):
                await asyncio.sleep(0)
            served[tenant] += 1
        finally:
            queue.leave(tenant)

    tasks = [asyncio.create_task(request(draw.choice("abc"))) for _ in range(2000)]
    for _ in range(20):
        await asyncio.sleep(0)
        draw.choice(tasks).cancel()
    async with asyncio.timeout(10):
        results = await asyncio.gather(*tasks, return_exceptions=True)
    given_up = sum(isinstance(result, asyncio.CancelledError) for result in results)
    assert served.total() == 2000 - given_up
    assert queue.waiting == 0
    assert queue._lanes == {}


async def test_expensive_request_counts_as_several(queue: FairQueue) -> None:
    await visit(queue, "another")
    long = [asyncio.create_task(queue.enter("flood", SHARE // 2)) for _ in range(4)]
    await turn()
    assert admitted(long) == [0, 1]
    short = await entering(queue, "flood", 2)
    queue.leave("flood", SHARE // 2)
    await turn()
    assert admitted(long) == [0, 1, 2]
    assert admitted(short) == []
    await end([long[3]])
    queue.leave("flood", SHARE // 2)
    await turn()
    assert admitted(short) == [0, 1]
    queue.leave("flood", SHARE // 2)
    for _ in range(2):
        queue.leave("flood")
    assert queue.waiting == 0
