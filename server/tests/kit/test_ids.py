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


def test_the_least_id_parts_what_was_made_before_from_what_came_after() -> None:
    least = least_id(NOW)
    assert least.version == 7
    assert new_id(NOW - timedelta(milliseconds=1)) < least <= new_id(NOW)


def test_there_is_a_least_id_for_any_instant() -> None:
    first, last = datetime(1, 1, 1, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    assert least_id(first) == least_id(datetime(1970, 1, 1, tzinfo=UTC))
    assert new_id(NOW) < least_id(last)
