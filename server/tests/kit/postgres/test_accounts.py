"""Who runs the server, and where its files are when that user cannot reach the data folder."""

import json
import os
import pwd
import shutil
import stat
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kit.postgres.place import Place, Rows

from licet_server.kit.postgres import InUse, PostgresError, find_binaries
from licet_server.kit.postgres.account import owner_of, server_account
from licet_server.kit.postgres.binaries import Wheel, binaries_in, installed_wheel
from licet_server.kit.postgres.relocation import reachable_binaries

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="root alone has to change its user")


@pytest.fixture
def hidden(place: Place) -> Path:
    """A folder that root alone can enter, as root's home is."""
    folder = place.root / "root-only"
    folder.mkdir(mode=0o700)
    return folder


@as_root
def test_root_with_a_data_folder_that_root_alone_can_enter(
    place: Place, hidden: Path, rows: Rows
) -> None:
    with place.postgres(hidden / "data") as cluster:
        user = pwd.getpwuid(Path(f"/proc/{cluster.server_pid}").stat().st_uid).pw_name
        assert user == server_account().name != "root"
        rows(cluster.address, "CREATE TABLE t (n int);")
    where = Path((hidden / "data" / "postgres.location").read_text().splitlines()[0])
    assert where.parent == place.state / "clusters"
    assert f"The database is in {where}" in place.said[-1]
    assert stat.S_IMODE(hidden.stat().st_mode) == 0o700, "a parent's permissions were loosened"
    assert stat.S_IMODE(where.stat().st_mode) == 0o700
    assert (hidden / "data" / "postgres.password").stat().st_uid == 0
    assert not list(place.state.rglob("*.pw"))
    with place.postgres(hidden / "data") as cluster:
        assert rows(cluster.address, "SELECT count(*) FROM t;") == [["0"]]


@as_root
def test_a_lost_cluster_is_not_replaced_by_an_empty_one(place: Place, hidden: Path) -> None:
    with place.postgres(hidden / "data"):
        pass
    location = hidden / "data" / "postgres.location"
    where = Path(location.read_text().splitlines()[0])
    where.rename(where.with_name("mislaid"))
    with pytest.raises(PostgresError, match="is not there"), place.postgres(hidden / "data"):
        pass
    where.with_name("mislaid").rename(where)
    with place.postgres(hidden / "data"):
        pass


@as_root
def test_a_moved_data_folder_keeps_its_cluster_and_a_copied_one_is_refused(
    place: Place, hidden: Path, rows: Rows
) -> None:
    with place.postgres(hidden / "data") as cluster:
        rows(cluster.address, "CREATE TABLE t (n int);")
    (hidden / "data").rename(hidden / "moved")
    with place.postgres(hidden / "moved") as cluster:
        assert rows(cluster.address, "SELECT count(*) FROM t;") == [["0"]]
        shutil.copytree(hidden / "moved", hidden / "copied")
        with pytest.raises(InUse, match="may be a copy"), place.postgres(hidden / "copied"):
            pass
        # A new folder under the old name gets a cluster of its own.
        with place.postgres(hidden / "data") as other:
            assert rows(other.address, "SELECT to_regclass('t');") == [[""]]


@as_root
@pytest.mark.skipif(installed_wheel() is None, reason="there is no wheel to hide")
def test_programs_that_root_alone_can_reach_are_copied_once(
    place: Place, hidden: Path, rows: Rows
) -> None:
    wheel = installed_wheel()
    assert wheel is not None
    folder = Path(shutil.copytree(wheel.folder, hidden / wheel.folder.name))
    libraries = Path(shutil.copytree(wheel.libraries, hidden / wheel.libraries.name))
    for path in hidden.rglob("*"):  # as a umask of 077 leaves them
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)
    binaries = binaries_in(folder / "pginstall" / "bin", Wheel(folder, libraries, "0123abcd"))
    assert binaries is not None
    account = server_account()
    with ThreadPoolExecutor(4) as pool:
        racing = [pool.submit(reachable_binaries, binaries, account, place.state) for _ in range(4)]
        assert len({call.result() for call in racing}) == 1
    copy = place.state / f"postgresql-{binaries.version}-0123abcd"
    assert [entry for entry in place.state.iterdir() if entry.is_dir()] == [copy]
    assert copy.stat().st_uid == 0
    assert not [path for path in copy.rglob("*") if path.stat().st_mode & 0o022]
    with place.postgres(hidden / "data", binaries=binaries) as cluster:
        assert cluster.binaries.folder.is_relative_to(copy)
        assert rows(cluster.address, "SELECT 1;") == [["1"]]


@as_root
def test_an_ordinary_user_with_an_empty_home(place: Place, rows: Rows) -> None:
    nobody = pwd.getpwnam("nobody")
    home = place.root / "home"
    home.mkdir(mode=0o700)
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    find_binaries()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        report: dict[str, object] = {}
        try:
            os.setgroups([])
            os.setgid(nobody.pw_gid)
            os.setuid(nobody.pw_uid)
            os.environ.update(HOME=str(home), TMPDIR=str(home))
            with place.postgres(home / "data") as cluster:
                report["uid"] = Path(f"/proc/{cluster.server_pid}").stat().st_uid
                report["rows"] = rows(cluster.address, "SELECT 1;")
        except BaseException:  # noqa: BLE001 - the parent reports it
            report["error"] = traceback.format_exc()
        os.write(writer, json.dumps(report).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        report = json.loads(pipe.read())
    os.waitpid(child, 0)
    assert report == {"uid": nobody.pw_uid, "rows": [["1"]]}
    assert (home / "data" / "postgres" / "PG_VERSION").exists()
    assert stat.S_IMODE((home / "data").stat().st_mode) == 0o700
    assert not place.state.exists()


@as_root
def test_root_runs_a_cluster_as_the_user_who_made_it(place: Place) -> None:
    nobody = pwd.getpwnam("nobody")
    folder = place.root / "theirs"
    folder.mkdir()
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    assert owner_of(folder).name == "nobody"
    with pytest.raises(PostgresError, match="belongs to the user root"):
        owner_of_as(nobody.pw_uid, place.root)


def owner_of_as(uid: int, folder: Path) -> None:
    os.seteuid(uid)
    try:
        owner_of(folder)
    finally:
        os.seteuid(0)
