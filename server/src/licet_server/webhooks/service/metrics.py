"""Metrics of deliveries."""

from datetime import timedelta

from prometheus_client import CollectorRegistry, Counter, Histogram

from licet_server.webhooks.rules.model import WebhookDelivery, WebhookDeliveryStatus

_DELAYS = (0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0)
_SECONDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 15.0)
_OUTCOMES = {
    WebhookDeliveryStatus.DELIVERED: "delivered",
    WebhookDeliveryStatus.PENDING: "postponed",
    WebhookDeliveryStatus.FAILED: "failed",
}


class WebhookMetrics:
    """Counts attempts by outcome, how late they started, and how long they took."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._attempts = Counter(
            "licet_webhook_attempts_total",
            "Attempts to deliver an event.",
            ["outcome"],
            registry=registry,
        )
        for outcome in _OUTCOMES.values():
            self._attempts.labels(outcome)
        self._delay = Histogram(
            "licet_webhook_delay_seconds",
            "Time from when an attempt was due to its start.",
            buckets=_DELAYS,
            registry=registry,
        )
        self._seconds = Histogram(
            "licet_webhook_attempt_seconds",
            "Duration of an attempt.",
            buckets=_SECONDS,
            registry=registry,
        )

    def started(self, delay: timedelta) -> None:
        """Count the start of an attempt."""
        self._delay.observe(max(delay.total_seconds(), 0.0))

    def ended(self, delivery: WebhookDelivery) -> None:
        """Count the end of an attempt, by the delivery as it is after it."""
        self._attempts.labels(_OUTCOMES[delivery.status]).inc()
        self._seconds.observe((delivery.duration_ms or 0) / 1000)
