"""The schema in 8 partitions by institution, on a real PostgreSQL."""

from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any
from uuid import UUID, uuid5

import pytest
from crossing import CROSSING
from partitions import (
    PARTITIONS,
    NotPartitionable,
    create_partitioned,
    migrate_partitioned,
    partitioned,
)
from shared_postgres import SharedPostgres
from sqlalchemy import Column, MetaData, PrimaryKeyConstraint, Table, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from statement_reach import Reach, observe
from testkit import numbers

from licet_server.kit.database import Id, String, metadata
from licet_server.kit.placement import Placement, citus_statements, tables_of
from licet_server.kit.routing import TENANT

DISTRIBUTED = {table.name for table in tables_of(metadata, Placement.DISTRIBUTED)}

_PARTS = """
    SELECT whole.relname, count(*) FROM pg_inherits
    JOIN pg_class part ON part.oid = inhrelid AND part.relkind = 'r'
    JOIN pg_class whole ON whole.oid = inhparent GROUP BY 1
"""
_WHOLE = "relnamespace = 'public'::regnamespace AND NOT relispartition"
_INDEXES = f"""
    SELECT relname, replace(pg_get_indexdef(oid), ' ON ONLY ', ' ON ') FROM pg_class
    WHERE relkind IN ('i', 'I') AND {_WHOLE} ORDER BY 1
"""
_CONSTRAINTS = f"""
    SELECT conname, pg_get_constraintdef(c.oid) FROM pg_constraint c
    JOIN pg_class t ON t.oid = conrelid
    WHERE contype <> 'n' AND conparentid = 0 AND {_WHOLE} ORDER BY 1
"""


@pytest.fixture(scope="module")
async def urls(postgres: SharedPostgres) -> tuple[str, str]:
    """An empty database with whole tables, and one with tables in partitions."""
    whole, parts = (postgres.create_database(f"{name}_{next(numbers)}").url for name in "wp")
    engine = create_async_engine(whole)
    async with engine.begin() as db:
        await db.run_sync(metadata.create_all)
    await engine.dispose()
    await migrate_partitioned(parts)
    return whole, parts


@pytest.fixture
async def whole(urls: tuple[str, str]) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(urls[0])
    async with engine.connect() as db:
        yield db
    await engine.dispose()


@pytest.fixture
async def divided(urls: tuple[str, str]) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(urls[1])
    async with engine.connect() as db:
        yield db
    await engine.dispose()


async def rows(db: AsyncConnection, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await db.execute(text(sql))]


async def test_every_tenant_table_has_its_partitions(divided: AsyncConnection) -> None:
    assert dict(await rows(divided, _PARTS)) == dict.fromkeys(DISTRIBUTED, PARTITIONS)
    assert {"licenses", "meter_entries", "session_slots", "events"} <= DISTRIBUTED


async def test_no_index_and_no_constraint_is_missing(
    whole: AsyncConnection, divided: AsyncConnection
) -> None:
    own = "alembic_version"
    for sql in (_INDEXES, _CONSTRAINTS):
        found = [row for row in await rows(divided, sql) if not row[0].startswith(own)]
        assert found == await rows(whole, sql)


_STAND_INS = (
    "CREATE FUNCTION create_reference_table(regclass) RETURNS void LANGUAGE sql AS ''",
    (
        "CREATE FUNCTION create_distributed_table(regclass, text, colocate_with text)"
        " RETURNS void LANGUAGE sql AS ''"
    ),
)


async def test_the_statements_for_citus_run_and_leave_the_schema_as_it_was(
    whole: AsyncConnection,
) -> None:
    """Citus's own functions are replaced by ones that do nothing."""
    before = await rows(whole, _CONSTRAINTS)
    for statement in (*_STAND_INS, *citus_statements(metadata)):
        await whole.execute(text(statement))
    assert await rows(whole, _CONSTRAINTS) == before
    await whole.rollback()


async def test_each_row_is_in_the_partition_of_its_institution(divided: AsyncConnection) -> None:
    await divided.execute(
        text(
            "INSERT INTO audit_chains (institution_id, id, secret, number, seal, mark, sealed_at) "
            "SELECT i, gen_random_uuid(), '', 0, '', '', now() "
            "FROM (SELECT gen_random_uuid() AS i FROM generate_series(1, 500)) ids"
        )
    )
    strays = (
        "SELECT count(*) FROM audit_chains WHERE NOT satisfies_hash_partition("
        f"'audit_chains'::regclass, {PARTITIONS}, "
        "substring(tableoid::regclass::text from '\\d+$')::int, institution_id)"
    )
    assert await rows(divided, strays) == [(0,)]
    used = await rows(divided, "SELECT count(DISTINCT tableoid) FROM audit_chains")
    assert used == [(PARTITIONS,)]
    await divided.rollback()


def forgetful() -> MetaData:
    """Tables like ours, and a new one whose key forgets the institution."""
    tables = MetaData(naming_convention=metadata.naming_convention)
    Table(
        "vouchers",
        tables,
        Column(TENANT, Id, nullable=False),
        Column("id", Id, nullable=False),
        Column("code", String, unique=True),
        PrimaryKeyConstraint("id"),
    )
    return tables


