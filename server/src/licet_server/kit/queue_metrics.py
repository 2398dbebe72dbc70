"""The metrics of the queues in front of batches."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

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
