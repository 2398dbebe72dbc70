"""Webhooks, deliveries, and what an attempt to deliver has come to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Status(StrEnum):
    """How far a delivery is."""

    PENDING = "Pending"
    DELIVERED = "Delivered"
    FAILED = "Failed"


class DisabledReason(StrEnum):
    """Why the service itself turned a webhook off."""

    GONE = "Gone"
    FAILING = "Failing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """An address, and the kinds of events that it is sent.

    `failing_since` is the first failed attempt since the last one that succeeded.
    """

    institution_id: UUID
    id: UUID
    url: str
    event_types: Sequence[str]
    description: str | None
    is_enabled: bool
    disabled_reason: DisabledReason | None
    disabled_at: datetime | None
    failing_since: datetime | None
    last_attempt_at: datetime | None
    last_status: Status | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """An event on its way to a webhook.

    `due_at` is the time of the next attempt, or, while one is under way, the time at which it
    counts as lost; `None` once the delivery is settled. The other results are of the last attempt.
    """

    institution_id: UUID
    id: UUID
    webhook_id: UUID
    event_id: UUID
    event_type: str
    status: Status
    attempts: int
    due_at: datetime | None
    created_at: datetime
    delivered_at: datetime | None
    response_status: int | None
    response_body: str | None
    error: str | None
    duration_ms: int | None


@dataclass(frozen=True, slots=True)
class Sent:
    """An event as it stands in the body: `data` is JSON text, in which amounts are exact."""

    kind: str
    occurred_at: datetime
    data: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What an attempt came to: an HTTP status with the start of its body, or why there is none."""

    status: int | None
    body: str | None
    error: str | None
    duration_ms: int

    @property
    def is_success(self) -> bool:
        """Whether the receiver has taken the event."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether the receiver wants no more, ever."""
        return self.status == 410
