"""Migrations: one chain of files that never change again, and a word for databases outside it."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from alembic.config import Config
from e2e.forked import Forked
from patience import PATIENCE_S
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from testkit import numbers

import licet_server.migrations
from licet_server.migrations import UnknownSchema, config, migrate

VERSIONS = Path(licet_server.migrations.__file__).parent / "versions"
HASHES = {
    "1001_first_release.py": "7a84bdfe8cacefee8bc72d11f7fac54f3c7d55f04c2f9e0d92aff8bb83a8f3ed",
    "1001_first_release.sql": "754e587b5296ae41ad1f49dca6d008cd285803ff1f45c955482df9f7554ca6f7",
    "1002_quiet_pools.py": "61a8fa5c1a2646de92f7cd59829ed47ceb5dfbde150af66ff8183244eb21ba1a",
    "1003_facts_of_notifications.py": (
        "12c1642046b37329ab3f79574ad8f641c1c3146c1c19044baabd3171875e1003"
    ),
    "1004_dated_payments.py": "c3c2af01a5ce8ba96135eb9c918758b250e953385699bcb64b897a565a2787cf",
    "1005_words_of_orders.py": "9ee49f16886a6ef4d8d84d6718c3fb821b062ada192670ad0574617e757d9304",
    "1006_disputed_orders.py": "825356fff2bc3c973d0574c66af9a9097069dfbfbd65586351e3c216cdab170b",
    "1007_translated_welcomes.py": (
        "9442b74ebb38d244b35aba7a4b34918a3937a9bc1b0151e67857eee531977e41"
    ),
    "1010_renewal_pages.py": "a1ad805f284a5fe32e6c3226675be9c95bb58d71497c06008d8da8286a13f3b2",
    "1011_find_sessions.py": "ea22eb43a727f4faa632970c8a36e423d64b6c144c3425e58b9b9a993c1ca390",
    "1012_folded_search.py": "dacdbaec8a0a1e33ee930b51191ab6c4a1f8e6d59be038cf12e0c486b942c644",
    "1013_order_filters.py": "b140608a8b127811dbc89999b3e604618b083ee703caee81a6c51c9c827a6e10",
    "1014_report_schedule.py": "b738dfbde2ceceede066f5a496fc61d59e235e1354e437c879a1f35393b683b7",
}
"""SHA-256 of every migration. A new one adds a line; a line never changes."""


def test_no_migration_has_changed() -> None:
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VERSIONS.glob("*.*")
    }
    assert found == HASHES


@pytest.mark.parametrize(
    ("revision", "sentence"),
    [
        ("0020", "created by a development version of Licet.*Start with an empty data folder"),
        ("0050_key_endings", "created by a development version of Licet"),
        ("1997_something", "belongs to a newer release"),
    ],
)
async def test_an_unknown_schema_is_refused_and_left_as_it_is(
    new_database: Callable[[], str], revision: str, sentence: str
) -> None:
    url = new_database()
    engine = create_async_engine(url)
    async with engine.begin() as db:
        await db.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
    with pytest.raises(UnknownSchema, match=sentence):
        await migrate(url)
    async with engine.connect() as db:
        assert (
            await db.execute(text("SELECT version_num FROM alembic_version"))
        ).scalar() == revision
    await engine.dispose()


HEADER = """
import sqlalchemy as sa
from alembic import op
from licet_server.migrations.turns import create_index_concurrently

revision, down_revision = "{revision}", "{before}"
branch_labels = depends_on = None


