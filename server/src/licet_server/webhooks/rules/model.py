"""Webhooks, deliveries, attempts and responses."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from licet_server.events.rules.kinds import EventKind


class WebhookDeliveryStatus(StrEnum):
    """The status of a delivery."""

    PENDING = "Pending"
    DELIVERED = "Delivered"
    FAILED = "Failed"


class DisabledReason(StrEnum):
    """Why the service disabled a webhook."""

    GONE = "Gone"
    FAILING = "Failing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A URL, and the event types that it subscribes to.

    `failing_since` is the time of the first failed attempt since the last successful one.
    """

    institution_id: UUID
    id: UUID
    url: str
    event_types: tuple[str, ...]
    description: str | None = None
    is_enabled: bool = True
    disabled_reason: DisabledReason | None = None
    disabled_at: datetime | None = None
    failing_since: datetime | None = None
    last_attempt_at: datetime | None = None
    last_status: WebhookDeliveryStatus | None = None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery:
    """The delivery of an event to a webhook.

    `due_at` is the time of the next attempt or, during an attempt, the time at which the attempt
    counts as lost; `None` once the delivery is settled. The fields after `delivered_at` are of the
    last attempt.
    """

    institution_id: UUID
    id: UUID
    webhook_id: UUID
    event_id: UUID
    event_type: EventKind
    status: WebhookDeliveryStatus = WebhookDeliveryStatus.PENDING
    attempts: int = 0
    due_at: datetime | None
    created_at: datetime
    delivered_at: datetime | None = None
    response_status: int | None = None
    response_body: str | None = None
    error: str | None = None
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookResponse:
    """The result of an attempt: an HTTP status with the start of the body, or an error."""

    status: int | None
    body: str | None
    error: str | None
    duration_ms: int

    @property
    def is_success(self) -> bool:
        """Whether the receiver accepted the event."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether the receiver wants no further events."""
        return self.status == 410


@dataclass(frozen=True, slots=True)
class WebhookAttempt:
    """A finished attempt."""

    delivery: WebhookDelivery
    response: WebhookResponse
    ended_at: datetime
