"""What is counted of deliveries."""

from datetime import timedelta

from prometheus_client import CollectorRegistry, Counter, Histogram

from licet_server.webhooks.rules.model import Delivery, Status

_DELAYS = (0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0)
_SECONDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 15.0)
_OUTCOMES = {Status.DELIVERED: "delivered", Status.PENDING: "postponed", Status.FAILED: "failed"}


class WebhookMetrics:
    """Counts attempts by what came of them, how late they began, and how long they took."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._attempts = Counter(
            "licet_webhook_attempts_total",
            "Attempts to deliver an event.",
            ["outcome"],
            registry=registry,
        )
        self._delay = Histogram(
            "licet_webhook_delay_seconds",
            "How long after it was due an attempt began.",
            buckets=_DELAYS,
            registry=registry,
        )
        self._seconds = Histogram(
            "licet_webhook_attempt_seconds",
            "Time of an attempt.",
            buckets=_SECONDS,
            registry=registry,
        )

    def began(self, delay: timedelta) -> None:
        """Count the start of an attempt."""
        self._delay.observe(max(delay.total_seconds(), 0.0))

    def ended(self, delivery: Delivery) -> None:
        """Count an attempt that is over, by the delivery as it is then."""
        self._attempts.labels(_OUTCOMES[delivery.status]).inc()
        self._seconds.observe((delivery.duration_ms or 0) / 1000)
