"""Characters that texts of users may not have, by their categories in Unicode.

| text | refuses |
|---|---|
| a label, such as a name or a version | what is invisible, but for needed joiners; unusual spaces |
| a value of a Text feature | control characters |
| a tag | what breaks a line or cannot be stored |
| the name of a file | that, text directions and private characters, but for joiners |
"""

import re
import unicodedata
from collections.abc import Container, Iterator

from licet_server.kit.errors import FieldError

CONTROL = frozenset({"Cc"})
INVISIBLE = frozenset({"Cf"})
BREAKING = CONTROL | {"Cs", "Zl", "Zp"}
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs that show nothing."""
SPACES = frozenset({"Zs", "Zl", "Zp"})
MISLEADING = BREAKING | INVISIBLE | {"Co"}
JOINERS = "\u200c\u200d"
FULL_WIDTH = {code + 0xFEE0: chr(code) for code in range(0x21, 0x7F)}
"""What is meant by the letters and signs of full width that East Asian keyboards write."""

_NEEDED_JOINER = re.compile(rf"(?<=[^\x00-\x7f])[{JOINERS}](?=[^\x00-\x7f])")
"""A joiner between letters that need one, such as in Persian, or between parts of an emoji."""


_USUAL_SPACES = {ord(" "): None, 0x3000: None}
"""Those that labels may have: the ordinary one, and the wide one of East Asian keyboards."""


def has_any(text: str, categories: Container[str]) -> bool:
    """Check whether a text has a character of one of these categories."""
    return any(unicodedata.category(char) in categories for char in text)


def file_name_misleads(name: str) -> bool:
    """Check whether the name of a file has characters that show another name, or none."""
    return has_any(name.translate(dict.fromkeys(map(ord, JOINERS))), MISLEADING)


def label_breaches(field: str, text: object) -> Iterator[FieldError]:
    """Check a label: no control or invisible characters, no unusual spaces, none at its ends."""
    if not isinstance(text, str):
        return
    if has_any(text, CONTROL):
        yield FieldError(field, "must not contain control characters.")
    elif has_any(_NEEDED_JOINER.sub("", text), INVISIBLE) or not BLANK.isdisjoint(text):
        yield FieldError(field, "must not contain invisible characters.")
    elif has_any(text.translate(_USUAL_SPACES), SPACES):
        yield FieldError(field, "must have ordinary spaces between its words.")
    elif text != text.strip():
        yield FieldError(field, "must not begin or end with a space.")
