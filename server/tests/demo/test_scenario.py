"""The scenario of the demonstration: all of it is played, and today at different times."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from licet_server.demo import scenario

DATED: tuple[Iterable[Any], ...] = (
    scenario.RELEASES,
    scenario.SALES,
    scenario.STAFF,
    scenario.LOANS,
    scenario.VOYAGES,
    scenario.CHANGES,
    scenario.VISITS,
    scenario.ERRANDS,
    scenario.ROLLOUTS,
)
HOUR = 1 / 24


def is_today(day: float) -> bool:
    return bool(0.2 < day - scenario.PLAYED[-1] < 1 + HOUR)


@pytest.mark.parametrize("items", DATED, ids=lambda items: type(items[0]).__name__)
def test_everything_happens_on_a_day_that_is_played(items: Iterable[Any]) -> None:
    missed = [item for item in items if item.day not in scenario.PLAYED and not is_today(item.day)]
    assert missed == []


def test_colleagues_join_on_different_days_and_members_have_something_to_see() -> None:
    assert len({colleague.day for colleague in scenario.STAFF}) == len(scenario.STAFF)
    assert all(colleague.products for colleague in scenario.STAFF if colleague.role == "Member")


def test_what_happens_today_happens_at_different_times() -> None:
    nodes = [day for day, _ in scenario.NODES]
    days = [item.day for items in DATED for item in items] + nodes + [*scenario.TURNED_AWAY]
    minutes = Counter(round(day * 1440) for day in days if is_today(day))
    assert max(minutes.values()) == 1


def test_nodes_are_heard_of_after_they_took_their_seats() -> None:
    for day, minutes in scenario.NODES:
        assert minutes is None or day * 1440 < 0 < minutes < 60
    assert len(scenario.NODES) == scenario.POOL_SEATS - len(scenario.LOANS)
