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
from sqlalchemy import Index
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex

from licet_server.kit.clock import system_clock
from licet_server.kit.ids import new_id
from licet_server.licenses.rules.keys import ALPHABET, check_symbol
from licet_server.licenses.tables import licenses
from licet_server.metering.tables import meter_entries

VENDOR = UUID("01900000-0000-7000-8000-000000000001")
_COLUMNS = (
    "institution_id",
    "id",
    "product_id",
    "software_release_id",
    "policy_id",
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
    policy_id: UUID | None = None


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


async def copy_activations(url: str, hardware_id: str, model: str | None = None) -> None:
    """Activate the same machine on every license, or on every one of this model."""
    async with connected(url) as db:
        await db.execute(_script("activations.sql"), hardware_id, model)
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


async def charge_all_wallets(url: str, each: int) -> None:
    """Add `each` charges to each wallet, spread over last week, as if they were rolled up.

    Nothing else may use the ledger meanwhile: its indexes are dropped, and created afterwards.
    """
    script = _script("charges.sql").replace(":each", str(each))
    primary_key = ", ".join(column.name for column in meter_entries.primary_key)
    async with connected(url) as db:
        await db.execute("ALTER TABLE meter_entries DROP CONSTRAINT meter_entries_pkey")
        for index in meter_entries.indexes:
            await db.execute(f"DROP INDEX {index.name}")
        for n in range(1, each + 1):
            await db.execute(script, n)
        await db.execute(
            f"UPDATE meter_wallets SET version = version + {each}, balance = balance - {each}"
        )
        await db.execute(f"UPDATE meter_counts SET counted = counted + {each}")
        await db.execute(f"ALTER TABLE meter_entries ADD PRIMARY KEY ({primary_key})")
        for index in meter_entries.indexes:
            await db.execute(_definition(index))
        await db.execute("VACUUM ANALYZE")


async def fill_all_seats(url: str, most: int = 2**31 - 1) -> None:
    """Create a live session in every seat of every Floating license, or in so many of each."""
    async with connected(url) as db:
        await db.execute(_script("seats.sql").replace(":most", str(most)))
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
            terms.policy_id,
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


async def fill_licenses(url: str, count: int) -> None:
    """Create a vendor with five years of sales: `count` licenses of two products, all models.

    `url` is that of a superuser, who can skip the foreign key checks. Indexes are created
    afterwards, from the table definitions, and the table is left as after an autovacuum.
    """
    script = _script("listing.sql").replace(":rows", str(count))
    async with connected(url) as db:
        async with db.transaction():
            for index in licenses.indexes:
                await db.execute(f"DROP INDEX IF EXISTS {index.name}")
            await db.execute("SET LOCAL session_replication_role = replica")
            await db.execute(script)
            for index in licenses.indexes:
                await db.execute(_definition(index))
        await db.execute("VACUUM ANALYZE")


def _definition(index: Index) -> str:
    return str(CreateIndex(index).compile(dialect=postgresql.dialect()))  # type: ignore[no-untyped-call]
