"""What a run of the tests chooses and tells."""

from types import SimpleNamespace

import pytest
from durations import describe, over_budget
from quick import choose


def test_durations_are_added_up_and_told_above_the_budget() -> None:
    reports = [
        SimpleNamespace(nodeid="a", when="setup", duration=9.0),
        SimpleNamespace(nodeid="a", when="call", duration=4.0),
        SimpleNamespace(nodeid="b", when="call", duration=9.0),
        SimpleNamespace(nodeid="c", when="call", duration=20.5),
        "a warning",
    ]
    found = over_budget(reports)
    assert found == [(20.5, "c"), (13.0, "a")]
    assert describe(found) == [
        "2 tests took longer than 10 s:",
        "   20.5 s  c",
        "   13.0 s  a",
    ]
    assert describe(over_budget(reports, budget_s=30)) == []


@pytest.mark.parametrize("number", [1, 2])
def test_the_quick_run_takes_one_case_of_each_test(
    request: pytest.FixtureRequest, number: int
) -> None:
    chosen = choose(request.session.items)
    cases = [item for item in chosen if item.name.startswith(request.node.originalname)]
    assert len(cases) == 1
    assert not any(item.get_closest_marker("slow") for item in chosen)
    assert not any("/e2e/" in item.nodeid or "/dashboard/" in item.nodeid for item in chosen)
