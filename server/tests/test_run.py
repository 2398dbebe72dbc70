"""What a run of the tests chooses and tells."""

from types import SimpleNamespace

import pytest
from durations import add_up, describe, over_budget
from longest_first import ordered
from quick import choose


def test_durations_are_added_up_and_told_above_the_budget() -> None:
    reports = [
        SimpleNamespace(nodeid="a", when="setup", duration=9.0),
        SimpleNamespace(nodeid="a", when="call", duration=4.0),
        SimpleNamespace(nodeid="b", when="call", duration=9.0),
        SimpleNamespace(nodeid="c", when="call", duration=20.5),
        "a warning",
    ]
    seconds = add_up(reports)
    found = over_budget(seconds)
    assert found == [(20.5, "c"), (13.0, "a")]
    assert describe(found) == [
        "2 tests took longer than 10 s:",
        "   20.5 s  c",
        "   13.0 s  a",
    ]
    assert describe(over_budget(seconds, budget_s=30)) == []


def test_files_with_long_tests_come_first_and_stay_whole() -> None:
    names = ["a::1", "a::2", "b::1", "b::2", "c::1", "d::1"]
    items = [SimpleNamespace(nodeid=name, path=name[0]) for name in names]
    found = ordered(items, {"b::2": 60.0, "d::1": 61.5, "gone::1": 90.0})  # type: ignore[arg-type]
    assert [item.nodeid for item in found] == ["d::1", "b::1", "b::2", "a::1", "a::2", "c::1"]


@pytest.mark.parametrize("number", [1, 2])
def test_the_quick_run_takes_one_case_of_each_test(
    request: pytest.FixtureRequest, number: int
) -> None:
    chosen = choose(request.session.items)
    cases = [item for item in chosen if item.name.startswith(request.node.originalname)]
    assert len(cases) == 1
    assert not any(item.get_closest_marker("slow") for item in chosen)
    assert not any("/e2e/" in item.nodeid or "/dashboard/" in item.nodeid for item in chosen)
