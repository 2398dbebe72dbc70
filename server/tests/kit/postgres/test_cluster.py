"""A start from nothing, a second start, and what the server lets in."""

import os
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest
from kit.postgres.place import Place, Rows
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from licet_server.kit.postgres import EmbeddedPostgres, StartFailed, ToolFailed
from licet_server.kit.postgres.process import prune_logs


async def test_the_url_works_with_sqlalchemy_and_asyncpg(shared: EmbeddedPostgres) -> None:
    engine = create_async_engine(shared.url)
    async with engine.connect() as connection:
        answer = await connection.execute(
            text(
                "SELECT current_user, current_database(), lower('É'), current_setting('timezone'),"
                " current_setting('data_checksums'), current_setting('is_superuser')"
            )
        )
        assert answer.one() == ("licet", "licet", "é", "UTC", "on", "off")
    await engine.dispose()


def test_only_the_password_lets_in_and_only_through_the_socket(
    shared: EmbeddedPostgres, rows: Rows
) -> None:
    with pytest.raises(ToolFailed, match="password authentication failed"):
        rows(replace(shared.address, password="wrong"), "SELECT 1;")
    methods = rows(shared.admin, "SELECT DISTINCT auth_method FROM pg_hba_file_rules;")
    assert methods == [["scram-sha-256"]]
    assert rows(shared.admin, "SHOW listen_addresses;") == [[""]]
    assert stat.S_IMODE(Path(shared.address.host).stat().st_mode) == 0o700


def test_secrets_are_for_the_owner_alone_and_on_no_command_line(
    shared: EmbeddedPostgres, place: Place, rows: Rows
) -> None:
    with place.postgres() as cluster:
        password = place.data / "postgres.password"
        assert stat.S_IMODE(password.stat().st_mode) == 0o600
        assert password.stat().st_uid == os.geteuid()
        secret = password.read_text().strip()
        assert secret not in Path(f"/proc/{cluster.server_pid}/cmdline").read_text()
        kept = [path for path in place.root.rglob("*") if path.suffix == ".pw"]
        assert kept == []


def test_the_role_of_the_service_has_a_password_of_its_own(
    shared: EmbeddedPostgres, rows: Rows
) -> None:
    assert shared.address.password != shared.admin.password
    for address, other in ((shared.address, shared.admin), (shared.admin, shared.address)):
        assert rows(address, "SELECT 1;") == [["1"]]
        with pytest.raises(ToolFailed, match="password authentication failed"):
            rows(replace(address, password=other.password), "SELECT 1;")
    [[superuser]] = rows(
        shared.admin, "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = 'licet';"
    )
    assert superuser == "f"


def test_a_folder_from_before_gives_the_service_a_password_of_its_own(
    place: Place, rows: Rows
) -> None:
    """Until 0.2, both roles had the one in `postgres.password`."""
    own = place.data / "postgres.service-password"
    with place.postgres() as cluster:
        rows(cluster.address, "CREATE TABLE kept (n int);")
        before = cluster.admin.password
        rows(cluster.admin, f"ALTER ROLE licet PASSWORD '{before}';")
    own.unlink()
    with place.postgres() as cluster:
        assert cluster.admin.password == before != cluster.address.password
        assert rows(cluster.address, "SELECT count(*) FROM kept;") == [["0"]]
        with place.postgres() as attached:
            assert attached.attached
            assert attached.url == cluster.url
    assert stat.S_IMODE(own.stat().st_mode) == 0o600
    own.write_text("a file that was written before a crash\n")
    with place.postgres() as cluster:
        assert rows(cluster.address, "SELECT count(*) FROM kept;") == [["0"]]


def test_a_second_start_finds_the_rows(place: Place, rows: Rows) -> None:
    began = time.monotonic()
    with place.postgres() as cluster:
        first = time.monotonic() - began
        rows(cluster.address, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (42);")
        url = cluster.url
    began = time.monotonic()
    with place.postgres() as cluster:
        second = time.monotonic() - began
        assert rows(cluster.address, "SELECT n FROM kept;") == [["42"]]
        assert cluster.url == url
    print(f"first start {first:.2f} s, second {second:.2f} s")


def test_databases_for_tests_are_copied_from_a_template(
    shared: EmbeddedPostgres, rows: Rows
) -> None:
    template = shared.create_database("tpl")
    rows(template, "CREATE TABLE t (n int); INSERT INTO t VALUES (7);")
    copy = shared.create_database('it\'s "odd"', template="tpl")
    assert rows(copy, "SELECT n FROM t;") == [["7"]]
    for name in ("tpl", 'it\'s "odd"', "never there"):
        shared.drop_database(name)
    assert rows(shared.admin, "SELECT datname FROM pg_database WHERE datname ~ 'tpl|odd';") == []


def test_a_deep_data_folder_gets_a_short_socket(place: Place, rows: Rows) -> None:
    deep = place.root / ("d" * 60) / ("e" * 60) / "data"
    deep.parent.parent.mkdir(mode=0o755)
    deep.parent.mkdir(mode=0o755)
    with place.postgres(deep) as cluster:
        assert len(str(cluster.address.socket)) <= 107
        assert stat.S_IMODE(Path(cluster.address.host).stat().st_mode) == 0o700
        sockets = Path(cluster.address.host)
        assert rows(cluster.address, "SELECT 1;") == [["1"]]
    assert not sockets.exists()


def test_a_server_that_cannot_start_says_why(made: Place) -> None:
    with (
        pytest.raises(StartFailed, match="shared_buffers"),
        made.postgres(settings={"shared_buffers": "nonsense"}),
    ):
        pass
    with made.postgres() as cluster:  # and nothing is left behind that would be in the way
        assert not cluster.attached


def test_old_logs_go(made: Place) -> None:
    with made.postgres():
        pass
    logs = made.data / "postgres" / "log"
    for number in range(8):
        (logs / f"postgresql-20200101-00000{number}.log").touch()
    prune_logs(made.data / "postgres")
    assert len(list(logs.iterdir())) == 5
    assert (logs / "postgresql-20200101-000007.log").exists()
    assert not (logs / "postgresql-20200101-000003.log").exists()


def test_without_its_password_file_a_cluster_is_not_replaced(made: Place) -> None:
    with made.postgres():
        pass
    (made.data / "postgres.password").unlink()
    with pytest.raises(Exception, match=r"postgres\.password is missing"), made.postgres():
        pass


def test_an_interrupted_first_start_is_begun_again(place: Place, rows: Rows) -> None:
    half_made = place.data / "postgres.new"
    half_made.mkdir(parents=True)
    place.data.chmod(0o711)
    (half_made / "PG_VERSION").write_text("18\n")
    with place.postgres() as cluster:
        assert rows(cluster.address, "SELECT 1;") == [["1"]]
    assert not half_made.exists()
