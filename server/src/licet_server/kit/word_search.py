"""Search for words by their beginnings, in a column that PostgreSQL keeps up to date."""

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Label, Row, func, select, true
from sqlalchemy.dialects.postgresql import TSVECTOR

from licet_server.kit.database import Connection, Id
from licet_server.kit.statements import Arrays
from licet_server.kit.visibility import Visibility

SearchWords = TSVECTOR
"""The type of a column with the words of a row."""

SCANNED = 5_000
"""How many of the newest rows are read before the index of words is asked."""

SCANS = ("enable_seqscan", "enable_indexscan")
"""What is turned off for a statement that has to use the index of words."""

_INSTITUTIONS = Arrays("of", institution_id=Id)
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
    query = _query_of(search)
    return None if query is None else column.op("@@")(query)


def _query_of(search: str) -> ColumnElement[object] | None:
    words = dict.fromkeys(_WORD.findall(search.lower()))
    if not words:
        return None
    return func.to_tsquery(_CONFIGURATION, " & ".join(f"{word}:*" for word in words))


async def fetch_with_words(
    db: Connection,
    columns: Sequence[Column[Any] | Label[Any]],
    words: Column[Any],
    search: str,
    *,
    visibility: Visibility,
    visible: ColumnElement[bool],
    limit: int,
) -> list[Row[Any]]:
    """Fetch up to `limit` rows with all words of a search, in a bounded time.

    What many rows have is found among the newest; what few rows have, by the index of words. `db`
    is a transaction.
    """
    query = _query_of(search)
    institutions = visibility.institutions + visibility.narrowed
    if query is None or not institutions:
        return []
    newest = (
        select(*columns, words)
        .where(words.table.c.institution_id == _INSTITUTIONS.c.institution_id, visible)
        .order_by(words.table.c.id.desc())
        .limit(max(SCANNED // len(institutions), limit))
        .lateral("newest")
    )
    among_newest = (
        select(*(newest.c[column.key] for column in columns))
        .select_from(_INSTITUTIONS.table.join(newest, true()))
        .where(newest.c[words.key].op("@@")(query))
        .order_by(newest.c.id.desc())
        .limit(limit)
    )
    given = _INSTITUTIONS.given([(item,) for item in institutions])
    found = (await db.execute(among_newest, given)).all()
    if len(found) >= limit:
        return list(found)
    matching = select(*columns).where(visible, words.op("@@")(query))
    return await _fetch_by_index(db, matching.limit(limit))


async def _fetch_by_index(db: Connection, statement: Any) -> list[Row[Any]]:
    """Run a statement with bitmap scans only.

    The planner expects one match in fifty for any word. With a limit, it would read the table until
    it has found enough, which for a rare word means all of it.
    """
    await db.execute(select(*(func.set_config(name, "off", True) for name in SCANS)))
    found = (await db.execute(statement)).all()
    await db.execute(select(*(func.set_config(name, "on", True) for name in SCANS)))
    return list(found)
