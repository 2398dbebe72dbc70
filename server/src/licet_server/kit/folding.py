"""Texts as a search compares them: without case and accents, alike in Python and in SQL.

`Müller` is found as `muller`, `Łukasz` as `lukasz`, `Straße` as `strasse`, and the other way round.
Nothing that has to be unique is compared so: José and Jose may be two customers.

- Marks above and below letters are left out, also in Vietnamese, Greek and Cyrillic: `й` is found
  as `и`. What is a letter or a vowel to its readers stays, as in Indic scripts, Hebrew, Thai and
  kana.
- Letters that Unicode does not take apart become what people type for them: `ø` is `o`, `ß` is
  `ss`, the dotless i of Turkish is `i`. `ä` is `a`, and not `ae`.
- Everything else, such as CJK and emoji, stays as it is, composed (NFC).
"""

import re
import unicodedata

MARKS = r"[\u0300-\u036f]"
"""What is left out of a text whose marks are apart (NFD)."""

LETTERS = {
    "øØ": "o",
    "łŁ": "l",
    "đĐðÐ": "d",
    "\u0131": "i",
    "ħĦ": "h",
    "ŧŦ": "t",
    "Σς": "\u03c3",
}
"""Letters that have no mark, each with its capital, which PostgreSQL does not know with a collation
of C; and sigma, which has two forms in lower case."""
LIGATURES = {"ßẞ": "ss", "æÆ": "ae", "œŒ": "oe", "þÞ": "th"}
"""Letters that are typed as two."""

_FOUND_MARKS = re.compile(MARKS)
_TYPED = str.maketrans(
    {letter: typed for both in (LETTERS, LIGATURES) for it, typed in both.items() for letter in it}
)


def folded(text: str) -> str:
    """Return a text without case and accents, as `folded_column` does.

    A text of nothing but marks stays, so that it finds nothing, and not everything.
    """
    if text.isascii():
        return text.lower()
    bare = _FOUND_MARKS.sub("", unicodedata.normalize("NFD", text)) or text
    return unicodedata.normalize("NFC", bare.translate(_TYPED)).lower()
