"""Rule 1 of the data, read from PostgreSQL's own catalog of a migrated database."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from placement_faults import is_of_tenants
from shared_postgres import SharedPostgres
from sqlalchemy import Column, Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.app import Application
from licet_server.kit.database import metadata
from licet_server.kit.postgres import Address, find_binaries
from licet_server.kit.routing import TENANT
from licet_server.migrations import migrate
from licet_server.restoring import list_foreign

pytestmark = pytest.mark.undivided

OWN = {"alembic_version"}
TENANT_TABLES = {table.name for table in metadata.tables.values() if is_of_tenants(table)}
GLOBAL_TABLES = set(metadata.tables) - TENANT_TABLES

_FOUND_BY_LESS = "an index on the institution and the id alone finds the same rows"
UNINDEXED = {
    "entitlement_set_features_set_fkey": _FOUND_BY_LESS,
    "entitlement_set_features_feature_fkey": _FOUND_BY_LESS,
    "licenses_product_fkey": _FOUND_BY_LESS,
    "test_clocks_product_fkey": _FOUND_BY_LESS,
}
"""Foreign keys of tenant tables that no index begins with, each with the reason why not."""

_UNIQUE = """
    SELECT t.relname, i.relname, x.indisprimary,
           array(SELECT pg_get_indexdef(x.indexrelid, n, true)
                 FROM generate_series(1, x.indnkeyatts) n)
    FROM pg_index x
    JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_class t ON t.oid = x.indrelid
    WHERE t.relnamespace = 'public'::regnamespace AND x.indisunique
"""
_INDEXED = """
    SELECT t.relname,
           array(SELECT pg_get_indexdef(x.indexrelid, n, true)
                 FROM generate_series(1, x.indnkeyatts) n)
    FROM pg_index x
    JOIN pg_class t ON t.oid = x.indrelid
    JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_am a ON a.oid = i.relam
    WHERE t.relnamespace = 'public'::regnamespace AND a.amname = 'btree' AND (
        x.indpred IS NULL  -- or it leaves out only rows that refer to nothing
        OR pg_get_expr(x.indpred, x.indrelid) = (
            SELECT format('(%s IS NOT NULL)', pg_get_indexdef(x.indexrelid, 2, true))
        )
    )
"""
_FOREIGN = """
    SELECT t.relname, c.conname, r.relname,
           array(SELECT attname FROM unnest(c.conkey) WITH ORDINALITY k(n, o)
                 JOIN pg_attribute ON attrelid = c.conrelid AND attnum = k.n ORDER BY k.o),
           array(SELECT attname FROM unnest(c.confkey) WITH ORDINALITY k(n, o)
                 JOIN pg_attribute ON attrelid = c.confrelid AND attnum = k.n ORDER BY k.o)
    FROM pg_constraint c
    JOIN pg_class t ON t.oid = c.conrelid
    JOIN pg_class r ON r.oid = c.confrelid
    WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
