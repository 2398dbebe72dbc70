"""When deliveries are retried, and when a webhook is disabled: the rules alone."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from licet_server.events.rules.kinds import DELIVERED, EventKind
from licet_server.webhooks.rules import (
    KNOWN,
    MAX_ATTEMPTS,
    DisabledReason,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryStatus,
    WebhookResponse,
    after_attempt,
    after_response,
    enabled_or_disabled,
    family_of,
    kind_breaches,
    retry_delay,
    subscribes,
)

NOW = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)
ID = uuid.UUID(int=1)
SCHEDULE = [
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
]


def response(status: int | None, error: str | None = None) -> WebhookResponse:
    return WebhookResponse(status=status, body=None, error=error, duration_ms=1)


ACCEPTED, REFUSED, GONE = response(204), response(500, "no"), response(410)

ids = st.uuids(version=4)
responses = st.sampled_from([ACCEPTED, REFUSED, GONE, response(None, "reset"), response(302)])


def delivery(**fields: Any) -> WebhookDelivery:
    stored: dict[str, Any] = {
        "institution_id": ID, "id": ID, "webhook_id": ID, "event_id": ID,
        "event_type": EventKind.LICENSE_CREATED,
        "status": WebhookDeliveryStatus.PENDING, "attempts": 0,
        "due_at": NOW, "created_at": NOW, "delivered_at": None, "response_status": None,
        "response_body": None, "error": None, "duration_ms": None,
    }  # fmt: skip
    return WebhookDelivery(**{**stored, **fields})


def webhook(**fields: Any) -> Webhook:
    stored: dict[str, Any] = {
        "institution_id": ID, "id": ID, "url": "https://example.com", "event_types": ("*",),
        "description": None, "is_enabled": True, "disabled_reason": None, "disabled_at": None,
        "failing_since": None, "last_attempt_at": None, "last_status": None, "created_at": NOW,
        "updated_at": NOW,
    }  # fmt: skip
    return Webhook(**{**stored, **fields})


@given(ids)
def test_delays_are_as_scheduled_or_up_to_a_tenth_longer(delivery_id: uuid.UUID) -> None:
    assert len(SCHEDULE) == MAX_ATTEMPTS - 1 == 9
    for attempts, pause in enumerate(SCHEDULE, start=1):
        delay = retry_delay(attempts, delivery_id)
        assert delay is not None
        assert pause <= delay <= pause * 1.1
        assert delay == retry_delay(attempts, delivery_id)
    assert retry_delay(MAX_ATTEMPTS, delivery_id) is None
    assert retry_delay(MAX_ATTEMPTS + 1, delivery_id) is None


def test_deliveries_that_failed_together_are_not_retried_together() -> None:
    assert len({retry_delay(3, uuid.UUID(int=number)) for number in range(100)}) == 100


@given(ids, st.lists(responses, min_size=1, max_size=12))
def test_a_delivery_is_attempted_until_it_is_accepted_or_fails(
    delivery_id: uuid.UUID, given_responses: list[WebhookResponse]
) -> None:
    current, now = delivery(id=delivery_id), NOW
    for number, reply in enumerate(given_responses, start=1):
        current = after_attempt(current, reply, now)
        assert current.attempts == number
        assert current.response_status == reply.status
        ends = reply.is_success or reply.is_gone or number == MAX_ATTEMPTS
        assert (
            (current.status is WebhookDeliveryStatus.PENDING)
            == (current.due_at is not None)
            == (not ends)
        )
        assert (current.status is WebhookDeliveryStatus.DELIVERED) == (
            current.delivered_at is not None
        )
        assert (current.status is WebhookDeliveryStatus.DELIVERED) == reply.is_success
        if ends:
            return
        assert current.due_at is not None
        assert current.due_at > now
        now = current.due_at


@given(st.lists(st.tuples(st.timedeltas(timedelta(), timedelta(days=2)), responses), max_size=20))
def test_a_webhook_is_disabled_by_five_days_of_failures_or_by_410(
    given_responses: list[tuple[timedelta, WebhookResponse]],
) -> None:
    current, now, failing = webhook(), NOW, None
    for pause, reply in given_responses:
        now += pause
        current = after_response(current, reply, now)
        failing = None if reply.is_success else (failing or now)
        assert current.failing_since == failing
        assert current.last_status == (
            WebhookDeliveryStatus.DELIVERED if reply.is_success else WebhookDeliveryStatus.FAILED
        )
        is_over = failing is not None and now - failing >= timedelta(days=5)
        assert current.is_enabled == (not is_over and not reply.is_gone)
        if not current.is_enabled:
            reason = DisabledReason.GONE if reply.is_gone else DisabledReason.FAILING
            assert (current.disabled_reason, current.disabled_at) == (reason, now)
            assert after_response(current, ACCEPTED, now) == current
            fresh = enabled_or_disabled(current, True, now)
            assert fresh.is_enabled
            assert (fresh.disabled_reason, fresh.disabled_at, fresh.failing_since) == (None,) * 3
            return


def test_a_disabled_webhook_keeps_its_reason() -> None:
    off = after_response(webhook(), GONE, NOW)
    assert enabled_or_disabled(off, False, NOW + timedelta(days=1)) == off
    by_hand = enabled_or_disabled(webhook(), False, NOW)
    assert (by_hand.is_enabled, by_hand.disabled_reason, by_hand.disabled_at) == (False, None, NOW)


@given(st.lists(st.sampled_from(sorted(KNOWN)), min_size=1, max_size=5))
def test_a_webhook_subscribes_to_what_it_names(kinds: list[EventKind]) -> None:
    for kind in DELIVERED:
        assert subscribes(kinds, kind) == (kind in kinds)
        assert subscribes([*kinds, family_of(kind)], kind)
        assert subscribes(["*"], kind)
    assert not list(kind_breaches([*kinds, *map(family_of, kinds), "*"]))


def test_internal_kinds_are_never_delivered() -> None:
    for kind in ("webhook.test", "webhook.disabled", "user.registered", "api_key.created", "*"):
        for types in (["*"], [kind], [family_of(kind)], ["*", kind, family_of(kind)]):
            assert not subscribes(types, EventKind(kind))


def test_unknown_kinds_are_reported_by_position() -> None:
    said = ["license.created", "license.imagined", "user.*", "webhook.disabled", "lic*", ""]
    found = list(kind_breaches(said))
    assert [item.field for item in found] == [f"eventTypes[{n}]" for n in (1, 2, 3, 4, 5)]
    for kind in KNOWN:
        assert kind in found[0].message
