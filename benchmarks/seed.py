"""Fills the database with licenses, faster than the API would and with the same columns."""

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from licet_server.kit.clock import system_clock
from licet_server.kit.ids import new_id
from licet_server.licenses.rules.keys import ALPHABET, check_symbol
from licet_server.licenses.tables import licenses

VENDOR = UUID("01900000-0000-7000-8000-000000000001")
_COLUMNS = (
    "institution_id",
    "id",
    "product_id",
    "software_release_id",
    "type",
    "license_key",
    "normal_key",
    "license_name",
    "issued_to",
    "issuer",
    "activation_mode",
    "created_at",
    "updated_at",
)


async def copy_licenses(
    url: str, product: dict[str, Any], release_id: str, count: int
) -> list[str]:
    """Perpetual licenses with keys as the service makes them, by COPY; answers the keys."""
    keys = [_key() for _ in range(count)]
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        await connection.copy_records_to_table(
            "licenses", records=_records(keys, product, UUID(release_id)), columns=_COLUMNS
        )
        await connection.execute("UPDATE products SET license_count = license_count + $1", count)
        await connection.execute("VACUUM ANALYZE")
    finally:
        await connection.close()
    return keys


def _records(
    keys: list[str], product: dict[str, Any], release_id: UUID
) -> Iterator[tuple[object, ...]]:
    institution_id, product_id = UUID(product["institutionId"]), UUID(product["id"])
    now = system_clock()
    for number, key in enumerate(keys):
        groups = "-".join(key[start : start + 5] for start in range(0, 25, 5))
        yield (
            institution_id,
            new_id(now + timedelta(microseconds=number)),
            product_id,
            release_id,
            "Perpetual",
            groups,
            key,
            f"License {number}",
            f"customer-{number}@example.com",
            None,
            "Online",
            now,
            now,
        )


def _key() -> str:
    number = secrets.randbits(120)
    payload = "".join(ALPHABET[number >> 5 * place & 31] for place in range(24))
    return payload + check_symbol(payload)


async def fill_shelf(engine: AsyncEngine, count: int, now: datetime) -> None:
    """A vendor of five years: `count` licenses of two products, every model and status.

    The indexes are made afterwards, from the tables of the source, and the table is left as after
    an autovacuum.
    """
    script = (Path(__file__).parent / "shelf.sql").read_text()
    script = script.replace(":rows", str(count)).replace(":now", f"timestamptz '{now}'")
    async with engine.begin() as db:
        for index in licenses.indexes:
            await db.execute(text(f"DROP INDEX IF EXISTS {index.name}"))
        await db.execute(text("SET LOCAL session_replication_role = replica"))
        await db.execute(text("SET LOCAL statement_timeout = 0"))
        for statement in script.split(";\n"):
            await db.exec_driver_sql(statement)
        for index in licenses.indexes:
            await db.run_sync(index.create)
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as db:
        await db.execute(text("SET statement_timeout = 0"))
        await db.execute(text("VACUUM ANALYZE"))
