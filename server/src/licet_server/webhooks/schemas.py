"""Wire shapes of webhooks."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.text import Line
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of
from licet_server.webhooks.rules import (
    DisabledReason,
    Webhook,
    WebhookDeliveryStatus,
    WebhookEventType,
    body_of,
)
from licet_server.webhooks.service.deliveries import ShownDelivery
from licet_server.webhooks.service.webhooks import WebhookWithSecret

Url = Annotated[str, Meta(min_length=1, max_length=2_000)]
EventTypes = Annotated[list[WebhookEventType], Meta(min_length=1, max_length=100)]

View = TypeVar("View", bound=Struct)

_decoder = msgspec.json.Decoder(float_hook=Decimal)


class WebhookBody(Body):
    """A new webhook. Event types are kinds of events, families such as `license.*`, or `*`.

    With `includeKeys`, the data of `license.created` has the `licenseKey`.
    """

    url: Url
    event_types: EventTypes
    institution_id: UUID | None = None
    description: Line | None = None
    enabled: bool = True
    include_keys: bool = False

    def fields(self) -> dict[str, Any]:
        """Return the fields of the webhook, by their names in `Webhook`."""
        return _named(self)


class WebhookChange(Change):
    """A change of a webhook; given event types replace the current ones."""

    url: Url | UnsetType = UNSET
    event_types: EventTypes | UnsetType = UNSET
    description: Line | UnsetType | None = UNSET
    enabled: bool | UnsetType = UNSET
    include_keys: bool | UnsetType = UNSET

    def changes(self) -> dict[str, Any]:
        """Return the fields in the request, by their names in `Webhook`."""
        return _named(self)


def _named(body: Body) -> dict[str, Any]:
    fields = given(body)
    if "enabled" in fields:
        fields["is_enabled"] = fields.pop("enabled")
    return fields


class WebhookView(Struct, rename="camel", kw_only=True):
    """A webhook. `disabledReason` is null unless the service disabled it.

    `lastStatus` is the result of the last attempt.
    """

    id: UUID
    institution_id: UUID
    url: str
    event_types: list[WebhookEventType]
    description: str | None
    enabled: bool
    include_keys: bool
    disabled_reason: DisabledReason | None
    disabled_at: datetime | None
    created_at: datetime
    updated_at: datetime
    last_delivery_at: datetime | None
    last_status: WebhookDeliveryStatus | None


class IssuedWebhookView(WebhookView, kw_only=True):
    """A webhook with its new secret, which is shown only once."""

    secret: str


class WebhookDeliveryView(Struct, rename="camel", kw_only=True):
    """The delivery of an event to a webhook; the results are of the last attempt.

    `eventId` is the `webhook-id` that the receiver gets; `lastResponseBody` holds at most 2,048
    bytes. `payload` is what is sent, without the `licenseKey` that a webhook may include.
    """

    id: UUID
    webhook_id: UUID
    event_id: UUID
    event_type: EventKind
    status: WebhookDeliveryStatus
    attempts: int
    next_attempt_at: datetime | None
    created_at: datetime
    delivered_at: datetime | None
    last_response_status: int | None
    last_response_body: str | None
    last_error: str | None
    duration_ms: int | None
    payload: Mapping[str, Any]


def webhook_view(webhook: Webhook) -> WebhookView:
    """Return a webhook as it is on the wire."""
    return _view(WebhookView, webhook)


def issued_webhook_view(issued: WebhookWithSecret) -> IssuedWebhookView:
    """Return a webhook with its new secret as it is on the wire."""
    return _view(IssuedWebhookView, issued.webhook, secret=issued.secret)


def _view(view: type[View], webhook: Webhook, **secret: str) -> View:
    return view_of(
        view,
        webhook,
        enabled=webhook.is_enabled,
        last_delivery_at=webhook.last_attempt_at,
        **secret,
    )


def delivery_view(shown: ShownDelivery) -> WebhookDeliveryView:
    """Return a delivery as it is on the wire, with the body that it sends, but no license key."""
    delivery = shown.delivery
    return view_of(
        WebhookDeliveryView,
        delivery,
        next_attempt_at=delivery.due_at,
        last_response_status=delivery.response_status,
        last_response_body=delivery.response_body,
        last_error=delivery.error,
        payload=_decoder.decode(body_of(shown.event, test=shown.test)),
    )
