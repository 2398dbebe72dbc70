"""A service that root starts: it binds its port, and is root no more."""

import os
import pwd
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e import process
from e2e.process import ADMIN, Service, children_of, lives, workers_of
from patience import eventually

from licet_server.kit.keyring import read_key_file, write_key_file
from licet_server.kit.postgres.account import Account, server_account
from licet_server.kit.settings import InvalidSetting, Settings
from licet_server.unprivileged import _hand_over, leave_root, require_user

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="root alone has something to leave")

LIBRARIES = [sysconfig.get_path("purelib"), str(Path(__file__).parents[2] / "src")]


@pytest.fixture(scope="module")
def account() -> Account:
    return server_account()


@pytest.fixture
def service(account: Account, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """In an interpreter that others than root can run, which one below /root is not."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    path = f"PYTHONPATH={os.pathsep.join(LIBRARIES)}"
    for interpreter in (sys.executable, f"/usr/bin/{version}"):
        tried = account.run(["/usr/bin/env", path, interpreter, "-c", "import licet_server.app"])
        if tried.returncode == 0:
            break
    else:
        pytest.skip("no interpreter of this version is there for other users")
    monkeypatch.setattr(
        process,
        "command",
        lambda *arguments: ["env", path, interpreter, "-m", "licet_server", *map(str, arguments)],
    )
    service = Service(ADMIN, in_fresh_interpreter=True)
    yield service
    service.remove()


def users_of(pid: int) -> set[int]:
    [line] = [
        line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if "Uid:" in line
    ]
    return set(map(int, line.split()[1:]))


def kill_database(service: Service) -> None:
    before = service.postmaster()
    os.kill(before, 9)
    eventually(lambda: service.postmaster() != before, "the database is started again")
    eventually(service.is_ready, "the service is ready")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("workers", [1, 2])
def test_no_process_stays_root(service: Service, account: Account, workers: int) -> None:
    service.start("--workers", workers)
    assert service.process is not None
    pid = service.process.pid
    serving = workers_of(pid)
    assert len(serving) == (workers if workers > 1 else 0), "one process has no others"
    running = [pid, *children_of(pid), *serving]
    assert {user for pid in running for user in users_of(pid)} == {account.uid}
    assert f"Requests are served as the user {account.name}" in service.output()
    with service.sign_in() as owner:
        owner.post("/api/institutions", json={"name": "Second"}).raise_for_status()
        assert service.run("rotate-master-key").returncode == 0
    with service.sign_in() as owner:
        made = owner.post("/api/products", json={"name": "P", "initialVersion": "1.0"})
        assert made.status_code == 201, made.text
    kill_database(service)
    database = service.postmaster()
    assert service.stop() == 0
    assert not lives(database)
    service.start("--workers", workers)  # on what was handed over
    assert service.stop() == 0
    assert "Traceback" not in service.output()
    heads = service.folder.with_name("data-audit-heads.jsonl")
    for path in (service.folder / "master.key", service.folder / "files", heads):
        assert path.stat().st_uid == account.uid, path
    assert (service.folder / "postgres.password").stat().st_uid == 0


def test_a_user_who_is_named_must_be_able_to_run_it(tmp_path: Path, account: Account) -> None:
    tmp_path.chmod(0o700)
    settings = Settings(data_dir=tmp_path / "data", run_as=account.name)
    with pytest.raises(InvalidSetting, match=r"LICET_USER names a user who cannot (read|enter)"):
        leave_root(settings, print)
    with pytest.raises(InvalidSetting, match="LICET_USER must be the name of a user"):
        require_user(Settings(run_as="nobody-of-that-name"))
    assert os.geteuid() == 0


def test_it_stays_root_only_with_a_reason(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    said: list[str] = []
    leave_root(Settings(data_dir=tmp_path / "data"), said.append)
    assert "Requests are served as root, because the user " in said[0]
    leave_root(Settings(data_dir=tmp_path / "data", run_as="root"), said.append)
    assert len(said) == 1
    assert os.geteuid() == 0


def test_files_are_handed_over_without_following_links(tmp_path: Path, account: Account) -> None:
    files, outside = tmp_path / "files", tmp_path / "outside"
    (files / "a").mkdir(parents=True)
    outside.mkdir()
    for path in (files / "a" / "own", outside / "target", outside / "twice"):
        path.write_text("")
    (files / "link").symlink_to(outside / "target")
    (files / "folder").symlink_to(outside)
    os.link(outside / "twice", files / "twice")
    nobody = pwd.getpwnam("nobody").pw_uid
    (files / "theirs").write_text("")
    os.chown(files / "theirs", nobody, -1)
    _hand_over(files, account)
    for path in (files, files / "a", files / "a" / "own"):
        assert path.stat().st_uid == account.uid
    for path in (outside, outside / "target", outside / "twice"):
        assert path.stat().st_uid == 0
    assert (files / "theirs").stat().st_uid == nobody


def test_a_key_file_that_root_writes_keeps_its_owner(tmp_path: Path, account: Account) -> None:
    file = tmp_path / "master.key"
    write_key_file(file, [b"1" * 32])
    os.chown(file, account.uid, account.gid)
    write_key_file(file, [b"2" * 32, b"1" * 32])
    assert file.stat().st_uid == account.uid
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(read_key_file(file)) == 2
