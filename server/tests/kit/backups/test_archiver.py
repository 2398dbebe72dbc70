"""What the archiver does while all is well, and while the store is away."""

from datetime import timedelta

import pytest
from kit.backups.archived import Backups, archive_all, eventually
from kit.postgres.place import Place, rows

from licet_server.kit.backups.archiver import delete_old
from licet_server.kit.backups.spool import measure_backups
from licet_server.kit.clock import system_clock
from licet_server.kit.postgres import EmbeddedPostgres


@pytest.fixture
def backups(place: Place) -> Backups:
    return Backups(place.root / "store")


def change(server: EmbeddedPostgres) -> None:
    """Write a segment of the WAL that is archived."""
    rows(server.admin, "SELECT pg_logical_emit_message(true, 'test', 'x'); SELECT pg_switch_wal();")


def waiting(place: Place) -> list[str]:
    return sorted(path.name for path in place.root.rglob("postgres.wal/*.gz"))


def test_wal_waits_while_the_store_is_away(place: Place, backups: Backups) -> None:
    with place.postgres(archiver=backups.archiver()) as server:
        backups.wait_for_base()
        archive_all(backups, server.admin)
        [series] = backups.series
        stored = len(backups.vault.list_segments(series))
        backups.store.is_away = True
        for number in range(3):
            change(server)
            eventually(lambda n=number: len(waiting(place)) > n, "WAL waits", backups.said)
        eventually(lambda: any("nobody is there" in line for line in backups.said), "", [])
    assert len(waiting(place)) >= 3, "what waits outlives the process"
    status = measure_backups(place.data, system_clock())
    assert status is not None
    assert status.waiting_bytes > 0
    backups.store.is_away = False
    with place.postgres(archiver=backups.archiver()) as server:
        archive_all(backups, server.admin)
        assert backups.series == [series]
        assert len(backups.vault.list_segments(series)) > stored + 3
    backups.recover(place)


def test_too_much_waiting_wal_is_given_up_and_a_base_backup_follows(
    place: Place, backups: Backups
) -> None:
    with place.postgres(archiver=backups.archiver(spool_limit=1)) as server:
        eventually(lambda: any("were given up" in line for line in backups.said), "given up", [])
        change(server)
    assert waiting(place) == []
    with place.postgres(archiver=backups.archiver()) as server:
        backups.wait_for_base()
        archive_all(backups, server.admin)
    backups.recover(place)


def test_wal_that_is_lost_in_between_begins_a_new_series(place: Place, backups: Backups) -> None:
    with place.postgres(archiver=backups.archiver()) as server:
        backups.wait_for_base()
        archive_all(backups, server.admin)
        [first] = backups.series
        backups.store.is_away = True
        for _ in range(2):
            change(server)
        eventually(lambda: len(waiting(place)) >= 2, "WAL waits", backups.said)
    [lost, *_] = place.root.rglob(f"postgres.wal/{waiting(place)[0]}")
    lost.unlink()
    backups.store.is_away = False
    with place.postgres(archiver=backups.archiver()) as server:
        backups.wait_for_base(2)
        rows(server.address, "CREATE TABLE t (n int);")
        archive_all(backups, server.admin)
    assert any("a new series begins" in line for line in backups.said)
    newest = backups.bases[-1]
    assert newest.series != first
    backups.recover(place)
    with place.postgres(place.root / "restored") as server:
        assert rows(server.address, "SELECT count(*) FROM t;") == [["0"]]


def test_another_cluster_begins_a_series_of_its_own(place: Place, backups: Backups) -> None:
    """As after an upgrade: the folder is the same, and the cluster is not."""
    with place.postgres(archiver=backups.archiver()):
        backups.wait_for_base()
    (place.data / "postgres").rename(place.data / "old")
    with place.postgres(archiver=backups.archiver()):
        backups.wait_for_base(2)
    assert len({item.series for item in backups.bases}) == 2


def test_who_takes_over_the_server_takes_over_its_archive(place: Place, backups: Backups) -> None:
    first = place.postgres(archiver=backups.archiver())
    first.__enter__()
    with place.postgres(archiver=backups.archiver()) as second:
        assert second.attached
        backups.wait_for_base()
        first.__exit__(None, None, None)
        eventually(lambda: not second.attached, "the second runs the server", place.said)
        assert second.wait_ready(30)
        rows(second.address, "CREATE TABLE t (n int);")
        archive_all(backups, second.admin)
    assert len(backups.series) == 1
    backups.recover(place)
    with place.postgres(place.root / "restored") as server:
        assert rows(server.address, "SELECT count(*) FROM t;") == [["0"]]


def test_another_master_key_begins_a_new_series(place: Place, backups: Backups) -> None:
    with place.postgres(archiver=backups.archiver()) as server:
        backups.wait_for_base()
        archive_all(backups, server.admin)
    strange = Backups(backups.folder, key=b"x" * 32)
    with place.postgres(archiver=strange.archiver()) as server:
        strange.wait_for_base()
        archive_all(strange, server.admin)
    assert len(backups.series) == 2


def test_old_backups_go_with_their_wal(place: Place, backups: Backups) -> None:
    with place.postgres(archiver=backups.archiver()) as server:
        backups.wait_for_base()
        archive_all(backups, server.admin)
    (place.data / "postgres.wal" / "progress.json").unlink()
    with place.postgres(archiver=backups.archiver()) as server:
        backups.wait_for_base(2)
        archive_all(backups, server.admin)
    older, newer = backups.bases
    now = system_clock()
    delete_old(backups.vault, now, 7, newer.series)
    assert backups.bases == [older, newer]
    assert delete_old(backups.vault, now + timedelta(days=8), 7, newer.series) > 0
    assert backups.bases == [newer]
    assert backups.vault.list_segments(older.series) == []
    backups.recover(place)
