"""What a process uses: memory, files, connections, time. Sampled by a job, so no request pays."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from licet_server.kit.metrics import QueueMetrics
from licet_server.kit.platform import Platform

if sys.platform != "win32":
    import resource

_LAGS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SAMPLE_SECONDS = 1.0
"""The pause between two samples."""

_OF_KERNEL = Path("/proc/self")


class ProcessMetrics:
    """The figures of one process; with several, each has its own, by its number."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def gauge(name: str, text: str, *labels: str) -> Gauge:
            names = ["process", *labels]
            return Gauge(name, text, names, multiprocess_mode="livemax", registry=registry)

        self._memory = gauge("licet_process_resident_bytes", "Resident memory.")
        self._files = gauge("licet_process_open_files", "Open files, sockets included.")
        self._files_limit = gauge("licet_process_open_files_limit", "Files that may be open.")
        self._started = gauge(
            "licet_process_start_timestamp_seconds", "When the process started to sample itself."
        )
        self._connections = gauge("licet_http_connections", "Open connections of clients.")
        self._connections_limit = gauge(
            "licet_http_connections_limit", "Connections of clients that may be open."
        )
        self._pool_connections = gauge(
            "licet_pool_connections", "Open connections to the database.", "pool", "state"
        )
        self._pool_size = gauge("licet_pool_size", "Connections that a pool may open.", "pool")
        self._pool_waiting = gauge(
            "licet_pool_waiting", "Callers that wait for a connection of a pool.", "pool"
        )
        self._pool_timeouts = Counter(
            "licet_pool_timeouts_total",
            "Callers that got no connection in time.",
            ["pool"],
            registry=registry,
        )
        self._cpu = Counter(
            "licet_process_cpu_seconds_total",
            "Processor time.",
            ["process"],
            registry=registry,
        )
        self._lag = Histogram(
            "licet_event_loop_lag_seconds",
            "How late the event loop woke a task that slept.",
            buckets=_LAGS,
            registry=registry,
        )
        self._cpu_counted = 0.0
        self._timeouts_counted: dict[str, int] = {}
        self._is_started = False
        self._wakes_at: float | None = None
        self.connections_limit: int | None = None
        self.count_connections: Callable[[], int] = lambda: 0
        """Returns the number of open connections of clients."""

    def sample(self, platform: Platform) -> None:
        """Set every figure."""
        process = platform.metrics.process
        if not self._is_started:
            self._is_started = True
            self._started.labels(process).set(platform.clock().timestamp())
        used = time.process_time()
        self._cpu.labels(process).inc(used - self._cpu_counted)
        self._cpu_counted = used
        self._connections.labels(process).set(self.count_connections())
        if self.connections_limit is not None:
            self._connections_limit.labels(process).set(self.connections_limit)
        self._sample_files(process)
        self._sample_pools(process, platform)

    def wake(self) -> None:
        """Observe how late the pause has ended."""
        if self._wakes_at is not None:
            self._lag.observe(max(time.monotonic() - self._wakes_at, 0.0))

    def pause(self) -> None:
        """Note when the pause that begins should end."""
        self._wakes_at = time.monotonic() + SAMPLE_SECONDS

    def _sample_files(self, process: str) -> None:
        with suppress(OSError):  # only Linux has this
            pages = int((_OF_KERNEL / "statm").read_text().split()[1])
            self._memory.labels(process).set(pages * resource.getpagesize())
            self._files.labels(process).set(sum(1 for _ in (_OF_KERNEL / "fd").iterdir()))
            limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
            self._files_limit.labels(process).set(limit)

    def _sample_pools(self, process: str, platform: Platform) -> None:
        for name, pool in platform.database.pools().items():
            self._pool_size.labels(process, name).set(pool.size)
            self._pool_connections.labels(process, name, "in_use").set(pool.in_use)
            self._pool_connections.labels(process, name, "idle").set(pool.idle)
            self._pool_waiting.labels(process, name).set(pool.waiting)
            counted = self._timeouts_counted.get(name, 0)
            self._pool_timeouts.labels(name).inc(pool.timeouts - counted)
            self._timeouts_counted[name] = pool.timeouts


async def sample_process(platform: Platform) -> int:
    """Sample this process: what it uses, and how long its queues are. Returns 0."""
    metrics = platform.metrics.of(ProcessMetrics)
    metrics.wake()
    metrics.sample(platform)
    platform.metrics.of(QueueMetrics).sample(platform.metrics.process)
    metrics.pause()
    return 0
