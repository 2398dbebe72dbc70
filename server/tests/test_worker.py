"""Background work begins after the start of the application and is over before its end."""

import asyncio
from typing import Any

import pytest

from licet_server.kit.work import Platform
from licet_server.worker import run_jobs, with_jobs


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

    monkeypatch.setattr("licet_server.worker.JOBS", {"reap": reap})
    running = asyncio.create_task(
        with_jobs(app, platform)({"type": "lifespan"}, messages.get, send)  # type: ignore[arg-type]
    )
    await messages.put({"type": "lifespan.startup"})
    await asyncio.wait_for(ran.wait(), 10)
    await messages.put({"type": "lifespan.shutdown"})
    await asyncio.wait_for(running, 10)
    assert happened == ["started", "job", "job over", "closed"]
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


async def test_requests_pass_through(platform: Platform) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send(scope["path"])

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await with_jobs(app, platform)({"type": "http", "path": "/x"}, None, send)  # type: ignore[arg-type]
    assert sent == ["/x"]


async def test_a_job_that_fails_stops_no_other(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    stop = asyncio.Event()

    async def fail(platform: Platform) -> int:
        calls.append("failed")
        raise OSError("the database is away")

    async def work(platform: Platform) -> int:
        calls.append("worked")
        if len(calls) == 4:
            stop.set()
        return 1

    monkeypatch.setattr("licet_server.worker.JOBS", {"failing": fail, "working": work})
    async with asyncio.timeout(10):
        await run_jobs(platform, stop, every_seconds=0.01)
    assert calls == ["failed", "worked"] * 2
