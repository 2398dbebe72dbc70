"""The fold of a search in SQL, as an expression, and the indexes that find texts by it.

A function of our own would be code in every backup, which `restore` refuses, and the one of
PostgreSQL is an extension that may be missing.

Most texts are ASCII, and in lower case are folded already. So a second index has only the others:
the first one stays, and to write ASCII costs nothing more.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Column, ColumnElement, Index, Text, and_, case, func, text
from sqlalchemy.sql.elements import TextClause

from licet_server.kit.folding import LETTERS, LIGATURES, MARKS

Condition = ColumnElement[bool]


def folded_column(column: ColumnElement[str]) -> ColumnElement[str]:
    """Return a text without case and accents, as `folded` does, where no index has it."""
    return case((~is_accented(column), func.lower(column)), else_=without_accents(column))


def each_way(
    column: ColumnElement[str], compare: Callable[[ColumnElement[str]], Condition]
) -> tuple[Condition, Condition]:
    """Return the conditions on the two indexes of a text, of which one finds a folded text.

    Example:
        >>> named = each_way(users.c.full_name, lambda name: name.like("mull%"))
    """
    accented = and_(is_accented(column), compare(without_accents(column)))
    return compare(func.lower(column)), accented


def folded_index(
    name: str, column: Column[str], *before: Column[Any], where: Condition | None = None
) -> None:
    """Add the index that finds the texts with accents by their beginnings."""
    Index(
        name,
        *before,
        without_accents(column).label("folded_start"),
        postgresql_ops={"folded_start": "text_pattern_ops"},
        postgresql_where=is_accented(column) if where is None else and_(where, is_accented(column)),
    )


def is_accented(column: ColumnElement[str]) -> Condition:
    """Return the condition that a text is not all ASCII, in a database in UTF-8."""
    return func.octet_length(column) != func.length(column)


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