def upgrade():
"""
LATER = {
    "1998_column": 'op.add_column("events", sa.Column("later", sa.Text()))',
    "1999_index": 'create_index_concurrently("later_idx", "idempotency_records", ["body_hash"])',
}


class Later:
    """A database of this release, and the migrations of a later one."""

    head = "1999_index"

    def __init__(self, url: str, engine: AsyncEngine, versions: Path) -> None:
        self.url, self.engine, self.versions = url, engine, versions

    async def migrate(self, say: Callable[[str], None] = lambda _: None) -> None:
        await _migrate_later(self.url, str(self.versions), say)

    async def value(self, query: str) -> object:
        async with self.engine.connect() as db:
            return (await db.execute(text(query))).scalar_one()

    async def version(self) -> object:
        return await self.value("SELECT version_num FROM alembic_version")


async def _migrate_later(url: str, versions: str, say: Callable[[str], None]) -> None:
    def later(connection: Connection | None = None) -> Config:
        found = config(connection)
        found.set_main_option("version_locations", os.pathsep.join([str(VERSIONS), versions]))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(licet_server.migrations, "config", later)
        await migrate(url, say)


def _migrate_in_a_process(url: str, versions: str) -> None:
    asyncio.run(_migrate_later(url, versions, print))


@pytest.fixture
async def later(new_database: Callable[[], str], tmp_path: Path) -> AsyncIterator[Later]:
    versions = tmp_path / "versions"
    versions.mkdir()
    before = max(path.stem for path in VERSIONS.glob("*.py"))
    for revision, change in LATER.items():
        header = HEADER.format(revision=revision, before=before)
        (versions / f"{revision}.py").write_text(f"{header}    {change}\n")
        before = revision
    url = new_database()
    engine = create_async_engine(url, connect_args={"server_settings": {"lock_timeout": "60s"}})
    yield Later(url, engine, versions)
    await engine.dispose()


async def test_requests_go_on_while_a_migration_waits_for_a_long_reader(later: Later) -> None:
    said: list[str] = []
    async with later.engine.connect() as reader:
        await reader.execute(text("SELECT * FROM events"))
        migrating = asyncio.create_task(later.migrate(said.append))
        served = 0
        async with asyncio.timeout(120):
            while len(said) < 2:  # each try makes requests wait for its lock timeout, and no longer
                await later.value("SELECT count(*) FROM events")
                served += 1
        assert served > 2
        assert not migrating.done()
        await reader.rollback()
    await migrating
    assert all(line.startswith("A table is in use; the migration tries again") for line in said)
    assert await later.version() == later.head


async def test_an_index_is_created_while_rows_are_written(later: Later) -> None:
    insert = text(
        "INSERT INTO idempotency_records (caller, route, key, body_hash, created_at)"
        " VALUES ('c', 'r', :key, '', now())"
    )
    building = text(
        "SELECT count(*) FROM pg_stat_progress_create_index WHERE datname = current_database()"
    )
    snapshot = later.engine.execution_options(isolation_level="REPEATABLE READ")
    async with snapshot.connect() as reader:
        await reader.execute(text("SELECT 1"))  # an old snapshot, which the index waits for
        migrating = asyncio.create_task(later.migrate())
        written = 0
        async with asyncio.timeout(120):
            while written < 20:
                async with later.engine.begin() as db:
                    await db.execute(insert, {"key": str(next(numbers))})
                    written += bool((await db.execute(building)).scalar())
        assert not migrating.done()
    await migrating


async def test_processes_take_turns_and_replace_the_remains_of_an_index(
    later: Later, tmp_path: Path
) -> None:
    insert = (
        "INSERT INTO idempotency_records (caller, route, key, body_hash, created_at)"
        " SELECT 'c', 'r', n::text, '', '2030-01-01' FROM generate_series(1, 2) n"
    )
    remains = "CREATE UNIQUE INDEX CONCURRENTLY later_idx ON idempotency_records (body_hash)"
    outside = later.engine.execution_options(isolation_level="AUTOCOMMIT")
    async with outside.connect() as db:
        await db.execute(text(insert))
        with pytest.raises(IntegrityError):
            await db.execute(text(remains))
    plan = (_migrate_in_a_process, later.url, str(later.versions))
    each = [Forked(*plan, variables={}, output=tmp_path / f"{number}.log") for number in range(3)]
    for process in each:
        code = await asyncio.to_thread(process.wait, PATIENCE_S)
        assert code == 0
    assert await later.version() == later.head
    assert await later.value(
        "SELECT indisvalid AND NOT indisunique FROM pg_index"
        " WHERE indexrelid = 'later_idx'::regclass"
    )
