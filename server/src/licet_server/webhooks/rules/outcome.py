"""When a delivery is tried again, when it is given up, and when a webhook is turned off."""

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.webhooks.rules.model import Answer, Delivery, DisabledReason, Status, Webhook

PAUSES = (
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
"""Between one failed attempt and the next; after the last of them a delivery is given up."""

ATTEMPTS = len(PAUSES) + 1
GIVEN_UP_ON_AFTER = timedelta(days=5)
"""How long a webhook may have nothing but failures."""

_JITTER = 0.1
_GONE = "The webhook was disabled, since its receiver answered 410 Gone."
_FAILING = "The webhook was disabled, since it had nothing but failures for 5 days."
STOPPED = {DisabledReason.GONE: _GONE, DisabledReason.FAILING: _FAILING}
TURNED_OFF = "The webhook was disabled."


def pause_after(attempts: int, delivery_id: UUID) -> timedelta | None:
    """How long to wait after that many failed attempts, or `None` to give up.

    Up to a tenth longer than the schedule says, so that deliveries that failed together do not
    come back together; the same for the same delivery each time it is asked.
    """
    if attempts >= ATTEMPTS:
        return None
    drawn = hashlib.sha256(delivery_id.bytes + attempts.to_bytes(2)).digest()
    share = int.from_bytes(drawn[:4]) / 2**32
    return PAUSES[attempts - 1] * (1 + _JITTER * share)


def after_attempt(delivery: Delivery, answer: Answer, now: datetime) -> Delivery:
    """The delivery with one more attempt, which ended now."""
    attempts = delivery.attempts + 1
    told = replace(
        delivery,
        attempts=attempts,
        response_status=answer.status,
        response_body=answer.body,
        error=answer.error,
        duration_ms=answer.duration_ms,
    )
    if answer.is_success:
        return replace(told, status=Status.DELIVERED, due_at=None, delivered_at=now)
    pause = None if answer.is_gone else pause_after(attempts, delivery.id)
    if pause is None:
        return replace(told, status=Status.FAILED, due_at=None)
    return replace(told, due_at=now + pause)


def after_answer(webhook: Webhook, answer: Answer, now: datetime) -> Webhook:
    """The webhook with what its receiver answered now; one that is off stays as it was."""
    if not webhook.is_enabled:
        return webhook
    if answer.is_success:
        status, failing_since = Status.DELIVERED, None
    else:
        status, failing_since = Status.FAILED, webhook.failing_since or now
    told = replace(webhook, failing_since=failing_since, last_attempt_at=now, last_status=status)
    if answer.is_gone:
        return _disabled(told, DisabledReason.GONE, now)
    if failing_since is not None and now - failing_since >= GIVEN_UP_ON_AFTER:
        return _disabled(told, DisabledReason.FAILING, now)
    return told


def _disabled(webhook: Webhook, reason: DisabledReason, now: datetime) -> Webhook:
    return replace(webhook, is_enabled=False, disabled_reason=reason, disabled_at=now)


def turned(webhook: Webhook, on: bool, now: datetime) -> Webhook:
    """The webhook as somebody turned it on, with a clean slate, or off."""
    if on:
        return replace(
            webhook, is_enabled=True, disabled_reason=None, disabled_at=None, failing_since=None
        )
    if not webhook.is_enabled:
        return webhook
    return replace(webhook, is_enabled=False, disabled_reason=None, disabled_at=now)
