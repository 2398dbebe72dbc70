"""Exports and erases the personal data in the tables of licenses.

The tables say which of their columns are personal, and what takes the place of each
(`info=personal(...)`), and whether their rows are about the holder of a license
(`info=ABOUT_HOLDER`).
"""

from collections.abc import Callable, Collection
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    LargeBinary,
    Table,
    and_,
    case,
    literal,
    null,
    or_,
    select,
    update,
)

from licet_server.kit.database import Connection, metadata
from licet_server.kit.text import camel

EXPORTED_ROWS = 10_000
"""The most rows of a table in an export, the newest ones."""

Exported = dict[str, list[dict[str, Any]]]
"""Rows by the name of their table, each as it is stored, without secrets."""

Counts = dict[str, int]
"""How many rows were erased, by the name of their table."""


async def export_of_licenses(
    db: Connection, institution_id: UUID, license_ids: Collection[UUID]
) -> Exported:
    """Return the rows about the holders of these licenses."""
    return {
        camel(table.name): await export_rows(
            db, table, _of_licenses(table, institution_id, license_ids)
        )
        for table in _about_holders()
    }


async def erase_of_licenses(
    db: Connection, institution_id: UUID, license_ids: Collection[UUID]
) -> Counts:
    """Replace what is personal in the rows about the holders of these licenses."""
    return {
        camel(table.name): await erase_rows(
            db, table, _of_licenses(table, institution_id, license_ids)
        )
        for table in _about_holders()
        if _personal(table)
    }


def _about_holders() -> list[Table]:
    return [table for table in metadata.sorted_tables if table.info.get("about_holder")]


class PersonalLines:
    """Rows of a table that belong to licenses, each a line of JSON in an archive."""

    def __init__(self, table: Table) -> None:
        self._replacements = {
            column.name: msgspec.json.encode(column.info["replacement"])
            for column in _personal(table)
        }

    def eraser(self, license_ids: Collection[UUID]) -> Callable[[bytes], bytes]:
        """Return a function that replaces what is personal in the lines of these licenses."""
        ids = {msgspec.json.encode(item) for item in license_ids}

        def erase(line: bytes) -> bytes:
            row = {name: bytes(value) for name, value in _lines.decode(line).items()}
            if row["license_id"] not in ids:
                return line
            left = row | {
                name: value
                for name, value in self._replacements.items()
                if row.get(name, b"null") != b"null"
            }
            if left == row:
                return line
            return msgspec.json.encode({name: msgspec.Raw(value) for name, value in left.items()})

        return erase


_lines = msgspec.json.Decoder(dict[str, msgspec.Raw])


async def export_rows(
    db: Connection, table: Table, condition: ColumnElement[bool]
) -> list[dict[str, Any]]:
    """Return rows of a table, without secrets, hashes and what is computed."""
    columns = [column for column in table.c if _is_exported(column)]
    newest = [column.desc() for column in table.primary_key.columns]
    statement = select(*columns).where(condition).order_by(*newest).limit(EXPORTED_ROWS)
    names = [camel(column.name) for column in columns]
    return [dict(zip(names, row, strict=True)) for row in await db.execute(statement)]


async def erase_rows(db: Connection, table: Table, condition: ColumnElement[bool]) -> int:
    """Replace what is personal in rows of a table, and return in how many.

    What is null stays so.
    """
    columns = _personal(table)
    says_something = or_(*map(_says_something, columns))
    values = {column: _replacement(column) for column in columns}
    erased = await db.execute(update(table).where(condition, says_something).values(values))
    return int(erased.rowcount)


def _personal(table: Table) -> list[Column[Any]]:
    return [column for column in table.c if column.info.get("personal")]


def _says_something(column: Column[Any]) -> ColumnElement[bool]:
    value = column.info["replacement"]
    said = column.is_not(None)
    return said if value is None else and_(said, column != literal(value, column.type))


def _replacement(column: Column[Any]) -> ColumnElement[Any]:
    value = column.info["replacement"]
    if value is None:
        return null()
    return case((column.is_not(None), literal(value, column.type)), else_=null())


def _of_licenses(
    table: Table, institution_id: UUID, license_ids: Collection[UUID]
) -> ColumnElement[bool]:
    license_id = table.c.license_id if "license_id" in table.c else table.c.id
    return and_(table.c.institution_id == institution_id, license_id.in_(license_ids))


def _is_exported(column: Column[Any]) -> bool:
    is_digest = isinstance(column.type, LargeBinary) or column.name.endswith("_hash")
    return not is_digest and column.computed is None and not column.info.get("sealed")
