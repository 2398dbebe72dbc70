"""Ids ascend in the order in which they are made."""

from datetime import UTC, datetime, timedelta

from licet_server.kit.ids import least_id, new_id

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def test_ids_are_uuid7_and_tell_their_instant() -> None:
    made = new_id(NOW)
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"
    assert made.int >> 80 == int(NOW.timestamp() * 1000)


def test_ids_of_one_instant_ascend_and_differ() -> None:
    made = [new_id(NOW) for _ in range(10_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_of_later_instants_are_greater() -> None:
    assert new_id(NOW) < new_id(NOW + timedelta(milliseconds=1))


def test_the_first_id_of_an_instant_comes_before_all_that_are_made_then() -> None:
    first = least_id(NOW)
    assert first.version == 7
    assert new_id(NOW - timedelta(milliseconds=1)) < first <= new_id(NOW)
