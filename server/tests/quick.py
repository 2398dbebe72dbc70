"""The tests for the inner loop: a minute at most, and nearly every file is touched."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path

import pytest

_TESTS = Path(__file__).parent
_FOLDERS = ("dashboard", "e2e", "kit/backups", "kit/postgres", "../../examples/tests")
WITH_PROCESSES = [(_TESTS / folder).resolve() for folder in _FOLDERS]
SLOW_S = 0.3
"""By durations.json, on the machine that wrote it."""
TOLD_S = 2.0
"""At the end, tests are told that took longer: their seconds belong into durations.json."""
DATABASE = "postgres"
"""The fixture that every test with a database needs."""


def has_processes(path: Path) -> bool:
    """Return whether the tests of a file or folder start a browser, or processes of the service."""
    return any(path.is_relative_to(folder) for folder in WITH_PROCESSES)


def choose(items: Iterable[pytest.Item], seconds: Mapping[str, float]) -> list[pytest.Item]:
    """Return, in order, what is quick of the tests, given the seconds that they are known to take.

    That is the first case of each test without a database, and the first test of each file with
    one, except for those that are slow.
    """
    alone = (item for item in items if not has_processes(item.path))
    first = _first_of_each(_area, first_cases(alone))
    return [item for item in first if seconds.get(item.nodeid, 0.0) < SLOW_S]


def first_cases(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return, in order, the first case of each test."""
    return _first_of_each(_test, items)


def _test(item: pytest.Item) -> Hashable:
    return item.path, getattr(item, "originalname", item.name), item.parent


def _area(item: pytest.Item) -> Hashable:
    return item.path if DATABASE in getattr(item, "fixturenames", ()) else _test(item)


def _first_of_each(
    key: Callable[[pytest.Item], Hashable], items: Iterable[pytest.Item]
) -> list[pytest.Item]:
    first: dict[Hashable, pytest.Item] = {}
    for item in items:
        first.setdefault(key(item), item)
    return list(first.values())
