"""The metrics of queues and pools."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeout

from licet_server.kit.coalesce import Coalescer, QueueFull
from licet_server.kit.connecting import figures_of
from licet_server.kit.database import KEYED_POOL_SIZE, RELAXED_POOL_SIZE, Database, create_engine
from licet_server.kit.metrics import Metrics, QueueMetrics
from licet_server.kit.platform import Platform
from licet_server.kit.process_metrics import sample_process


async def test_batches_waits_and_refusals_are_counted() -> None:
    metrics, gate = Metrics(), asyncio.Event()
    queues = metrics.of(QueueMetrics)

    def counted(name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(name, {"queue": "numbers", **labels})

    async def run(items: Sequence[int]) -> list[int]:
        await gate.wait()
        return list(items)

    async with Coalescer(run, max_waiting=3, name="numbers", observe=queues.observe) as numbers:
        first = asyncio.create_task(numbers.submit(0))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        others = [asyncio.create_task(numbers.submit(each)) for each in (1, 2, 3)]
        await asyncio.sleep(0)
        queues.sample("1")
        assert counted("licet_queue_waiting", process="1") == 3
        with pytest.raises(QueueFull):
            await numbers.submit(4)
        gate.set()
        assert await asyncio.gather(first, *others) == [0, 1, 2, 3]
        queues.sample("1")
    assert counted("licet_queue_waiting", process="1") == 0
    assert counted("licet_queue_refused_total") == 1
    assert counted("licet_queue_batch_size_count") == counted("licet_queue_wait_seconds_count") == 2
    assert counted("licet_queue_batch_size_sum") == 4
    assert (counted("licet_queue_wait_seconds_sum") or 0) > 0


async def test_a_pool_knows_who_waits_and_who_waited_in_vain(platform: Platform) -> None:
    url = platform.settings.database_url
    assert url is not None
    engine = create_engine(url, 1)
    try:
        engine.pool._timeout = 0.2  # instead of ten seconds
        async with engine.connect():
            waiting = asyncio.create_task(_connect(engine))
            for _ in range(10):
                await asyncio.sleep(0)
            figures = figures_of(engine)
            assert (figures.size, figures.in_use, figures.idle, figures.waiting) == (1, 1, 0, 1)
            with pytest.raises(PoolTimeout):
                await waiting
        figures = figures_of(engine)
        assert (figures.in_use, figures.idle, figures.waiting, figures.timeouts) == (0, 1, 0, 1)
    finally:
        await engine.dispose()


async def _connect(engine: object) -> None:
    async with engine.connect():
        pass


async def test_the_database_shows_its_three_pools(platform: Platform) -> None:
    database: Database = platform.database
    async with database.reading(), database.keyed():
        pools = database.pools()
    assert {name: pool.size for name, pool in pools.items()} == {
        "main": platform.settings.pool_size,
        "keyed": KEYED_POOL_SIZE,
        "relaxed": RELAXED_POOL_SIZE,
    }
    assert pools["main"].in_use >= 1
    assert pools["keyed"].in_use >= 1


async def test_a_pause_that_ends_late_is_seen_as_lag(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("licet_server.kit.process_metrics.time.monotonic", lambda: now)
    lone = replace(platform, metrics=Metrics())
    for seconds in (0.0, 1.0, 3.5):
        now += seconds
        await sample_process(lone)
    registry = lone.metrics.registry
    assert registry.get_sample_value("licet_event_loop_lag_seconds_count") == 2
    assert registry.get_sample_value("licet_event_loop_lag_seconds_sum") == 2.5
    memory = registry.get_sample_value("licet_process_resident_bytes", {"process": "1"})
    assert memory is not None
    assert memory > 10e6
