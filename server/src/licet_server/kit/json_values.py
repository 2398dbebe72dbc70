"""A JSON text before it is decoded: a bound on its values, and the form of its texts.

Decoding takes as long as there are values, and nothing else runs meanwhile: a megabyte of empty
lists takes a quarter of a second, and the same size as one text less than a millisecond.
"""

import re

from licet_server.kit.text import composed

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


_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_FIRST_UNESCAPED = 0xA0


def composed_texts(raw: bytes) -> bytes:
    """Return a JSON text whose texts are in Unicode's composed form (NFC).

    Raises:
        UnicodeDecodeError: if it is not UTF-8.
    """
    if b"\\u" in raw:
        raw = _ESCAPE.sub(_unescaped, raw)
    return raw if raw.isascii() else composed(raw.decode()).encode()


def _unescaped(escape: re.Match[bytes]) -> bytes:
    code = int(escape[1], 16) if escape[1] else 0
    is_part = 0xD800 <= code < 0xE000  # of a pair
    return escape[0] if code < _FIRST_UNESCAPED or is_part else chr(code).encode()


def _count(raw: bytes) -> int:
    return sum(map(raw.count, _BEFORE_A_VALUE))
