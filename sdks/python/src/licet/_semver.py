"""Versions: which major versions a license covers, and which version is the later one."""

from __future__ import annotations

import re

_IDENTIFIERS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_COMPARABLE = re.compile(rf"v?(\d+(?:\.\d+)*)(?:-({_IDENTIFIERS}))?(?:\+{_IDENTIFIERS})?", re.ASCII)
Number = tuple[int, str]
Precedence = tuple[tuple[Number, ...], bool, tuple[tuple[bool, Number, str], ...]]


def precedence(version: str) -> Precedence | None:
    """The sort key of a version; ``None`` if it is not comparable.

    Numbers with dots, as many as it likes; missing ones are 0. After two or more there may be a
    pre-release, which sorts as in semantic versioning: ``2024-11-22`` is a date.
    """
    match = _COMPARABLE.fullmatch(version.strip())
    if match is None or (match[2] and "." not in match[1]):
        return None
    numbers = [_number(part) for part in match[1].split(".")]
    while numbers and numbers[-1] == _ZERO:
        numbers.pop()
    parts = match[2].split(".") if match[2] else []
    return (
        tuple(numbers),
        not parts,  # a release sorts after its pre-releases
        tuple(_identifier(part) for part in parts),
    )


def release_allows(release_version: str | None, app_version: str | None) -> bool:
    """Return whether a license for one release covers this version of the application.

    It covers every version up to the end of its major one, the first number. Versions that are not
    comparable do not restrict.
    """
    if release_version is None or app_version is None:
        return True
    release, application = precedence(release_version), precedence(app_version)
    return release is None or application is None or _major(application) <= _major(release)


def _major(order: Precedence) -> Number:
    return order[0][0] if order[0] else _ZERO


def _number(digits: str) -> Number:
    """The sort key of a number of any size, which Python does not convert beyond 4,300 digits."""
    significant = digits.lstrip("0")
    return len(significant), significant


_ZERO = _number("0")


def _identifier(part: str) -> tuple[bool, Number, str]:
    return (False, _number(part), "") if part.isdigit() else (True, _ZERO, part)
