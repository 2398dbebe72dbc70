"""The metrics of a process, each registered once: of its queues, and of HTTP requests."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    values,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from licet_server.kit.errors import ErrorCode

MULTIPROCESS_DIR = "PROMETHEUS_MULTIPROC_DIR"
PROCESS_NUMBER = "LICET_PROCESS_NUMBER"
"""Set by the parent: from 1 on, and the same for a process that replaces one that has ended."""

Group = TypeVar("Group")


class Metrics:
    """A registry, and the groups of metrics in it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.process = os.environ.get(PROCESS_NUMBER, "1")
        self._groups: dict[Callable[[CollectorRegistry], Any], Any] = {}

    def of(self, create: Callable[[CollectorRegistry], Group]) -> Group:
        """Return the group of `create`, called once per registry: metric names must be unique."""
        if create not in self._groups:
            self._groups[create] = create(self.registry)
        group: Group = self._groups[create]
        return group

    def render(self) -> bytes:
        """Return the metrics in text format, over all processes if there are several."""
        if MULTIPROCESS_DIR not in os.environ:
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def share_counts() -> None:
    """Count for all processes from now on, in the folder that the environment names.

    The library looks for the folder when it is imported, which may be before the folder exists.
    """
    values.ValueClass = values.get_value_class()  # type: ignore[no-untyped-call]


def forget_process(pid: int | None) -> None:
    """Drop the gauges of a process that has ended; what it counted stays."""
    if MULTIPROCESS_DIR in os.environ and pid is not None:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]


_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_WAITS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class QueueMetrics:
    """Counts batches and refusals by queue, and knows the length of each queue."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._waiting = Gauge(
            "licet_queue_waiting",
            "Calls that are not yet in a batch.",
            ["process", "queue"],
            multiprocess_mode="livemax",
            registry=registry,
        )
        self._waits = Histogram(
            "licet_queue_wait_seconds",
            "How long the first call of a batch waited for its start.",
            ["queue"],
            buckets=_WAITS,
            registry=registry,
        )
        self._sizes = Histogram(
            "licet_queue_batch_size",
            "Calls in a batch.",
            ["queue"],
            buckets=_SIZES,
            registry=registry,
        )
        self._refused = Counter(
            "licet_queue_refused_total",
            "Calls that were refused because the queue was full.",
            ["queue"],
            registry=registry,
        )
        self._lengths: dict[str, Callable[[], int]] = {}

    def observe(self, queue: str, length: Callable[[], int]) -> "ObservedQueue":
        """Return what counts the batches of a queue."""
        self._lengths[queue] = length
        return ObservedQueue(
            self._waits.labels(queue), self._sizes.labels(queue), self._refused.labels(queue)
        )

    def sample(self, process: str) -> None:
        """Set the lengths of the queues."""
        for queue, length in self._lengths.items():
            self._waiting.labels(process, queue).set(length())


class ObservedQueue:
    """Counts the batches of a queue."""

    arrive = staticmethod(monotonic)

    def __init__(self, waits: Histogram, sizes: Histogram, refused: Counter) -> None:
        self._waits = waits
        self._sizes = sizes
        self.refuse = refused.inc

    @contextmanager
    def batch(self, arrivals: Sequence[float]) -> Iterator[None]:
        """Count a batch of the calls that arrived at these times, the oldest first."""
        self._waits.observe(monotonic() - arrivals[0])
        self._sizes.observe(len(arrivals))
        yield


_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class HttpMetrics:
    """Counts and times requests by route; the route is the template, never the actual path."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(
            "licet_http_requests_total",
            "Completed requests.",
            ["method", "route", "status"],
            registry=registry,
        )
        self._seconds = Histogram(
            "licet_http_request_seconds",
            "Time from the first byte read to the last byte sent.",
            ["route"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._problems = Counter(
            "licet_problems_total", "Refused requests.", ["code"], registry=registry
        )
        for code in ErrorCode:
            self._problems.labels(code)
        self._counters: dict[tuple[str, str, int], Callable[[], None]] = {}
        self._timers: dict[str, Callable[[float], None]] = {}

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one completed request."""
        key = (method, route, status)
        count = self._counters.get(key)
        if count is None:
            count = self._counters[key] = self._requests.labels(method, route, str(status)).inc
        time = self._timers.get(route)
        if time is None:
            time = self._timers[route] = self._seconds.labels(route).observe
        count()
        time(seconds)

    def count_problem(self, code: ErrorCode) -> None:
        """Count a request that was refused."""
        self._problems.labels(code).inc()
