"""Search for words by their beginnings, in a column that PostgreSQL keeps up to date."""

import re

from sqlalchemy import ColumnElement, func
from sqlalchemy.dialects.postgresql import TSVECTOR

SearchWords = TSVECTOR
"""The type of a column with the words of a row."""

_CONFIGURATION = "simple"
_WORD = re.compile(r"[^\W_]+")


def words_in(expression: str) -> str:
    """Return the SQL that computes a column of words from a SQL expression for text."""
    return (
        f"to_tsvector('{_CONFIGURATION}'::regconfig, "
        f"regexp_replace({expression}, '[^[:alnum:]]+', ' ', 'g'))"
    )


def has_words(column: ColumnElement[object], search: str) -> ColumnElement[bool] | None:
    """Return the condition that each word of `search` starts a word; `None` if it has no word."""
    words = _WORD.findall(search.lower())
    if not words:
        return None
    query = func.to_tsquery(_CONFIGURATION, " & ".join(f"{word}:*" for word in words))
    return column.op("@@")(query)
