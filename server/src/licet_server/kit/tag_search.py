"""Things by their tags, from a column with a JSON list that is null without tags."""

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Dialect,
    Index,
    Select,
    Text,
    TypeDecorator,
    cast,
    func,
    or_,
    text,
)

from licet_server.kit.database import Connection, Json, Process
from licet_server.kit.folded_columns import each_way, if_accented, is_accented, without_accents
from licet_server.kit.folding import folded
from licet_server.kit.tags import Tags, normal_tag, normal_tags


class TagList(TypeDecorator[Tags]):
    """The type of a column with tags."""

    impl = Json
    cache_ok = True

    def process_bind_param(self, value: Tags | None, dialect: Dialect) -> list[str] | None:
        """Return what is stored."""
        return list(value or ()) or None

    def process_result_value(self, value: Any, dialect: Dialect) -> Tags:
        """Return what was stored."""
        return (
            tuple(item for item in value if isinstance(item, str))
            if isinstance(value, list)
            else ()
        )

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        """Return what reads stored tags; most are null."""
        process: Any = super().result_processor(dialect, coltype)
        return lambda value: () if value is None else process(value)


KNOWN_MAX = 500
_READ_MAX = 5_000
"""Of how many of the newest tagged rows the tags are known."""


def in_lower_case(column: Column[Any]) -> ColumnElement[Any]:
    """Return the tags in lower case, as the index has them."""
    return cast(func.lower(cast(column, Text)), Json)


def tag_indexes(name: str, column: Column[Any]) -> None:
    """Add the indexes of a table by tag, and of its newest tagged rows."""
    where = text("tags IS NOT NULL")
    as_text = cast(column, Text)
    Index(
        f"{name}_tags_idx",
        in_lower_case(column).label("folded_tags"),
        postgresql_using="gin",
        postgresql_where=where,
    )
    Index(
        f"{name}_folded_tags_idx",
        cast(if_accented(as_text, without_accents(as_text)), Json).label("folded_tags"),
        postgresql_using="gin",
        postgresql_where=is_accented(as_text),
    )
    table = column.table
    Index(f"{name}_tagged_idx", table.c.institution_id, table.c.id, postgresql_where=where)


def tags_query(wanted: Iterable[str]) -> str:
    """Return what finds the rows that have all of these tags; a text that is no tag finds none."""
    return msgspec.json.encode([normal_tag(item) for item in wanted]).decode()


def has_tags(column: Column[Any], query: str) -> ColumnElement[bool]:
    """Return the condition that a row has the tags of a query of `tags_query`, without case."""
    return in_lower_case(column).op("@>", is_comparison=True)(cast(func.lower(query), Json))


def search_query(search: str) -> str:
    """Return what finds the rows with a tag, whatever accents someone types."""
    return tags_query([folded(search)])


def found_by_tag(column: Column[Any], query: str) -> ColumnElement[bool]:
    """Return the condition that a row matches a query of `search_query`."""
    wanted = cast(query, Json)
    return or_(*each_way(cast(column, Text), lambda tags: cast(tags, Json).contains(wanted)))


async def fetch_tags(db: Connection, newest: Select[Any], column: Column[Any]) -> Tags:
    """Return the tags of the newest rows of a selection, by the alphabet."""
    tagged = newest.with_only_columns(column).where(column.is_not(None)).limit(_READ_MAX)
    rows = (await db.execute(tagged)).scalars()
    found = normal_tags(sorted({tag for tags in rows for tag in tags}))
    return tuple(sorted(found, key=str.lower)[:KNOWN_MAX])
