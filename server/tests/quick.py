"""The tests for the inner loop: seconds instead of minutes, and all areas are touched."""

from pathlib import Path

import pytest

_TESTS = Path(__file__).parent
_FOLDERS = ("dashboard", "e2e", "kit/backups", "kit/postgres", "../../examples/tests")
WITH_PROCESSES = [(_TESTS / folder).resolve() for folder in _FOLDERS]
SLOW = "slow"


def choose(items: list[pytest.Item]) -> dict[pytest.Item, None]:
    """Return, in order, the first case of each test that starts neither browser nor process."""
    cases = {
        (item.path, getattr(item, "originalname", item.name), item.parent): item
        for item in reversed(items)
        if not item.get_closest_marker(SLOW)
        and not any(item.path.is_relative_to(folder) for folder in WITH_PROCESSES)
    }
    return dict.fromkeys(reversed(cases.values()))
