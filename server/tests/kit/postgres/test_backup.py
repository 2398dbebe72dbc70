"""Backup and restore, with the embedded database and with an address alone."""

import stat
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kit.postgres.place import OLDER, Place, Rows
from kit.postgres.place import rows as rows_

from licet_server.kit.postgres import (
    Address,
    Binaries,
    EmbeddedPostgres,
    InUse,
    PostgresError,
    Schema,
    ToolFailed,
    backup,
    find_binaries,
)
from licet_server.kit.postgres import restore as restore_
from licet_server.kit.postgres.contents import differences, fingerprint
from licet_server.kit.postgres.programs import tool_environment

SET_NOTE = "ALTER TABLE ONLY public.t ALTER COLUMN n SET (pg_attver=29238256);"


TABLES = """
CREATE TABLE version (name text); INSERT INTO version VALUES ('1');
CREATE TABLE t (n int PRIMARY KEY, j jsonb, at timestamptz NOT NULL, b bytea, f float8);
CREATE SEQUENCE s;
"""
LINES = "CREATE TABLE version (name text); CREATE TABLE t (line text);"


def restore(
    binaries: Binaries,
    address: Address,
    source: Path,
    *,
    tables: str = TABLES,
    admin: Address | None = None,
    accept: Callable[[Address], None] = lambda _: None,
) -> str:
    schema = Schema("version", lambda sample, _: rows_(sample, tables) and None, accept)
    with source.open("rb") as content:
        return restore_(binaries, address, content, clock, schema, admin=admin)


def clock() -> datetime:
    return datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def sample(shared: EmbeddedPostgres, rows: Rows) -> Iterator[Address]:
    address = shared.create_database("sample")
    rows(
        address,
        f"""
        {TABLES}
        INSERT INTO t SELECT n, jsonb_build_object('n', n), now(), sha256(n::text::bytea), n / 3.0
        FROM generate_series(1, 500) n;
        SELECT nextval('s');
        """,
    )
    yield address
    for [name] in rows(shared.admin, "SELECT datname FROM pg_database WHERE datname ~ '^sample';"):
        shared.drop_database(name)


def test_a_backup_brings_everything_back_and_the_old_is_kept(
    shared: EmbeddedPostgres, sample: Address, tmp_path: Path, rows: Rows
) -> None:
    before = fingerprint(shared.binaries, sample)
    target = tmp_path / "licet.backup"
    target.write_text("an older one")
    size = backup(shared.binaries, sample, target)
    assert size == target.stat().st_size > 1000
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["licet.backup"]
    rows(sample, "DELETE FROM t; CREATE TABLE later (n int);")

    kept = restore(shared.binaries, sample, target, admin=shared.admin)

    assert kept == "sample_before_restore_20300102030405"
    assert differences(before, fingerprint(shared.binaries, sample)) == []
    assert rows(sample.of_database(kept), "SELECT count(*) FROM t;") == [["0"]]
    owners = rows(sample, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public';")
    assert owners == [["licet"]]


def test_a_plain_address_is_enough_for_a_role_that_may_make_databases(
    shared: EmbeddedPostgres, sample: Address, tmp_path: Path, rows: Rows
) -> None:
    url = shared.admin.of_database("sample").url
    address = Address.of_url(url)
    backup(shared.binaries, address, tmp_path / "b")
    restore(shared.binaries, address, tmp_path / "b")
    assert rows(address, "SELECT count(*) FROM t;") == [["500"]]


def test_no_restore_while_others_are_connected(
    shared: EmbeddedPostgres, sample: Address, tmp_path: Path, rows: Rows
) -> None:
    backup(shared.binaries, sample, tmp_path / "b")
    other = subprocess.Popen(
        [shared.binaries.program("psql"), "-X", "-q"],
        stdin=subprocess.PIPE,
        env=tool_environment(sample),
    )
    while rows(shared.admin, "SELECT 1 FROM pg_stat_activity WHERE datname = 'sample';") == []:
        pass
    with pytest.raises(InUse, match="sample has 1 other connections"):
        restore(shared.binaries, sample, tmp_path / "b", admin=shared.admin)
    other.communicate()
    restore(shared.binaries, sample, tmp_path / "b", admin=shared.admin)


def test_what_is_no_backup_changes_nothing(
    shared: EmbeddedPostgres, sample: Address, tmp_path: Path, rows: Rows
) -> None:
    backup(shared.binaries, sample, tmp_path / "b")
    (tmp_path / "text").write_text("no backup")
    whole = (tmp_path / "b").read_bytes()
    (tmp_path / "torn").write_bytes(whole[: len(whole) - 5000])
    for name in ("text", "torn"):
        with pytest.raises(ToolFailed, match="pg_restore"):
            restore(shared.binaries, sample, tmp_path / name, admin=shared.admin)
    assert rows(sample, "SELECT count(*) FROM t;") == [["500"]]
    left = rows(shared.admin, "SELECT datname FROM pg_database WHERE datname ~ '^sample_';")
    assert left == []


def test_a_failed_backup_leaves_the_older_one(shared: EmbeddedPostgres, tmp_path: Path) -> None:
    target = tmp_path / "b"
    target.write_text("an older one")
    with pytest.raises(ToolFailed, match="does not exist"):
        backup(shared.binaries, shared.address.of_database("nowhere"), target)
    assert target.read_text() == "an older one"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE t SET f = f + 1e-9 WHERE n = 250",
        "DELETE FROM t WHERE n = 1",
        "UPDATE t SET n = 1000 - n",
        "SELECT nextval('s')",
        "ALTER TABLE t DROP CONSTRAINT t_pkey",
        "CREATE VIEW v AS SELECT 1 AS one",
    ],
)
def test_a_fingerprint_sees_any_change(
    shared: EmbeddedPostgres, sample: Address, rows: Rows, change: str
) -> None:
    before = fingerprint(shared.binaries, sample)
    assert 'table "public"."t"' in before
    rows(sample, f"{change};")
    assert differences(before, fingerprint(shared.binaries, sample)) != []


