"""Retries and failures of deliveries, and the disabling of webhooks."""

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.webhooks.rules.model import (
    DisabledReason,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryStatus,
    WebhookResponse,
)

RETRY_DELAYS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""From each failed attempt to the next; after the last of them a delivery fails for good."""

MAX_ATTEMPTS = len(RETRY_DELAYS) + 1
MAX_FAILING = timedelta(days=5)
"""How long a webhook may only fail before it is disabled."""

_JITTER = 0.1
_GONE = "The webhook was disabled because the receiver responded with 410 Gone."
_FAILING = "The webhook was disabled because every attempt failed for 5 days."
DISABLED_BECAUSE = {DisabledReason.GONE: _GONE, DisabledReason.FAILING: _FAILING}
DISABLED = "The webhook was disabled."


def retry_delay(attempts: int, delivery_id: UUID) -> timedelta | None:
    """Return the delay after a number of failed attempts; `None` if there is no further attempt.

    The delay is up to a tenth longer than scheduled, so that deliveries that failed together are
    not retried together. It is always the same for the same delivery.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    digest = hashlib.sha256(delivery_id.bytes + attempts.to_bytes(2)).digest()
    share = int.from_bytes(digest[:4]) / 2**32
    return RETRY_DELAYS[attempts - 1] * (1 + _JITTER * share)


def after_attempt(
    delivery: WebhookDelivery, response: WebhookResponse, now: datetime
) -> WebhookDelivery:
    """Return the delivery after an attempt that ended now."""
    attempts = delivery.attempts + 1
    attempted = replace(
        delivery,
        attempts=attempts,
        response_status=response.status,
        response_body=response.body,
        error=response.error,
        duration_ms=response.duration_ms,
    )
    if response.is_success:
        return replace(
            attempted, status=WebhookDeliveryStatus.DELIVERED, due_at=None, delivered_at=now
        )
    delay = None if response.is_gone else retry_delay(attempts, delivery.id)
    if delay is None:
        return replace(attempted, status=WebhookDeliveryStatus.FAILED, due_at=None)
    return replace(attempted, due_at=now + delay)


def after_response(webhook: Webhook, response: WebhookResponse, now: datetime) -> Webhook:
    """Return the webhook after a response that came now; a disabled one does not change."""
    if not webhook.is_enabled:
        return webhook
    if response.is_success:
        status, failing_since = WebhookDeliveryStatus.DELIVERED, None
    else:
        status, failing_since = WebhookDeliveryStatus.FAILED, webhook.failing_since or now
    attempted = replace(
        webhook, failing_since=failing_since, last_attempt_at=now, last_status=status
    )
    if response.is_gone:
        return _disabled(attempted, DisabledReason.GONE, now)
    if failing_since is not None and now - failing_since >= MAX_FAILING:
        return _disabled(attempted, DisabledReason.FAILING, now)
    return attempted


def _disabled(webhook: Webhook, reason: DisabledReason, now: datetime) -> Webhook:
    return replace(webhook, is_enabled=False, disabled_reason=reason, disabled_at=now)


def enabled_or_disabled(webhook: Webhook, enabled: bool, now: datetime) -> Webhook:
    """Return the webhook as an operator enabled it, with its failures reset, or disabled it."""
    if enabled:
        return replace(
            webhook, is_enabled=True, disabled_reason=None, disabled_at=None, failing_since=None
        )
    if not webhook.is_enabled:
        return webhook
    return replace(webhook, is_enabled=False, disabled_reason=None, disabled_at=now)
