"""The fold of a search in SQL, as an expression, and the indexes that find texts by it.

A function of our own would be code in every backup, which `restore` refuses, and the one of
PostgreSQL is an extension that may be missing.

Most texts are ASCII, and in lower case are folded already. So a second index has only the others:
the first one stays, and to write ASCII costs nothing more. What it has is null for ASCII: for
many matches an index only says which pages they are on, and each row there is compared again.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Column, ColumnElement, Index, Integer, Text, and_, case, cast, func, text
from sqlalchemy.sql.elements import Grouping, TextClause

from licet_server.kit.folding import LETTERS, LIGATURES, MARKS

Condition = ColumnElement[bool]


def folded_column(column: ColumnElement[str]) -> ColumnElement[str]:
    """Return a text without case and accents, as `folded` does, where no index has it."""
    return func.coalesce(_accented(column), func.lower(column))


def each_way(
    column: ColumnElement[str], compare: Callable[[ColumnElement[str]], Condition]
) -> tuple[Condition, Condition]:
    """Return the conditions on the two indexes of a text, of which one finds a folded text.

    Example:
        >>> named = each_way(users.c.full_name, lambda name: name.like("mull%"))
    """
    return compare(func.lower(column)), and_(is_accented(column), compare(_accented(column)))


def folded_index(
    name: str, column: Column[str], *before: Column[Any], where: Condition | None = None
) -> None:
    """Add the index that finds the texts with accents by their beginnings."""
    Index(
        name,
        *before,
        _accented(column).label("folded_start"),
        postgresql_ops={"folded_start": "text_pattern_ops"},
        postgresql_where=is_accented(column) if where is None else and_(where, is_accented(column)),
    )


def is_accented(column: ColumnElement[str]) -> Condition:
    """Return the condition that a text is not all ASCII, in a database in UTF-8.

    The planner takes what is equal to be rare, and this is.
    """
    return cast(func.octet_length(column) > func.length(column), Integer) == text("1")


def if_accented(column: ColumnElement[str], value: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return what finds a text that is not all ASCII, and null for the others."""
    return Grouping(case((is_accented(column), value)))  # for the parentheses in an index


def _accented(column: ColumnElement[str]) -> ColumnElement[str]:
    return if_accented(column, without_accents(column))


def without_accents(column: ColumnElement[str]) -> ColumnElement[str]:
    """Return a text without case and accents, which takes ten times as long as its lower case."""
    apart = func.normalize(column, text("NFD"))
    found = func.regexp_replace(apart, _constant(MARKS), _constant(""), _constant("g"))
    letters, typed = zip(*((it, to) for them, to in LETTERS.items() for it in them), strict=True)
    found = func.translate(found, _constant("".join(letters)), _constant("".join(typed)))
    for them, to in LIGATURES.items():
        for it in them:
            found = func.replace(found, _constant(it), _constant(to))
    return func.lower(func.normalize(found, text("NFC"), type_=Text))


def _constant(value: str) -> TextClause:
    """Return a text that is no parameter, as the expression of an index needs it."""
    return text(f"'{value}'")
