"""A bound on the values in a JSON text, checked before anything is made of them.

Decoding takes as long as there are values, and nothing else runs meanwhile: a megabyte of empty
lists takes a quarter of a second, and the same size as one text less than a millisecond.
"""

import re

VALUES_MAX = 20_000
"""A text of so many values is decoded in a few milliseconds."""

_BEFORE_A_VALUE = (b",", b"[", b"{")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def has_too_many_values(raw: bytes) -> bool:
    """Return whether a JSON text has more than `VALUES_MAX` values.

    What is in strings is not counted, but so many quotes are too many, too: to find the ends of
    that many strings would take as long as decoding them.
    """
    if len(raw) <= VALUES_MAX or _count(raw) <= VALUES_MAX:
        return False
    return raw.count(b'"') > 4 * VALUES_MAX or _count(_STRING.sub(b"", raw)) > VALUES_MAX


def _count(raw: bytes) -> int:
    return sum(map(raw.count, _BEFORE_A_VALUE))
