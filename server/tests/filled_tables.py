"""A row in each table that a tenant leaves empty, so that what reads it can be tried."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    Numeric,
    Table,
    Text,
    TypeDecorator,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

from licet_server.kit.database import metadata

_PLAIN: tuple[tuple[type[TypeEngine[Any]], str], ...] = (
    (Uuid, "uuidv7()"),
    (JSONB, "CAST('{}' AS jsonb)"),
    (DateTime, "now()"),
    (Date, "CAST('2030-01-01' AS date)"),
    (BigInteger, "1"),
    (Integer, "1"),
    (Numeric, "1"),
    (Boolean, "false"),
    (LargeBinary, "CAST('\\x00ff' AS bytea)"),
    (Text, "'x'"),
)
_CHECKED = {
    "mailed_tokens.purpose": "'PasswordReset'",
    "passkey_challenges.purpose": "'SignIn'",
    "license_mails.status": "'Failed'",
    "order_payments.kind": "'Refund'",
    "entitlement_set_features.value": "NULL",
}
"""What constraints demand of a column."""
LEFT_EMPTY = {"erasures"}
"""What is in it is encrypted as a whole: its job ends where the master key is missing."""


async def fill_empty_tables(db: AsyncConnection) -> set[str]:
    """Insert a row into each table without one, below rows of others; return those left empty."""
    left = set()
    for table in metadata.sorted_tables:
        if table.name in LEFT_EMPTY or await _has_rows(db, table):
            continue
        if not (await db.exec_driver_sql(_insert(table))).rowcount:
            left.add(table.name)
    return left


async def _has_rows(db: AsyncConnection, table: Table) -> bool:
    found = await db.exec_driver_sql(f"SELECT EXISTS (SELECT 1 FROM {table.name})")
    return bool(found.scalar_one())


def _insert(table: Table) -> str:
    """Return the statement that inserts a row, with keys of rows that stand."""
    given: dict[str, str] = {}
    joined = []
    keys = [item for item in table.constraints if isinstance(item, ForeignKeyConstraint)]
    for number, key in enumerate(keys):
        pairs = [(item.parent.name, item.column.name) for item in key.elements]
        if any(table.c[name].nullable for name, _ in pairs):
            continue
        same = [f"t{number}.{other} = {given[name]}" for name, other in pairs if name in given]
        joined.append(f"JOIN {key.referred_table.name} t{number} ON {' AND '.join(same) or 'true'}")
        for name, other in pairs:
            given.setdefault(name, f"t{number}.{other}")
    values = {
        column.name: given.get(column.name) or _value(column)
        for column in table.columns
        if column.name in given or not (column.computed or _is_left_out(column))
    }
    names = ", ".join(f'"{name}"' for name in values)
    return (
        f"INSERT INTO {table.name} ({names}) OVERRIDING SYSTEM VALUE "
        f"SELECT {', '.join(values.values())} FROM (SELECT 1) AS one {' '.join(joined)} LIMIT 1"
    )


def _is_left_out(column: Column[Any]) -> bool:
    has_key = bool(column.nullable and column.foreign_keys)
    return has_key or column.server_default is not None


def _value(column: Column[Any]) -> str:
    kind = column.type
    while isinstance(kind, TypeDecorator):
        kind = kind.impl_instance
    plain = next(text for of_kind, text in _PLAIN if isinstance(kind, of_kind))
    return _CHECKED.get(f"{column.table.name}.{column.name}", plain)
