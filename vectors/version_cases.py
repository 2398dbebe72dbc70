"""Versions: precedence, and which versions of an application a license covers."""

from __future__ import annotations

from itertools import pairwise

# Ascending, as in the example of the semantic versioning specification.
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
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "2.0.0",
    "10.0.0",
]
EQUAL = [("1.0.0", "1.0.0+build.5"), ("v2.1.0", "2.1.0"), (" 1.0.0 ", "1.0.0")]
NOT_SEMANTIC = ["", "1", "1.0", "1.0.0.0", "01.0.0", "1.0.0-", "build 700", "2024-11-22", "latest"]
COVERED = [
    ("2.4.0", "2.4.0", True),
    ("2.4.0", "2.9.1", True),
    ("2.4.0", "1.0.0", True),
    ("2.4.0", "3.0.0", False),
    ("2.4.0", "3.0.0-beta.1", False),
    ("v2.4.0", "v2.5.0", True),
    ("9.0.0", "10.0.0", False),
    ("2.4.0", "build 700", True),
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
        *(order(text, "1.0.0", None) for text in NOT_SEMANTIC),
    ]


def covered_cases() -> list[dict]:
    return [
        {"releaseVersion": release, "appVersion": application, "allowed": allowed}
        for release, application, allowed in COVERED
    ]
