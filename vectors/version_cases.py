"""Versions: precedence, and which versions of an application a license covers."""

from __future__ import annotations

from itertools import pairwise

# Ascending. The pre-releases are those in the example of the semantic versioning specification.
ASCENDING = [
    "0.9.9",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.0.1",
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "2.0.0",
    "2.4.0.9-rc.1",
    "2.4.0.9",
    "2.5.0.1",
    "2.5.0.1.0.0.1",
    "10.0.0",
    "24.04",
    "24.10",
    "2024.9",
    "2024.10",
    "1" + "0" * 5000 + ".1",
    "1" + "0" * 5000 + ".2",
]
EQUAL = [
    ("1.0.0", "1.0.0+build.5"),
    ("v2.1.0", "2.1.0"),
    (" 1.0.0 ", "1.0.0"),
    ("1", "1.0.0"),
    ("1.0", "1.0.0.0"),
    ("01.0.0", "1.0.0"),
    ("2024.09", "2024.9"),
    ("1.0.0-rc.01", "1.0.0-rc.1"),
    ("1.2-rc.1", "1.2.0-rc.1"),
]
NOT_COMPARABLE = [
    "",
    "v",
    "1.",
    ".1",
    "1..0",
    "1.0.0-",
    "1.0.0-a..b",
    "1.0.0+",
    "-1.0",
    "1,0",
    "1.0.0 beta",
    "build 700",
    "2024-11-22",
    "2024-11",
    "\u0661.0.0",
    "latest",
]
COVERED = [
    ("2.4.0", "2.4.0", True),
    ("2.4.0", "2.9.1", True),
    ("2.4.0", "1.0.0", True),
    ("2.4.0", "3.0.0", False),
    ("2.4.0", "3.0.0-beta.1", False),
    ("v2.4.0", "v2.5.0", True),
    ("9.0.0", "10.0.0", False),
    ("2", "3", False),
    ("2", "2.9", True),
    ("2.4", "3.0", False),
    ("2.4.0.9", "3.0.0.1", False),
    ("2.4.0.9", "2.5.0.1", True),
    ("2.4.0", "3.0", False),
    ("0.9", "1.0", False),
    ("0.0", "0.9", True),
    ("24.04", "24.10", True),
    ("24.04", "25.04", False),
    ("2024.9", "2025.1", False),
    ("9" * 20 + ".1", "1" + "0" * 20 + ".0", False),
    ("2.4.0", "build 700", True),
    ("2.4.0", "2024-11-22", True),
    ("2024-spring", "3.0.0", True),
    ("2.4.0", None, True),
    (None, "3.0.0", True),
]


def version_cases() -> list[dict]:
    def order(left: str, right: str, expected: int | None) -> dict:
        return {"left": left, "right": right, "order": expected}

    pairs = list(pairwise(ASCENDING))
    return [
        *(order(lower, higher, -1) for lower, higher in pairs),
        *(order(higher, lower, 1) for lower, higher in pairs),
        *(order(left, right, 0) for left, right in EQUAL),
        *(order(text, "1.0.0", None) for text in NOT_COMPARABLE),
    ]


def covered_cases() -> list[dict]:
    return [
        {"releaseVersion": release, "appVersion": application, "allowed": allowed}
        for release, application, allowed in COVERED
    ]
