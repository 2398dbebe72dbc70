"""Fills the database with licenses, with the columns that the API writes, but faster."""

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
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
    "max_active_users_count",
    "initial_meter_balance",
    "activation_mode",
    "created_at",
    "updated_at",
)


@dataclass(frozen=True, slots=True)
class Terms:
    """A license model with the terms it needs."""

    type: str
    seats: int | None = None
    balance: int | None = None


PERPETUAL = Terms("Perpetual")


def floating(seats: int) -> Terms:
    """A Floating license with this many seats."""
    return Terms("Floating", seats=seats)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """A connection without the service's settings, in autocommit."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        yield connection
    finally:
        await connection.close()


async def copy_licenses(
    url: str, product: dict[str, Any], release_id: str, count: int, terms: Terms = PERPETUAL
) -> list[str]:
    """Insert licenses with these terms by COPY; return their keys, in the service's format.

    Metered licenses have no wallet until `open_wallets`.
    """
    keys = [_key() for _ in range(count)]
    async with connected(url) as db:
        await db.copy_records_to_table(
            "licenses", records=_records(keys, product, UUID(release_id), terms), columns=_COLUMNS
        )
        await db.execute("UPDATE products SET license_count = license_count + $1", count)
        await db.execute("VACUUM ANALYZE")
    return keys


async def copy_activations(url: str, hardware_id: str) -> None:
    """Activate the same machine on every license."""
    async with connected(url) as db:
        await db.execute(_script("activations.sql"), hardware_id)
        await db.execute("VACUUM ANALYZE")


async def open_wallets(url: str) -> None:
    """Create a wallet for each metered license, with its initial balance."""
    async with connected(url) as db:
        await db.execute(_script("wallets.sql"))
        await db.execute("VACUUM ANALYZE")


async def use_wallets(url: str, *, entries: int, days: int) -> None:
    """Add `entries` charges per wallet in the last week, not rolled up, and `days` of rollups."""
    script = _script("usage.sql").replace(":each", str(entries)).replace(":days", str(days))
    async with connected(url) as db:
        await db.execute(script)
        await db.execute("VACUUM ANALYZE")


async def fill_all_seats(url: str) -> None:
    """Create a live session in every seat of every Floating license."""
    async with connected(url) as db:
        await db.execute(_script("seats.sql"))
        await db.execute("VACUUM ANALYZE")


def with_dashes(key: str) -> str:
    """Format a key with dashes."""
    return "-".join(key[start : start + 5] for start in range(0, 25, 5))


def _script(name: str) -> str:
    text = (Path(__file__).parent / name).read_text()
    return text.replace(":now", f"timestamptz '{system_clock()}'")


def _records(
    keys: list[str], product: dict[str, Any], release_id: UUID, terms: Terms
) -> Iterator[tuple[object, ...]]:
    institution_id, product_id = UUID(product["institutionId"]), UUID(product["id"])
    now = system_clock()
    for number, key in enumerate(keys):
        yield (
            institution_id,
            new_id(now + timedelta(microseconds=number)),
            product_id,
            release_id,
            terms.type,
            with_dashes(key),
            key,
            f"License {number}",
            f"customer-{number}@example.com",
            None,
            terms.seats,
            terms.balance,
            "Online",
            now,
            now,
        )


def _key() -> str:
    number = secrets.randbits(120)
    payload = "".join(ALPHABET[number >> 5 * place & 31] for place in range(24))
    return payload + check_symbol(payload)


async def fill_licenses(engine: AsyncEngine, count: int) -> None:
    """Create a vendor with five years of sales: `count` licenses of two products, all models.

    Indexes are created afterwards, from the table definitions, and the table is left as after an
    autovacuum.
    """
    script = _script("listing.sql").replace(":rows", str(count))
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
