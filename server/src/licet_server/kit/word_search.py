"""Search for words by their beginnings, in a column that PostgreSQL keeps up to date.

The column has the words of a row as they are written. Of a row that is not all ASCII, an index has
them without accents as well; so most rows cost nothing more, and no table had to be rewritten.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Index,
    Label,
    Row,
    Select,
    Table,
    Text,
    and_,
    func,
    literal_column,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import TSVECTOR

from licet_server.kit.database import Connection, Id
from licet_server.kit.folded_columns import if_accented, is_accented, without_accents
from licet_server.kit.folding import folded
from licet_server.kit.kept import kept
from licet_server.kit.routing import is_distributed
from licet_server.kit.statements import Arrays
from licet_server.kit.visibility import Visibility

SearchWords = TSVECTOR
"""The type of a column with the words of a row."""

SCANNED = 1_000
"""How many of the newest rows are read before the index of words is asked."""

SCANS = ("enable_seqscan", "enable_indexscan")
"""What is turned off for a statement that has to use the index of words."""

_INSTITUTIONS = Arrays("of", institution_id=Id)
_CONFIGURATION = "simple"
_SIMPLE = f"'{_CONFIGURATION}'::regconfig"
_BETWEEN_WORDS = "'[^[:alnum:]]+', ' ', 'g'"
_WORD = re.compile(r"[^\W_]+")


def query_of(search: str) -> str | None:
    """Return what finds the texts in which each word of `search` starts a word.

    `None` if it has no word.
    """
    return " & ".join(queries_of(search)) or None


def queries_of(search: str) -> list[str]:
    """Return for each word of `search` what finds the texts in which it starts a word.

    Where the words of a row are in several columns, each is looked for in all of them.
    """
    return [f"{word}:*" for word in dict.fromkeys(_WORD.findall(folded(search)))]


class Words:
    """The words of the rows of a table, which are found whatever accents someone types.

    `text` is the SQL of what has the words; no joined table has columns of the same names. `column`
    is the one that is computed as `sql` says, if there is one.
    """

    def __init__(self, text: str, column: str | None = None) -> None:
        self.sql = f"to_tsvector({_SIMPLE}, regexp_replace({text}, {_BETWEEN_WORDS}))"
        self.written = literal_column(column or self.sql, SearchWords())
        whole = literal_column(text, Text())
        apart = func.regexp_replace(without_accents(whole), literal_column(_BETWEEN_WORDS))
        words = func.to_tsvector(literal_column(_SIMPLE), apart, type_=SearchWords())
        self._is_accented = is_accented(whole)
        self._folded = if_accented(whole, words)

    def folded_index(self, name: str) -> Index:
        """Return the index of the words without accents."""
        return Index(name, self._folded, postgresql_using="gin", postgresql_where=self._is_accented)

    def match(self, query: str) -> ColumnElement[bool]:
        """Return the condition that a row matches a query of `query_of`."""
        wanted = func.to_tsquery(_CONFIGURATION, query)
        written, without_accents = (
            words.op("@@", is_comparison=True)(wanted) for words in (self.written, self._folded)
        )
        return or_(written, and_(self._is_accented, without_accents))


class WordSearch:
    """Finds a few rows of a table by words, in a bounded time.

    What many rows have is found among the newest; what few rows have, by the indexes of words.
    `columns` are those of the rows, with the texts that have the words. `visible` returns the
    condition that a row is visible.
    """

    def __init__(
        self,
        columns: Sequence[Column[Any] | Label[Any]],
        table: Table,
        words: Words,
        visible: Callable[[Visibility], ColumnElement[bool]],
    ) -> None:
        self._columns = columns
        self._table = table
        self._words = words
        self._visible = visible
        self._among_newest = kept(self._build_among_newest)
        self._by_index = kept(self._build_by_index)

    async def fetch(
        self, db: Connection, visibility: Visibility, search: str, limit: int
    ) -> list[Row[Any]]:
        """Fetch up to `limit` visible rows with all words of a search; `db` is a transaction."""
        query = query_of(search)
        institutions = visibility.institutions + visibility.narrowed
        if query is None or not institutions:
            return []
        scanned = max(SCANNED // len(institutions), limit)
        newest, given = self._among_newest(visibility, query, scanned, limit)
        found: list[Row[Any]] = []
        # Citus joins no list with the newest rows of each: it is asked for one after the other.
        for some in [(item,) for item in institutions] if is_distributed(db) else [institutions]:
            listed = _INSTITUTIONS.given([(item,) for item in some])
            found += (await db.execute(newest, {**given, **listed})).all()
        if len(found) >= limit:
            return sorted(found, key=lambda row: row.id, reverse=True)[:limit]
        # The planner expects one match in fifty for any word. With a limit, it would read the table
        # until it has found enough, which for a rare word means all of it.
        await db.execute(_BITMAPS_ONLY)
        matching = (await db.execute(*self._by_index(visibility, query, limit))).all()
        await db.execute(_ALL_SCANS)
        return list(matching)

    def _build_among_newest(
        self, visibility: Visibility, query: str, scanned: int, limit: int
    ) -> Select[Any]:
        table = self._table
        of_institution = table.c.institution_id == _INSTITUTIONS.c.institution_id
        newest = (
            select(*self._columns, self._words.written)
            .where(of_institution, self._visible(visibility))
            .order_by(table.c.id.desc())
            .limit(scanned)
            .lateral("newest")
        )
        return (
            select(*(newest.c[column.key] for column in self._columns))
            .select_from(_INSTITUTIONS.table.join(newest, true()))
            .where(self._words.match(query))
            .order_by(newest.c.id.desc())
            .limit(limit)
        )

    def _build_by_index(self, visibility: Visibility, query: str, limit: int) -> Select[Any]:
        found = self._words.match(query)
        return select(*self._columns).where(self._visible(visibility), found).limit(limit)


def _turning(scans: str) -> Select[Any]:
    return select(*(func.set_config(name, scans, True) for name in SCANS))


_BITMAPS_ONLY = _turning("off")
_ALL_SCANS = _turning("on")
