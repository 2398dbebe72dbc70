"""Another major version: refused at a start, brought over by an upgrade."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kit.postgres.place import OLDER, Place, Rows

from licet_server.kit.postgres import (
    InUse,
    NoBinaries,
    PostgresError,
    VersionMismatch,
    find_binaries,
    upgrade_database,
)
from licet_server.kit.postgres import upgrade as upgrading
from licet_server.kit.postgres.cluster import begin_swap, finish_swap
from licet_server.kit.postgres.layout import DataDir


def clock() -> datetime:
    return datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize("major", OLDER)
def test_an_older_cluster_is_refused_and_then_brought_over(
    place: Place, rows: Rows, monkeypatch: pytest.MonkeyPatch, major: int
) -> None:
    old = find_binaries(major)
    with place.postgres(binaries=old) as cluster:
        rows(
            cluster.address,
            """
            CREATE TABLE t (n bigserial PRIMARY KEY, j jsonb NOT NULL, at timestamptz, u text);
            INSERT INTO t (j, at, u) SELECT jsonb_build_object('n', n), now(), 'é' || n
            FROM generate_series(1, 2000) n;
            CREATE TABLE child (n bigint REFERENCES t, price numeric(12, 6));
            INSERT INTO child SELECT n, n / 7.0 FROM t;
            CREATE UNIQUE INDEX ON t (lower(u));
            """,
        )
        # As 15.20 does by itself: no other server knows this option.
        note = "UPDATE pg_attribute SET attoptions = '{pg_attver=29238256}'"
        rows(cluster.admin.of_database("licet"), f"{note} WHERE attrelid = 't'::regclass;")
        other = cluster.create_database("licet_before_restore_20290101000000")
        rows(other, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1);")
        with pytest.raises(InUse, match=f"process {os.getpid()}"):
            upgrade_database(place.data, clock, print, state_dir=place.state)

    with (
        pytest.raises(VersionMismatch, match="licet-server upgrade-database"),
        place.postgres(),
    ):
        pass

    # A copy that differs is refused, and the old cluster stays in use.
    with monkeypatch.context() as patch:
        patch.setattr(upgrading, "differences", lambda old, new: ["table t"])
        with pytest.raises(PostgresError, match="differs in table t"):
            upgrade_database(place.data, clock, print, state_dir=place.state)
    assert (place.data / "postgres" / "PG_VERSION").read_text().strip() == str(old.major)

    lines: list[str] = []
    kept = upgrade_database(place.data, clock, lines.append, state_dir=place.state)

    assert kept == place.data / f"postgres-{old.major}-20300102T030405Z"
    assert "The copy of the database licet is identical: 2 tables." in lines
    with place.postgres() as cluster:
        assert rows(cluster.address, "SELECT count(*) FROM t JOIN child USING (n);") == [["2000"]]
        added = rows(cluster.address, "INSERT INTO t (j) VALUES ('{}') RETURNING n;")
        assert added == [["2001"]]
        assert rows(cluster.address.of_database(other.database), "TABLE kept;") == [["1"]]
    assert sorted(path.name for path in place.data.iterdir() if path.is_dir()) == [
        "postgres",
        kept.name,
        "postgres.sockets",
    ]
    assert upgrade_database(place.data, clock, lines.append, state_dir=place.state) is None
    assert lines[-1].startswith("Nothing to do")


def test_without_the_old_programs_a_sentence_says_what_to_install(made: Place) -> None:
    with made.postgres():
        pass
    (made.data / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(NoBinaries, match="PostgreSQL 9 is not installed"):
        upgrade_database(made.data, clock, print, state_dir=made.state)
    (made.data / "postgres" / "PG_VERSION").write_text("99\n")
    with pytest.raises(VersionMismatch, match="Install PostgreSQL 99 or newer"):
        upgrade_database(made.data, clock, print, state_dir=made.state)
    with pytest.raises(VersionMismatch, match="Install PostgreSQL 99 or newer"), made.postgres():
        pass


def test_an_empty_folder_needs_no_upgrade(place: Place) -> None:
    assert upgrade_database(place.data, clock, place.said.append, state_dir=place.state) is None
    assert not place.data.exists()


@pytest.mark.parametrize("renames_done", [0, 1, 2])
def test_a_swap_is_finished_after_a_crash_at_any_step(tmp_path: Path, renames_done: int) -> None:
    data = DataDir(tmp_path)
    cluster, new, keep_as = (tmp_path / name for name in ("postgres", "new", "old"))
    cluster.mkdir()
    (cluster / "PG_VERSION").write_text("15\n")
    new.mkdir()
    (new / "PG_VERSION").write_text("18\n")
    begin_swap(data, cluster=cluster, new=new, keep_as=keep_as)
    assert set(json.loads(data.swap_file.read_text())) == {"cluster", "new", "keep_as"}
    if renames_done > 0:
        cluster.rename(keep_as)
    if renames_done > 1:
        new.rename(cluster)
    finish_swap(data, print)
    assert (cluster / "PG_VERSION").read_text() == "18\n"
    assert (keep_as / "PG_VERSION").read_text() == "15\n"
    assert not new.exists()
    assert not data.swap_file.exists()
    finish_swap(data, print)


def test_a_start_finishes_a_swap_that_a_crash_left_half_done(made: Place, rows: Rows) -> None:
    with made.postgres() as cluster:
        rows(cluster.address, "CREATE TABLE new (n int);")
    data = DataDir(made.data)
    new, keep_as = made.data / "postgres.upgraded", made.data / "postgres-15-then"
    data.local_cluster.rename(new)
    keep_as.mkdir()
    begin_swap(data, cluster=data.local_cluster, new=new, keep_as=keep_as)
    with made.postgres() as cluster:
        assert rows(cluster.address, "SELECT count(*) FROM new;") == [["0"]]
    assert not data.swap_file.exists()