@pytest.fixture(params=[None, *OLDER])
def of_version(request: pytest.FixtureRequest, place: Place) -> Iterator[EmbeddedPostgres]:
    """A server of each version that is supported and installed."""
    with place.postgres(binaries=find_binaries(request.param)) as server:
        yield server


def test_every_supported_version_takes_back_what_it_gave(
    of_version: EmbeddedPostgres, tmp_path: Path, rows: Rows
) -> None:
    """The programs are the newest ones, as with a database of somebody's own."""
    tools = find_binaries()
    address = of_version.create_database("given")
    rows(
        address,
        f"{LINES} INSERT INTO version VALUES ('1');"
        "INSERT INTO t VALUES ('SET transaction_timeout = 0;');",
    )
    rows(address, "INSERT INTO t SELECT repeat(n::text, 100) FROM generate_series(1, 5000) n;")
    before = fingerprint(tools, address)
    backup(tools, address, tmp_path / "b")
    rows(address, "DELETE FROM t;")
    restore(tools, address, tmp_path / "b", tables=LINES, admin=of_version.admin)
    assert differences(before, fingerprint(tools, address)) == []
    rows(address, "CREATE TABLE other (n int);")
    (tmp_path / "half").write_bytes((tmp_path / "b").read_bytes()[:-2000])
    with pytest.raises(ToolFailed):
        restore(tools, address, tmp_path / "half", tables=LINES, admin=of_version.admin)
    assert rows(address, "SELECT count(*) FROM other;") == [["0"]]


def test_options_that_only_one_server_knows_are_left_behind(
    shared: EmbeddedPostgres, sample: Address, tmp_path: Path, rows: Rows
) -> None:
    """PostgreSQL 15.20 keeps such notes at every column of every table."""
    admin = shared.admin.of_database("sample")
    rows(
        admin,
        f"""
        COMMENT ON TABLE t IS '
{SET_NOTE}
';
        UPDATE pg_attribute SET attoptions = '{{pg_attver=29238256}}'
        WHERE attrelid = 't'::regclass AND attnum > 0;
        UPDATE pg_attribute SET attoptions = '{{pg_attver=29238256,n_distinct=5}}'
        WHERE attrelid = 't'::regclass AND attname = 'f';
        """,
    )
    before = fingerprint(shared.binaries, sample)
    backup(shared.binaries, sample, tmp_path / "b")
    assert SET_NOTE.encode() in subprocess.check_output(
        [shared.binaries.program("pg_restore"), "--file=-", tmp_path / "b"]
    )
    restore(shared.binaries, sample, tmp_path / "b", admin=shared.admin)
    assert differences(before, fingerprint(shared.binaries, sample)) == []
    options = "SELECT attname, attoptions FROM pg_attribute WHERE attoptions IS NOT NULL;"
    assert rows(sample, options) == [["f", "{n_distinct=5}"]]
    assert SET_NOTE in rows(sample, "SELECT trim(E'\\n' FROM obj_description('t'::regclass));")[0]


def test_a_role_without_the_rights_is_told_which(
    shared: EmbeddedPostgres, sample: Address, tmp_path: Path, rows: Rows
) -> None:
    backup(shared.binaries, sample, tmp_path / "b")
    with pytest.raises(PostgresError, match='ALTER ROLE "licet" CREATEDB;'):
        restore(shared.binaries, sample, tmp_path / "b")
    rows(shared.admin, "CREATE ROLE other LOGIN CREATEDB PASSWORD 'pw';")
    other = Address(sample.host, "other", "pw", sample.database, sample.port)
    with pytest.raises(PostgresError, match='ALTER ROLE "other" CREATEROLE;'):
        restore(shared.binaries, other, tmp_path / "b")
    rows(shared.admin, "ALTER ROLE other CREATEROLE;")
    with pytest.raises(PostgresError, match='ALTER DATABASE "sample" OWNER TO "other";'):
        restore(shared.binaries, other, tmp_path / "b")
    rows(shared.admin, "DROP ROLE other;")
