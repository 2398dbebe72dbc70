"""Tests that took longer than they should, told at the end of a run; they do not fail for it."""

from collections import Counter
from typing import Any

BUDGET_S = 10.0


def add_up(reports: list[Any]) -> Counter[str]:
    """Return the seconds that the setup, call and teardown of each test took.

    The reports come from all processes of the run.
    """
    seconds: Counter[str] = Counter()
    for report in reports:
        if hasattr(report, "duration") and hasattr(report, "when"):
            seconds[report.nodeid] += report.duration
    return seconds


def over_budget(seconds: Counter[str], budget_s: float = BUDGET_S) -> list[tuple[float, str]]:
    """Return seconds and name of each test that took more, slowest first."""
    return [(took, name) for name, took in seconds.most_common() if took > budget_s]


def describe(found: list[tuple[float, str]], budget_s: float = BUDGET_S) -> list[str]:
    if not found:
        return []
    lines = [f"{took:7.1f} s  {name}" for took, name in found]
    return [f"{len(found)} tests took longer than {budget_s:g} s:", *lines]
