"""Any time since the first base backup is restored, or the reason why not is told."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from buckets import Bucket, serving_s3
from kit.backups.archived import (
    KEY,
    Backups,
    archive_all,
    database_time,
    eventually,
    uncounted,
)
from kit.postgres.place import Place, rows

from licet_server.kit.backups.archiver import Archiver
from licet_server.kit.backups.model import BackupError
from licet_server.kit.backups.recovery import recover
from licet_server.kit.backups.vault import Vault
from licet_server.kit.clock import system_clock
from licet_server.kit.files import open_objects
from licet_server.kit.keyring import Keyring, MasterKeyMissing
from licet_server.kit.settings import read_settings

CHANGES = 4


@dataclass
class History:
    """A store with a base backup, and a segment for each change since."""

    store: Path
    after: list[datetime]
    """When the table had so many rows."""
    segments: list[str]


@pytest.fixture(scope="module")
def history() -> Iterator[History]:
    root = Path(tempfile.mkdtemp(prefix="lpg-"))
    root.chmod(0o755)
    place, backups = Place(root), Backups(root / "store")
    with place.postgres(archiver=backups.archiver()) as server:
        rows(server.address, "CREATE TABLE t (n int);")
        backups.wait_for_base()
        after, segments = [database_time(server.address)], []
        for number in range(CHANGES):
            rows(server.address, f"INSERT INTO t VALUES ({number});")
            after.append(database_time(server.address))
            segments.append(archive_all(backups, server.admin))
    yield History(root / "store", after, segments)
    shutil.rmtree(root)


@pytest.fixture
def backups(history: History, place: Place) -> Backups:
    """A copy of the store, to change."""
    copy = place.root / "store"
    subprocess.run(["cp", "-a", history.store, copy], check=True)
    return Backups(copy)


def restored_rows(place: Place, name: str = "restored") -> int:
    with place.postgres(place.root / name) as server:
        [[count]] = rows(server.address, "SELECT count(*) FROM t;")
    return int(count)


def test_the_newest_state_comes_back_in_an_empty_folder(backups: Backups, place: Place) -> None:
    restored = backups.recover(place)
    assert restored.last_change is not None
    assert restored_rows(place) == CHANGES
    left = {path.name for path in restored.cluster.parent.iterdir()}
    assert not any("restoring" in name for name in left)


def test_any_time_comes_back(backups: Backups, place: Place, history: History) -> None:
    backups.recover(place, at=history.after[2])
    assert restored_rows(place) == 2


def test_a_time_before_the_first_backup_or_after_the_last_change_is_refused(
    backups: Backups, place: Place, history: History
) -> None:
    with pytest.raises(BackupError, match="no base backup that was finished before"):
        backups.recover(place, at=history.after[0] - timedelta(days=1))
    with pytest.raises(BackupError, match=r"ends before .*The last change in it was at 2"):
        backups.recover(place, at=history.after[-1] + timedelta(days=1))
    with pytest.raises(BackupError, match="no base backup"):
        backups.recover(place, backup_id="another")
    assert not list(place.root.glob("restored/postgres*/PG_VERSION"))


def test_store_without_its_newest_objects_is_noticed(
    backups: Backups, place: Place, history: History
) -> None:
    """Nothing but gaps is seen in the store itself."""
    kept = history.segments[1]
    for path in backups.folder.glob("backups/*/wal/*"):
        if path.name > kept:
            path.unlink()
    with pytest.raises(BackupError, match=r"has lost its newest objects.*Nothing was restored"):
        backups.recover(place, expect_after=history.after[-1])
    assert not list(place.root.glob("restored/postgres*/PG_VERSION"))
    restored = backups.recover(place, expect_after=history.after[0])
    assert restored.last_change is not None
    assert history.after[0] <= restored.last_change < history.after[-1]
    newest = max(path.stat().st_mtime for path in backups.folder.rglob("*") if path.is_file())
    assert restored.newest_object_at is not None
    assert abs(restored.newest_object_at.timestamp() - newest) < 1


def wal_file(backups: Backups, segment: str) -> Path:
    [found] = backups.folder.glob(f"backups/*/wal/{segment}")
    return found


@pytest.mark.parametrize("fault", ["missing", "changed", "exchanged"])
def test_a_restore_stops_before_wal_that_is_not_there(
    backups: Backups, place: Place, history: History, fault: str
) -> None:
    damaged = wal_file(backups, history.segments[2])
    content = damaged.read_bytes()
    if fault == "missing":
        damaged.unlink()
    elif fault == "changed":
        damaged.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    else:
        damaged.write_bytes(wal_file(backups, history.segments[1]).read_bytes())
    with pytest.raises(BackupError, match=history.segments[2]):
        backups.recover(place)
    with pytest.raises(BackupError, match=f"ends before .*{history.segments[2]}"):
        backups.recover(place, at=history.after[4])
    backups.recover(place, at=history.after[1])
    assert restored_rows(place) == 1


def test_a_base_backup_that_was_changed_is_refused(backups: Backups, place: Place) -> None:
    [piece, *_] = sorted(backups.folder.glob("backups/*/base/*/base.tar.gz.*"))
    piece.write_bytes(piece.read_bytes()[:-100])
    with pytest.raises(BackupError, match=r"base\.tar\.gz\.000000 .* was changed"):
        backups.recover(place)
    piece.unlink()
    with pytest.raises(BackupError, match=r"base\.tar\.gz\.000000 is missing"):
        backups.recover(place)


def test_without_the_master_key_nothing_can_be_read(backups: Backups, place: Place) -> None:
    strange = Backups(backups.folder, key=b"x" * 32)
    with pytest.raises(BackupError, match="no base backup"):
        strange.recover(place)
    assert any("another master key" in line for line in strange.said)

    def missing() -> None:
        raise MasterKeyMissing("none")

    strange.vault._load_keyring = missing  # type: ignore[assignment]
    strange.vault._keyring = None
    with pytest.raises(MasterKeyMissing):
        strange.recover(place)


def test_nothing_is_restored_over_a_database(backups: Backups, place: Place) -> None:
    with place.postgres(place.root / "restored") as server:
        rows(server.address, "CREATE TABLE mine (n int);")
    with pytest.raises(BackupError, match="is a database already"):
        backups.recover(place)
    with place.postgres(place.root / "restored") as server:
        assert rows(server.address, "SELECT count(*) FROM mine;") == [["0"]]


def test_a_restored_database_begins_a_series_of_its_own(backups: Backups, place: Place) -> None:
    [first] = backups.series
    backups.recover(place)
    with place.postgres(place.root / "restored", archiver=backups.archiver()) as server:
        backups.wait_for_base(2)
        rows(server.address, "INSERT INTO t VALUES (9);")
        archive_all(backups, server.admin)
    before = len(backups.vault.list_segments(first))
    assert {item.series for item in backups.bases} == set(backups.series)
    assert len(backups.series) == 2
    assert len(backups.vault.list_segments(first)) == before
    backups.recover(place, "again")
    assert restored_rows(place, "again") == CHANGES + 1


@pytest.fixture
def vault_in_bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    with serving_s3() as address:
        given = Bucket(address).environment
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        objects = open_objects(read_settings(given), given["LICET_STORAGE_URL"])
        yield Vault(objects, lambda: Keyring([KEY]))


def test_a_bucket_holds_what_a_restore_needs(place: Place, vault_in_bucket: Vault) -> None:
    vault, said = vault_in_bucket, list[str]()
    archiver = Archiver(vault, system_clock, said.append, seconds=1, settle_seconds=0)
    with place.postgres(archiver=archiver) as server:
        eventually(lambda: vault.list_backups()[0], "a base backup is stored", said)
        rows(server.address, f"CREATE TABLE t AS SELECT generate_series(1, {CHANGES}) AS n;")
    recover(vault, place.root / "restored", said.append, uncounted, state_dir=place.state)
    assert restored_rows(place) == CHANGES