"""


@pytest.fixture
async def db(new_database: Callable[[], str]) -> AsyncIterator[AsyncConnection]:
    """A connection to a migrated database of its own."""
    engine = create_async_engine(new_database())
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


async def rows(db: AsyncConnection, sql: str) -> Sequence[Any]:
    return (await db.execute(text(sql))).all()


async def primary_key_breaches(db: AsyncConnection) -> list[str]:
    found = {table: columns for table, _, is_pk, columns in await rows(db, _UNIQUE) if is_pk}
    return [name for name in TENANT_TABLES if found.get(name, [""])[0] != TENANT]


async def unique_breaches(db: AsyncConnection) -> list[str]:
    return [
        index
        for table, index, _, columns in await rows(db, _UNIQUE)
        if table in TENANT_TABLES and columns[0] != TENANT
    ]


async def foreign_key_breaches(db: AsyncConnection) -> list[str]:
    return [
        name
        for table, name, target, own, theirs in await rows(db, _FOREIGN)
        if {table, target} <= TENANT_TABLES and (own[0], theirs[0]) != (TENANT, TENANT)
    ]


async def unindexed_foreign_keys(db: AsyncConnection) -> set[str]:
    indexes = [(table, tuple(columns)) for table, columns in await rows(db, _INDEXED)]
    return {
        name
        for table, name, _, own, _ in await rows(db, _FOREIGN)
        if table in TENANT_TABLES
        and not any(on == table and columns[: len(own)] == tuple(own) for on, columns in indexes)
    }


async def test_every_table_is_known(db: AsyncConnection) -> None:
    found = await rows(db, "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm')"
                           " AND relnamespace = 'public'::regnamespace")  # fmt: skip
    assert {name for (name,) in found} == TENANT_TABLES | GLOBAL_TABLES | OWN
    assert "licenses" in TENANT_TABLES
    assert "users" in GLOBAL_TABLES


async def test_the_institution_comes_first_everywhere(db: AsyncConnection) -> None:
    assert await primary_key_breaches(db) == []
    assert await unique_breaches(db) == []
    assert await foreign_key_breaches(db) == []


async def test_every_tenant_row_names_an_institution(db: AsyncConnection) -> None:
    nullable = await rows(
        db,
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' "
        f"AND column_name = '{TENANT}' AND is_nullable = 'YES'",
    )
    assert nullable == []


async def test_every_foreign_key_has_an_index(db: AsyncConnection) -> None:
    assert await unindexed_foreign_keys(db) == set(UNINDEXED)


async def test_these_checks_see_breaches(db: AsyncConnection) -> None:
    """Controls: each breach, made by hand, is found."""
    for statement in (
        "ALTER TABLE events DROP CONSTRAINT events_pkey CASCADE",
        "ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (id, institution_id)",
        "CREATE UNIQUE INDEX licenses_key_alone ON licenses (normal_key)",
        "ALTER TABLE products ADD CONSTRAINT products_turned UNIQUE (id, institution_id)",
        (
            "ALTER TABLE licenses ADD CONSTRAINT licenses_turned FOREIGN KEY "
            "(product_id, institution_id) REFERENCES products (id, institution_id)"
        ),
        "DROP INDEX licenses_release_idx",
    ):
        await db.execute(text(statement))
    assert await primary_key_breaches(db) == ["events"]
    assert {"licenses_key_alone", "products_turned"} < set(await unique_breaches(db))
    assert await foreign_key_breaches(db) == ["licenses_turned"]
    assert "licenses_institution_id_software_release_id_fkey" in await unindexed_foreign_keys(db)
    assert await db.run_sync(_differences) != []
    await db.rollback()


async def test_nothing_but_tables(db: AsyncConnection) -> None:
    assert await rows(db, "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal") == []
    assert await rows(db, "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'") == []
    own = "pronamespace = 'public'::regnamespace"
    assert await rows(db, f"SELECT proname FROM pg_proc WHERE {own}") == []
    assert await rows(db, "SELECT rulename FROM pg_rules WHERE schemaname = 'public'") == []


def _differences(connection: Connection) -> list[Any]:
    def alembic_compares(item: Any, _name: object, kind: str, *_: object) -> bool:
        """Return whether Alembic can compare an item; other tests compare expressions."""
        return kind != "index" or all(isinstance(it, Column) for it in item.expressions)

    opts = {
        "compare_type": True,
        "compare_server_default": True,
        "include_object": alembic_compares,
    }
    context = MigrationContext.configure(connection, opts=opts)
    return list(compare_metadata(context, metadata))


async def test_migrations_make_what_the_code_describes(db: AsyncConnection) -> None:
    assert await db.run_sync(_differences) == []


async def test_expressions_are_those_of_the_code(
    db: AsyncConnection, postgres: SharedPostgres
) -> None:
    """Alembic compares neither checks nor what indexes and generated columns compute."""
    engine = create_async_engine(postgres.create_database("described").url)
    async with engine.begin() as described:
        await described.run_sync(metadata.create_all)
        for sql in (
            (
                "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' "
                "AND tablename <> 'alembic_version' ORDER BY 1"
            ),
            (
                "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
                "WHERE connamespace = 'public'::regnamespace AND conname NOT LIKE 'alembic%' "
                "AND contype <> 'n' ORDER BY 1"
            ),
            (
                "SELECT table_name, column_name, is_nullable, data_type, column_default, "
                "generation_expression, numeric_precision, numeric_scale "
                "FROM information_schema.columns WHERE table_schema = 'public' "
                "AND table_name <> 'alembic_version' ORDER BY 1, 2"
            ),
            (
                "SELECT relname, relpersistence FROM pg_class WHERE relkind = 'r' "
                "AND relnamespace = 'public'::regnamespace AND relname <> 'alembic_version' "
                "ORDER BY 1"
            ),
        ):
            assert await rows(db, sql) == await rows(described, sql)
    await engine.dispose()


async def test_migrating_again_and_at_once(postgres: SharedPostgres) -> None:
    url = postgres.create_database("four_at_once").url
    await asyncio.gather(*(migrate(url) for _ in range(4)))
    await migrate(url)
    engine = create_async_engine(url)
    async with engine.connect() as db:
        assert len(await rows(db, "SELECT version_num FROM alembic_version")) == 1
        assert await db.run_sync(_differences) == []
    await engine.dispose()


async def test_what_a_restore_would_refuse_is_named(fresh_application: Application) -> None:
    platform = fresh_application.platform
    database = Address.of_url(str(platform.settings.database_url))
    assert await asyncio.to_thread(list_foreign, find_binaries(), database) == []
    async with platform.database.transaction() as db:
        for statement in (
            "CREATE VIEW own_report AS SELECT count(*) FROM licenses",
            "CREATE FUNCTION own_sum(a int) RETURNS int LANGUAGE sql AS 'SELECT a'",
            "CREATE INDEX own_plain ON licenses (license_name)",
            "CREATE INDEX own_computed ON licenses (upper(license_name))",
            "CREATE SCHEMA own",
        ):
            await db.execute(text(statement))
    assert await asyncio.to_thread(list_foreign, find_binaries(), database) == [
        "index public.own_computed",
        "pg_namespace own",
        "pg_proc own_sum",
        "relation public.own_report",
    ]
