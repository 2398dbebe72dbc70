"""Leaves of events can be erased, and the seal still holds; nobody else can erase them."""

import uuid
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from testkit import FakeClock

from licet_server.events.rules.chain import (
    SALT_BYTES,
    START,
    digests_of,
    erasure_mark,
    extend,
    is_sealed,
    leaves_of,
    without,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import RecordedEvent, SealedEvent
from licet_server.kit.text import ERASED

SECRET, SALT = bytes(range(32)), bytes(range(SALT_BYTES))
NAMES = {"data.issuedTo", "data.metadata", "changes.issuedTo", "actor_name"}


def sealed(**fields: Any) -> SealedEvent:
    ids = [uuid.UUID(int=number) for number in range(1, 7)]
    event = RecordedEvent(
        institution_id=ids[0],
        id=ids[1],
        kind=EventKind.LICENSE_CREATED,
        occurred_at=FakeClock.START,
        subject_id=ids[2],
        subject_name="Studio",
        license_id=ids[2],
        product_id=ids[3],
        actor_kind="User",
        actor_id=ids[4],
        request_id=str(ids[5]),
        data_json='{"issuedTo": "jane@example.com", "metadata": {"for": "Jane"}, "amount": 1.50}',
        changes_json='{"issuedTo": [null, "jane@example.com"]}',
        actor_name="jane@example.com",
        ip_address="203.0.113.9",
    )
    [(_, number, seal, salt)] = extend(SECRET, 0, START, [(event, SALT)])
    values = {name: getattr(event, name) for name in event.__dataclass_fields__}
    return SealedEvent(**{**values, **fields}, seal_number=number, seal=seal, salt=salt)


def test_a_seal_holds_before_and_after_leaves_are_erased() -> None:
    event = sealed()
    assert is_sealed(SECRET, START, event)
    once = without(SECRET, event, NAMES)
    assert is_sealed(SECRET, START, once)
    twice = without(SECRET, once, {"ip_address"})
    assert is_sealed(SECRET, START, twice)
    assert "jane" not in repr(twice).lower()
    assert SALT.hex() not in repr(twice)
    assert twice.data == {"issuedTo": ERASED, "metadata": {}, "amount": 1.5}
    assert twice.changes == {"issuedTo": [None, ERASED]}
    assert (twice.actor_name, twice.ip_address) == (ERASED, ERASED)


@pytest.mark.parametrize(
    "change",
    [
        {"data_json": '{"issuedTo": "(erased)", "metadata": {}, "amount": 2}'},
        {"data_json": '{"issuedTo": "roe@example.com", "metadata": {}, "amount": 1.50}'},
        {"data_json": '{"issuedTo": "(erased)", "metadata": {}}'},
        {"data_json": '{"issuedTo": "(erased)", "metadata": {}, "amount": 1.50, "more": 1}'},
        {"changes_json": None},
        {"ip_address": "203.0.113.8"},
        {"erasure": None},
        {"erasure": None, "salt": SALT},
    ],
)
def test_what_is_left_cannot_be_changed(change: dict[str, Any]) -> None:
    erased = without(SECRET, sealed(), NAMES)
    assert is_sealed(SECRET, START, erased)
    assert not is_sealed(SECRET, START, replace(erased, **change))


def test_only_who_knows_the_secret_erases() -> None:
    """Whoever can write to the database can compute the digests, but not their mark."""
    forged = without(bytes(32), sealed(), NAMES)
    assert not is_sealed(SECRET, START, forged)
    assert forged.erasure is not None
    assert forged.seal is not None
    mark = erasure_mark(SECRET, 1, forged.seal, forged.erasure.digests)
    marked = msgspec.structs.replace(forged.erasure, mark=mark)
    assert is_sealed(SECRET, START, replace(forged, erasure=marked))


def test_a_digest_cannot_be_guessed_without_its_salt() -> None:
    event = sealed()
    erased = without(SECRET, event, NAMES)
    assert erased.erasure is not None
    assert not NAMES & erased.erasure.salts.keys()
    assert erased.erasure.digests.keys() == NAMES
    assert erased.erasure.digests["data.issuedTo"] == digests_of(event, SALT)["data.issuedTo"]
    without_salt = digests_of(event, bytes(SALT_BYTES))
    assert erased.erasure.digests["data.issuedTo"] not in without_salt.values()
    assert leaves_of(event).keys() == digests_of(event, SALT).keys()


def test_an_event_that_is_not_sealed_yet_is_just_changed() -> None:
    event = replace(sealed(), seal_number=None, seal=None, salt=None)
    erased = without(SECRET, event, NAMES)
    assert (erased.erasure, erased.salt) == (None, None)
    [(_, number, seal, salt)] = extend(SECRET, 0, START, [(erased, SALT)])
    later = replace(erased, seal_number=number, seal=seal, salt=salt)
    assert is_sealed(SECRET, START, later)
