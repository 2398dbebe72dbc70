"""Prometheus metrics of HTTP requests."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Histogram

from licet_server.kit.errors import ErrorCode

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
