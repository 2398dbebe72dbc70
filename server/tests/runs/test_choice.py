"""What a run of the tests chooses and tells."""

import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from durations import add_up, describe, over_budget
from longest_first import checked_in, ordered
from quick import SLOW_S, choose, first_cases

_ROOT = Path(__file__).parents[3]


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


def test_the_quick_run_takes_one_case_of_a_test_and_one_test_of_a_file_with_a_database() -> None:
    items = [
        _item("a.py", "sum", "1"),
        _item("a.py", "sum", "2"),
        _item("a.py", "difference"),
        _item("b.py", "issue", fixtures=["postgres", "owner"]),
        _item("b.py", "list", fixtures=["postgres"]),
        _item("b.py", "parse"),
        _item("c.py", "archive", fixtures=["postgres"]),
        _item("c.py", "restore", fixtures=["postgres"]),
        _item("d.py", "prime"),
        _item("e2e/f.py", "start"),
        _item("dashboard/g.py", "click"),
    ]
    slow = {"c.py::archive": SLOW_S, "d.py::prime": 9.0, "a.py::difference": SLOW_S / 2}
    found = [item.nodeid for item in choose(items, slow)]
    assert found == ["a.py::sum[1]", "a.py::difference", "b.py::issue", "b.py::parse"]


def test_the_durations_in_the_repository_are_of_tests_that_are_there() -> None:
    names = {tuple(name.partition("[")[0].split("::")[:2]) for name in checked_in()}
    gone = [
        f"{path}::{name}"
        for path, name in sorted(names)
        if not (source := _ROOT / path).is_file()
        or not re.search(rf"\b{name}\b", source.read_text())
    ]
    assert not gone, "rename or remove these in server/tests/durations.json"


def test_first_cases_are_those_of_every_test() -> None:
    items = [_item("a.py", "sum", "1"), _item("a.py", "sum", "2"), _item("e2e/f.py", "start")]
    assert [item.nodeid for item in first_cases(items)] == ["a.py::sum[1]", "e2e/f.py::start"]


def _item(file: str, name: str, case: str = "", fixtures: Sequence[str] = ()) -> pytest.Item:
    item = SimpleNamespace(
        path=Path(__file__).parents[1] / file,
        nodeid=f"{file}::{name}" + (f"[{case}]" if case else ""),
        name=name,
        originalname=name,
        parent=file,
        fixturenames=fixtures,
    )
    return cast("pytest.Item", item)
