"""Background jobs, each in its own loop, so that a slow job does not delay the others.

Several processes may run the same jobs at once; each job avoids conflicts by claiming rows. Pauses
use the monotonic clock, so a jump of the wall clock neither speeds up nor stops a job.
"""

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from licet_server.kit.outages import sqlstate_of
from licet_server.kit.platform import Platform

_BUCKETS = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0, 300.0)

_log = structlog.get_logger("licet.worker")


@dataclass(frozen=True, slots=True)
class Job:
    """A periodic task; `run` returns the number of items it processed."""

    name: str
    run: Callable[[Platform], Awaitable[int]]
    every_seconds: float = 15.0


class JobMetrics:
    """Counts runs, items and run times by job."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._runs = Counter(
            "licet_job_runs_total", "Runs of a job.", ["name", "outcome"], registry=registry
        )
        self._items = Counter(
            "licet_job_items_total", "Items that a job processed.", ["name"], registry=registry
        )
        self._seconds = Histogram(
            "licet_job_seconds", "Duration of a run.", ["name"], buckets=_BUCKETS, registry=registry
        )
        self._last = Gauge(
            "licet_job_last_success_timestamp_seconds",
            "When a run last succeeded.",
            ["name"],
            multiprocess_mode="max",
            registry=registry,
        )

        self._interval = Gauge(
            "licet_job_interval_seconds",
            "The pause between two runs.",
            ["name"],
            multiprocess_mode="max",
            registry=registry,
        )

    def scheduled(self, job: Job) -> None:
        """Set how often a job runs."""
        self._interval.labels(job.name).set(job.every_seconds)
        for outcome in ("success", "failure"):
            self._runs.labels(job.name, outcome)

    def succeeded(self, job: str, items: int, seconds: float, now: float) -> None:
        """Count a successful run."""
        self._runs.labels(job, "success").inc()
        self._items.labels(job).inc(items)
        self._seconds.labels(job).observe(seconds)
        self._last.labels(job).set(now)

    def failed(self, job: str, seconds: float) -> None:
        """Count a run that raised."""
        self._runs.labels(job, "failure").inc()
        self._seconds.labels(job).observe(seconds)


async def run_jobs(platform: Platform, stop: asyncio.Event, jobs: Sequence[Job]) -> None:
    """Run all jobs periodically until `stop` is set; a failed job is retried at its next run."""
    metrics = platform.metrics.of(JobMetrics)
    async with asyncio.TaskGroup() as group:
        for job in jobs:
            metrics.scheduled(job)
            group.create_task(_repeat(platform, stop, job, metrics), name=f"job {job.name}")


async def _repeat(platform: Platform, stop: asyncio.Event, job: Job, metrics: JobMetrics) -> None:
    while not stop.is_set():
        await _run_once(platform, job, metrics)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), job.every_seconds)


async def _run_once(platform: Platform, job: Job, metrics: JobMetrics) -> None:
    started = time.perf_counter()
    try:
        done = await job.run(platform)
    except Exception as error:  # noqa: BLE001 - whatever it is, the next run may succeed
        # The message may contain data of a statement; the traceback is enough.
        place = "".join(traceback.format_tb(error.__traceback__)[-4:])
        state = sqlstate_of(error)
        _log.error(
            "job_failed", job=job.name, error=type(error).__name__, sqlstate=state, place=place
        )
        metrics.failed(job.name, time.perf_counter() - started)
        return
    seconds = time.perf_counter() - started
    metrics.succeeded(job.name, done, seconds, platform.clock().timestamp())
    if done:
        _log.debug("job_done", job=job.name, count=done)
