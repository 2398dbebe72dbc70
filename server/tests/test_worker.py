"""Background work begins after the start of the application and is over before its end."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from patience import PATIENCE_S
from testkit import FakeClock

from licet_server.kit.jobs import Job, run_jobs
from licet_server.kit.metrics import Metrics
from licet_server.kit.platform import Platform
from licet_server.worker import with_jobs


async def test_jobs_run_while_the_application_does(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    ran = asyncio.Event()

    async def reap(platform: Platform) -> int:
        happened.append("job")
        ran.set()
        try:
            await asyncio.sleep(0.05)
        finally:
            happened.append("job over")
        return 0

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "lifespan.startup"
        happened.append("started")
        await send({"type": "lifespan.startup.complete"})
        assert (await receive())["type"] == "lifespan.shutdown"
        happened.append("closed")
        await send({"type": "lifespan.shutdown.complete"})

    messages: asyncio.Queue[Any] = asyncio.Queue()
    sent: list[str] = []

    async def send(message: Any) -> None:
        sent.append(message["type"])

    monkeypatch.setattr("licet_server.worker.JOBS", [Job("reap", reap)])
    running: asyncio.Task[None] = asyncio.create_task(
        with_jobs(app, platform)({"type": "lifespan"}, messages.get, send)  # type: ignore[arg-type]
    )
    await messages.put({"type": "lifespan.startup"})
    await asyncio.wait_for(ran.wait(), PATIENCE_S)
    await messages.put({"type": "lifespan.shutdown"})
    await asyncio.wait_for(running, PATIENCE_S)
    assert happened == ["started", "job", "job over", "closed"]
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


async def test_requests_go_straight_to_the_application(platform: Platform) -> None:
    called: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        called.append(scope["path"])

    run = with_jobs(app, platform)
    coroutine: Any = run({"type": "http", "path": "/x"}, None, None)  # type: ignore[arg-type]
    assert coroutine.cr_code is app.__code__, "nothing stands between"
    await coroutine
    assert called == ["/x"]


class Runs:
    """Runs jobs until enough has happened, and answers what was counted."""

    def __init__(self, platform: Platform) -> None:
        self.stop = asyncio.Event()
        self._platform = replace(platform, metrics=Metrics())

    async def all_of(self, *jobs: Job) -> None:
        async with asyncio.timeout(10):
            await run_jobs(self._platform, self.stop, jobs)

    def counted(self, name: str, /, **labels: str) -> float:
        return self._platform.metrics.registry.get_sample_value(name, labels) or 0.0


async def test_a_job_that_fails_is_tried_again_and_stops_no_other(platform: Platform) -> None:
    runs, worked = Runs(platform), 0

    async def fail(platform: Platform) -> int:
        raise OSError("the database is away")

    async def work(platform: Platform) -> int:
        nonlocal worked
        worked += 1
        failures = runs.counted("licet_job_runs_total", name="failing", outcome="failure")
        if worked >= 3 and failures >= 2:
            runs.stop.set()
        return 2

    await runs.all_of(Job("failing", fail, 0.01), Job("working", work, 0.01))
    assert runs.counted("licet_job_runs_total", name="working", outcome="success") == worked
    assert runs.counted("licet_job_items_total", name="working") == 2 * worked
    assert runs.counted("licet_job_seconds_count", name="failing") >= 2
    assert not runs.counted("licet_job_last_success_timestamp_seconds", name="failing")


async def test_a_slow_job_holds_up_no_other(platform: Platform) -> None:
    runs, done = Runs(platform), asyncio.Event()

    async def hang(platform: Platform) -> int:
        await done.wait()
        return 0

    async def work(platform: Platform) -> int:
        if runs.counted("licet_job_runs_total", name="quick", outcome="success") >= 5:
            runs.stop.set()
            done.set()
        return 1

    await runs.all_of(Job("slow", hang, 0.01), Job("quick", work, 0.01))


async def test_a_jump_of_the_clock_neither_hurries_nor_stops_a_job(
    platform: Platform, clock: FakeClock
) -> None:
    runs, count = Runs(platform), 0

    async def work(platform: Platform) -> int:
        nonlocal count
        count += 1
        clock.advance(days=400 if count % 2 else -800)
        if count == 6:
            runs.stop.set()
        return 1

    await runs.all_of(Job("travelling", work, 0.01))
    assert count == 6