def test_a_table_whose_key_forgets_the_institution_is_named() -> None:
    with pytest.raises(NotPartitionable) as raised:
        partitioned(forgetful())
    assert sorted(str(raised.value).splitlines()) == [
        "vouchers_code_key of vouchers is unique without institution_id: add it to the key.",
        "vouchers_pkey of vouchers is unique without institution_id: add it to the key.",
    ]


async def test_postgresql_refuses_such_a_table_too(
    postgres: SharedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("partitions.placement_faults", lambda _: [])
    engine = create_async_engine(postgres.create_database(f"forgetful_{next(numbers)}").url)
    with pytest.raises(DBAPIError, match="must include all partitioning columns"):
        async with engine.begin() as db:
            await db.run_sync(create_partitioned, forgetful())
    await engine.dispose()


ONE, TWO = (uuid5(UUID(int=0), name) for name in "ac")
ALL = [ONE, TWO, *(uuid5(UUID(int=0), str(n)) for n in range(6))]
PRODUCT = (
    "INSERT INTO products (institution_id, id, name, access_type, settings, created_at, updated_at)"
    " VALUES ($1, $2, 'Product', 'Opened', '{}', now(), now())"
)
WANTED = "unnest($1::uuid[], $2::uuid[]) AS wanted(institution_id, id)"
OF_ROWS = "p.institution_id = wanted.institution_id AND p.id = wanted.id"
JOINED = "SELECT 1 FROM products p, releases r WHERE p.institution_id = $1 AND r.product_id = p.id"
BESIDE = (
    "SELECT 1 FROM products p LEFT JOIN releases r ON r.institution_id = p.institution_id"
    " AND r.product_id = p.id WHERE p.institution_id = ANY($1::uuid[])"
)
LIMITED = f"(SELECT name FROM products p WHERE {OF_ROWS} LIMIT 1) found"


@pytest.fixture
async def raw(divided: AsyncConnection) -> AsyncIterator[Any]:
    """A connection of the driver, with a product in each of eight institutions."""
    driver = (await divided.get_raw_connection()).driver_connection
    assert driver is not None
    transaction = driver.transaction()
    await transaction.start()
    for institution in ALL:
        await driver.execute(
            "INSERT INTO institutions (id, name, created_at) VALUES ($1, 'x', now())", institution
        )
        await driver.execute(PRODUCT, institution, institution)
    yield driver
    await transaction.rollback()


@pytest.mark.parametrize(
    ("statement", "values", "reach"),
    [
        ("SELECT 1 FROM institutions WHERE id = $1", [ONE], Reach.NO_TENANT),
        ("SELECT 1 FROM products WHERE institution_id = $1 AND id = $2", [ONE, ONE], Reach.ONE),
        ("SELECT 1 FROM products WHERE institution_id = $1", [UUID(int=7)], Reach.ONE),
        ("UPDATE products SET name = '' WHERE institution_id = $1", [ONE], Reach.ONE),
        ("DELETE FROM products WHERE institution_id = $1", [ONE], Reach.ONE),
        ("SELECT 1 FROM products WHERE institution_id = $1 FOR UPDATE", [ONE], Reach.ONE),
        (f"{JOINED} AND r.institution_id = p.institution_id", [ONE], Reach.ONE),
        (BESIDE, [[ONE, TWO]], Reach.SEVERAL),
        (f"SELECT 1 FROM {WANTED}, products p WHERE {OF_ROWS}", [[ONE], [ONE]], Reach.FOUND),
        (f"SELECT 1 FROM {WANTED}, LATERAL {LIMITED}", [[ONE, TWO], [ONE, TWO]], Reach.SEVERAL),
        (
            "SELECT 1 FROM products WHERE institution_id = ANY($1::uuid[])",
            [[ONE, TWO]],
            Reach.SEVERAL,
        ),
        ("SELECT 1 FROM products WHERE id = $1", [ONE], Reach.MORE),
        ("SELECT 1 FROM products WHERE id = $1 LIMIT 1", [ONE], Reach.MORE),
        ("UPDATE products SET name = '' WHERE id = $1", [ONE], Reach.MORE),
        (f"SELECT 1 FROM {WANTED}, products p WHERE p.id = wanted.id", [[ONE], [ONE]], Reach.MORE),
        (JOINED, [ONE], Reach.MORE),
        (
            "SELECT 1 FROM products WHERE institution_id = $1 OR name = 'Product'",
            [ONE],
            Reach.MORE,
        ),
    ],
)
async def test_how_far_a_statement_reaches(
    raw: Any, statement: str, values: list[Any], reach: Reach
) -> None:
    run = await observe(raw, statement, values)
    assert run is not None
    assert run.reach is reach


async def test_what_was_not_run_proves_nothing(raw: Any) -> None:
    unknown = UUID(int=7)
    statement = (
        f"SELECT 1 FROM {WANTED}, products p, releases r WHERE {OF_ROWS}"
        " AND r.institution_id = wanted.institution_id AND r.id = p.id"
    )
    run = await observe(raw, statement, [[unknown], [unknown]])
    assert run is not None
    assert not run.proves
    run = await observe(raw, "SELECT 1 FROM products WHERE id = ANY($1::uuid[])", [ALL])
    assert run is not None
    assert not run.proves
    assert await observe(raw, "SELECT nothing FROM products", []) is None


@pytest.mark.parametrize("sender", CROSSING)
def test_what_crosses_institutions_still_exists(sender: str) -> None:
    module, _, function = sender.partition(":")
    assert callable(getattr(import_module(f"licet_server.{module}"), function))
