"""The figures of all browser tests of a run, in one line at its end."""

from collections import Counter
from typing import Any

PROPERTY = "browser"


def add_up(reports: list[Any]) -> Counter[str]:
    """Over the reports of tests, which come from other processes too."""
    found: Counter[str] = Counter()
    for report in reports:
        if getattr(report, "when", None) == "call":
            for name, totals in report.user_properties:
                if name == PROPERTY:
                    found.update({**totals, "tests": 1})
    return found


def describe(totals: Counter[str]) -> str:
    return (
        f"dashboard: {totals['tests']} browser tests, axe looked {totals['judged']} times; "
        f"{totals['axe']} axe violations, {totals['csp']} CSP violations, "
        f"{totals['console'] + totals['error']} console errors, "
        f"{totals['answer']} unannounced refusals"
    )
