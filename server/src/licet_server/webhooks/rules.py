"""Webhooks, deliveries, attempts and responses."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from standardwebhooks import Webhook as Signer

from licet_server import __version__
from licet_server.events.rules.kinds import DELIVERED, EventKind, OpenStrEnum
from licet_server.events.rules.model import RecordedEvent
from licet_server.kit.errors import FieldError
from licet_server.kit.outbound.targets import is_inner, split_url


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

    With `include_keys`, `license.created` is sent with the license key, which no event holds.
    `failing_since` is the time of the first failed attempt since the last successful one.
    """

    institution_id: UUID
    id: UUID
    url: str
    event_types: tuple[str, ...]
    description: str | None = None
    include_keys: bool = False
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


@dataclass(frozen=True, slots=True)
class DeliveryFilter:
    """What deliveries are listed: of one status, and with an event type or an event's ID.

    `event_ids` are the events that the search means, where it names neither.
    """

    status: WebhookDeliveryStatus | None
    search: str | None
    event_ids: tuple[UUID, ...] | None = None

    @property
    def event_id(self) -> UUID | None:
        """The ID that is searched for, if it is one."""
        try:
            return UUID(self.search or "")
        except ValueError:
            return None

    @property
    def subject(self) -> str | None:
        """The text that names what an event is about, if it is no ID and no type begins so."""
        text = self.search
        if text is None or self.event_id is not None:
            return None
        return None if any(kind.startswith(text) for kind in EventKind) else text


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


ALL = "*"

KNOWN = {*DELIVERED, EventKind.WEBHOOK_TEST}


def family_of(kind: str) -> str:
    """Return the pattern that covers all kinds of one family, such as `license.*`."""
    return f"{kind.partition('.')[0]}.*"


SUBSCRIBABLE = tuple(sorted({ALL, *map(family_of, KNOWN), *KNOWN}))
"""Everything that `eventTypes` may hold: kinds of events, families of kinds, and `*`."""

if TYPE_CHECKING:
    WebhookEventType = str
else:
    # An enum, so that the OpenAPI document has it; `kind_breaches` refuses what is not in it.
    WebhookEventType = OpenStrEnum(
        "WebhookEventType", [(name, name) for name in SUBSCRIBABLE], module=__name__
    )
    WebhookEventType.__doc__ = "A kind of event, a family of kinds such as `license.*`, or `*`."

_ALLOWED = f"Use {ALL}, a family such as license.*, or any of {', '.join(sorted(KNOWN))}."


def kind_breaches(event_types: Sequence[str]) -> Iterator[FieldError]:
    """Report the event types that are neither a kind of event nor a pattern."""
    for position, name in enumerate(event_types):
        if name not in SUBSCRIBABLE:
            yield FieldError(f"eventTypes[{position}]", f"is not an event type. {_ALLOWED}")


def subscribes(event_types: Sequence[str], kind: EventKind) -> bool:
    """Tell whether a webhook with these event types receives events of a kind.

    A test event is sent to the tested webhook only, whatever its event types.
    """
    if kind not in DELIVERED:
        return False
    return any(name in event_types for name in (ALL, family_of(kind), kind))


def url_breaches(url: str, *, allow_private: bool) -> Iterator[FieldError]:
    """Report why a webhook cannot be sent to a URL, as far as the URL itself shows."""
    message = _breach(url, allow_private)
    if message is not None:
        yield FieldError("url", message)


def _breach(url: str, allow_private: bool) -> str | None:
    parts = split_url(url)
    if parts is None:
        return "must be a URL such as https://example.com/webhooks, in ASCII."
    if parts.scheme != "https" and not (allow_private and parts.scheme == "http"):
        return "must begin with https://."
    if "@" in parts.netloc:
        return "must not contain a user name or password. The signature proves who sent the event."
    if "#" in url:
        return "must not contain a # part, which is never sent."
    if not allow_private and is_inner((parts.hostname or "").removesuffix(".")):
        return "must point to a public address."
    return None


def origin_of(url: str) -> str:
    """Return the scheme and host, without the rest, which may contain a secret of the receiver."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def body_of(event: RecordedEvent, license_key: str | None = None, *, test: bool = False) -> bytes:
    """Return `{type, timestamp, test, data}`, with the data as recorded.

    `test` is whether it concerns a Test product. The license key is added to the data if given.
    """
    data: object = msgspec.Raw(event.data_json.encode())
    if license_key is not None:
        data = {**_FIELDS.decode(event.data_json), "licenseKey": license_key}
    return msgspec.json.encode(
        {"type": event.kind, "timestamp": event.occurred_at, "test": test, "data": data}
    )


def headers_of(
    url: str, secrets: Sequence[str], event_id: UUID, body: bytes, now: datetime
) -> dict[str, str]:
    """Return the headers of an attempt that starts now, signed with each of the secrets."""
    signatures = [Signer(secret).sign(str(event_id), now, body.decode()) for secret in secrets]
    return {
        "host": urlsplit(url).netloc,
        "accept-encoding": "identity",
        "content-type": "application/json",
        "user-agent": f"Licet-Webhooks/{__version__}",
        "webhook-id": str(event_id),
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


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
