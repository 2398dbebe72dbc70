"""Tests that failed in a run and passed at their second try, kept with date and cause.

The list is part of the repository. A test leaves it with the change that mends the test; until
then it is a fault that everybody sees, and no release comes from a list with one test twice.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).with_name("second-tries.jsonl")


class SecondTry(NamedTuple):
    """A failure that did not happen again."""

    test: str
    date: str
    commit: str
    run: str
    cause: str


def read(path: Path = LIST) -> list[SecondTry]:
    lines = path.read_text().splitlines() if path.exists() else []
    return [SecondTry(**json.loads(line)) for line in lines]


def add(found: Iterable[SecondTry], path: Path) -> None:
    with path.open("a") as file:
        file.writelines(json.dumps(item._asdict()) + "\n" for item in found)


def repeated(listed: Iterable[SecondTry]) -> list[str]:
    """Return the tests that are on the list more than once."""
    return [test for test, times in Counter(item.test for item in listed).items() if times > 1]


def describe(found: list[SecondTry]) -> list[str]:
    """Return the lines for a run in which these passed only at their second try."""
    if not found:
        return []
    return [
        f"{len(found)} PASSED ONLY AT THE SECOND TRY. Each is a fault: find what it waited for.",
        *(f"  {item.test}\n      {item.cause}" for item in found),
        f"They are on the list in testruns/{LIST.name} until the change that mends them.",
    ]
