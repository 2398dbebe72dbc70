"""When deliveries are tried again, and when a webhook is turned off: by the rules alone."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from licet_server.webhooks.rules.kinds import DELIVERABLE, KNOWN, family_of, kind_breaches, wants
from licet_server.webhooks.rules.model import Answer, Delivery, DisabledReason, Status, Webhook
from licet_server.webhooks.rules.outcome import (
    ATTEMPTS,
    after_answer,
    after_attempt,
    pause_after,
    turned,
)

NOW = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)
ID = uuid.UUID(int=1)
SCHEDULE = [
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
]
TAKEN, REFUSED, GONE = (
    Answer(204, None, None, 1),
    Answer(500, "no", "no", 1),
    Answer(410, "", "", 1),
)

ids = st.uuids(version=4)
answers = st.sampled_from(
    [TAKEN, REFUSED, GONE, Answer(None, None, "reset", 9), Answer(302, "", "", 1)]
)


def delivery(**fields: Any) -> Delivery:
    stored: dict[str, Any] = {
        "institution_id": ID, "id": ID, "webhook_id": ID, "event_id": ID,
        "event_type": "license.created", "status": Status.PENDING, "attempts": 0, "due_at": NOW,
        "created_at": NOW, "delivered_at": None, "response_status": None, "response_body": None,
        "error": None, "duration_ms": None,
    }  # fmt: skip
    return Delivery(**{**stored, **fields})


def webhook(**fields: Any) -> Webhook:
    stored: dict[str, Any] = {
        "institution_id": ID, "id": ID, "url": "https://example.com", "event_types": ("*",),
        "description": None, "is_enabled": True, "disabled_reason": None, "disabled_at": None,
        "failing_since": None, "last_attempt_at": None, "last_status": None, "created_at": NOW,
        "updated_at": NOW,
    }  # fmt: skip
    return Webhook(**{**stored, **fields})


@given(ids)
def test_pauses_are_those_of_the_schedule_or_a_tenth_longer(delivery_id: uuid.UUID) -> None:
    assert len(SCHEDULE) == ATTEMPTS - 1 == 9
    for attempts, pause in enumerate(SCHEDULE, start=1):
        told = pause_after(attempts, delivery_id)
        assert told is not None
        assert pause <= told <= pause * 1.1
        assert told == pause_after(attempts, delivery_id)
    assert pause_after(ATTEMPTS, delivery_id) is None
    assert pause_after(ATTEMPTS + 1, delivery_id) is None


def test_deliveries_that_failed_together_do_not_come_back_together() -> None:
    assert len({pause_after(3, uuid.UUID(int=number)) for number in range(100)}) == 100


@given(ids, st.lists(answers, min_size=1, max_size=12))
def test_a_delivery_is_tried_until_it_is_taken_or_given_up(
    delivery_id: uuid.UUID, said: list[Answer]
) -> None:
    current, now = delivery(id=delivery_id), NOW
    for number, answer in enumerate(said, start=1):
        current = after_attempt(current, answer, now)
        assert current.attempts == number
        assert current.response_status == answer.status
        ends = answer.is_success or answer.is_gone or number == ATTEMPTS
        assert (current.status is Status.PENDING) == (current.due_at is not None) == (not ends)
        assert (current.status is Status.DELIVERED) == (current.delivered_at is not None)
        assert (current.status is Status.DELIVERED) == answer.is_success
        if ends:
            return
        assert current.due_at is not None
        assert current.due_at > now
        now = current.due_at


@given(st.lists(st.tuples(st.timedeltas(timedelta(), timedelta(days=2)), answers), max_size=20))
def test_a_webhook_is_turned_off_by_nothing_but_failures_for_five_days_or_by_410(
    said: list[tuple[timedelta, Answer]],
) -> None:
    current, now, failing = webhook(), NOW, None
    for pause, answer in said:
        now += pause
        current = after_answer(current, answer, now)
        failing = None if answer.is_success else (failing or now)
        assert current.failing_since == failing
        assert current.last_status == (Status.DELIVERED if answer.is_success else Status.FAILED)
        is_over = failing is not None and now - failing >= timedelta(days=5)
        assert current.is_enabled == (not is_over and not answer.is_gone)
        if not current.is_enabled:
            reason = DisabledReason.GONE if answer.is_gone else DisabledReason.FAILING
            assert (current.disabled_reason, current.disabled_at) == (reason, now)
            assert after_answer(current, TAKEN, now) == current
            fresh = turned(current, True, now)
            assert fresh.is_enabled
            assert (fresh.disabled_reason, fresh.disabled_at, fresh.failing_since) == (None,) * 3
            return


def test_what_is_off_stays_off_for_the_reason_that_it_has() -> None:
    off = after_answer(webhook(), GONE, NOW)
    assert turned(off, False, NOW + timedelta(days=1)) == off
    by_hand = turned(webhook(), False, NOW)
    assert (by_hand.is_enabled, by_hand.disabled_reason, by_hand.disabled_at) == (False, None, NOW)


@given(st.lists(st.sampled_from(sorted(KNOWN)), min_size=1, max_size=5))
def test_a_webhook_wants_what_it_names(kinds: list[str]) -> None:
    for kind in DELIVERABLE:
        assert wants(kinds, kind) == (kind in kinds)
        assert wants([*kinds, family_of(kind)], kind)
        assert wants(["*"], kind)
    assert not list(kind_breaches([*kinds, *map(family_of, kinds), "*"]))


def test_what_is_recorded_for_us_alone_is_never_wanted() -> None:
    for kind in ("webhook.test", "webhook.disabled", "user.registered", "api_key.created", "*"):
        for types in (["*"], [kind], [family_of(kind)], ["*", kind, family_of(kind)]):
            assert not wants(types, kind)


def test_kinds_that_are_none_are_named_by_their_place() -> None:
    said = ["license.created", "license.imagined", "user.*", "webhook.disabled", "lic*", ""]
    found = list(kind_breaches(said))
    assert [item.field for item in found] == [f"eventTypes[{n}]" for n in (1, 2, 3, 4, 5)]
    for kind in KNOWN:
        assert kind in found[0].message
