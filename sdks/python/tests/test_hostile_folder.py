"""Every file that the SDK opens, in a folder where another user has put something in its place."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from licet_testkit import HARDWARE, PRODUCT, PUBLIC_KEY, FakeClock, Vendor, make_client
from test_hardware import FakeMachine

from licet import LicenseClient
from licet._disk import (
    RefusedFileError,
    open_part,
    read_installed,
    read_license,
    read_own,
    real_folder,
    write_license,
    write_own,
)
from licet._doctor import examine
from licet._hardware import STORED_NAME, find_hardware_id
from licet._instance import acquire_instance
from licet._settings import read_settings
from licet.errors import ConfigurationError
from licet.testing import FakeServer

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and modes of POSIX")
as_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="files of others")

NOBODY = 65534
PRECIOUS = b"precious " * 9
HANGS = 60.0
T = TypeVar("T")


class Hostile:
    """Ways to occupy a name; the victim must not change."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.victim = folder / "victim"
        self.victim.write_bytes(PRECIOUS)
        self.victim.chmod(0o600)

    def link(self, path: Path) -> None:
        path.symlink_to(self.victim)

    def link_of_another_user(self, path: Path) -> None:
        path.symlink_to(self.victim)
        if os.geteuid() == 0:
            os.lchown(path, NOBODY, NOBODY)

    def dangling_link(self, path: Path) -> None:
        path.symlink_to(self.victim.with_name("missing"))

    def loop_of_links(self, path: Path) -> None:
        other = path.with_name(f"{path.name}.loop")
        path.symlink_to(other)
        other.symlink_to(path)

    def hard_link(self, path: Path) -> None:
        os.link(self.victim, path)

    def fifo(self, path: Path) -> None:
        os.mkfifo(path, 0o666)

    def folder(self, path: Path) -> None:
        path.mkdir()

    def device(self, path: Path) -> None:
        try:
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
        except OSError:
            path.symlink_to("/dev/zero")

    def huge(self, path: Path) -> None:
        with path.open("wb") as stream:
            stream.truncate(1 << 33)

    def of_another_user(self, path: Path) -> None:
        path.write_bytes(b"0" * 32)
        path.chmod(0o666)
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)

    def check(self) -> None:
        assert self.victim.read_bytes() == PRECIOUS
        assert [item.name for item in self.victim.parent.iterdir()] == ["victim"]


WAYS = [name for name in vars(Hostile) if not name.startswith("_") and name != "check"]
every_way = pytest.mark.parametrize("way", WAYS)


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return Hostile(tmp_path / "of-the-victim")


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


def without_hanging(action: Callable[[], T]) -> T:
    """What an action returns; fails if it never does."""
    done: list[Any] = []

    def run() -> None:
        try:
            done.append((action(), None))
        except BaseException as error:  # noqa: BLE001 - raised below
            done.append((None, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(HANGS)
    assert done, "it hangs"
    result, error = done[0]
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


@every_way
def test_license_bin_and_the_state(way: str, shared: Path, hostile: Hostile) -> None:
    server = FakeServer()
    license_ = server.issue("Perpetual")
    with server.client(license_, folder=shared, state_folder=shared) as client:
        names = (client._core.config.license_file, client._core.store.path)
    for path in names:
        getattr(hostile, way)(path)
    with server.client(license_, folder=shared, state_folder=shared) as client:
        assert without_hanging(client.validate_offline).status == "LicenseNotFound"
        assert any("is not used" in line for line in client.validate_offline().warnings)
        assert without_hanging(client.validate).status == "Valid"
        assert without_hanging(client.refresh).status == "Valid"
        without_hanging(client.validate)
    hostile.check()
    for path, mode in zip(names, (0o644, 0o600), strict=True):
        if way != "folder":
            found = os.lstat(path)
            assert stat.S_ISREG(found.st_mode)
            assert (stat.S_IMODE(found.st_mode), found.st_uid) == (mode, os.geteuid())


@every_way
def test_instance_ids(way: str, shared: Path, hostile: Hostile) -> None:
    for number in (1, 2):
        getattr(hostile, way)(shared / f"licet-instance-{number}.lock")
    taken = without_hanging(lambda: acquire_instance(shared, FakeMachine(name="desk")))
    taken.release()
    hostile.check()
    assert without_hanging(lambda: acquire_instance(shared, FakeMachine(name="desk"))).value == (
        taken.value
    )


@every_way
def test_the_stored_hardware_id(way: str, shared: Path, hostile: Hostile) -> None:
    getattr(hostile, way)(shared / STORED_NAME)
    machine = FakeMachine(name="4f2a91c0d7e1")
    found = without_hanging(lambda: find_hardware_id("p", shared, machine))
    assert found.source == ("n" if way == "folder" else "s")
    hostile.check()


@every_way
def test_settings(way: str, shared: Path, hostile: Hostile) -> None:
    getattr(hostile, way)(shared / "licet.json")
    with contextlib.suppress(ConfigurationError):
        without_hanging(lambda: read_settings(shared))
    hostile.check()


@every_way
def test_a_license_bin_next_to_the_application(way: str, shared: Path, hostile: Hostile) -> None:
    getattr(hostile, way)(shared / "license.bin")
    read = without_hanging(lambda: _suppressed(lambda: read_installed(shared / "license.bin", 99)))
    assert read in {None, PRECIOUS, b"0" * 32}
    hostile.check()


def _suppressed(action: Callable[[], bytes | None]) -> bytes | None:
    try:
        return action()
    except OSError:
        return None


@every_way
def test_the_part_of_a_download(way: str, shared: Path, hostile: Hostile) -> None:
    getattr(hostile, way)(shared / ".setup.bin.0123.part")
    part, handle = without_hanging(lambda: open_part(shared / "setup.bin", "0123"))
    found = os.fstat(handle)
    os.close(handle)
    hostile.check()
    assert stat.S_ISREG(found.st_mode)
    assert (found.st_uid, found.st_nlink) == (os.geteuid(), 1)
    assert not found.st_mode & 0o022
    if way != "huge":
        assert found.st_size == 0
    assert os.path.samestat(os.lstat(part), found)


@every_way
def test_the_doctor(way: str, shared: Path, hostile: Hostile, vendor: Vendor) -> None:
    code = {
        "product_id": PRODUCT,
        "public_key": PUBLIC_KEY,
        "hardware_id": HARDWARE,
        "license_file": shared / "license.bin",
        "state_folder": shared,
    }
    with LicenseClient(**code) as client:  # type: ignore[arg-type]
        state = client._core.store.path
    getattr(hostile, way)(shared / "license.bin")
    getattr(hostile, way)(state)
    said = [item.detail for item in without_hanging(lambda: examine(shared, code))]
    assert any(f"license file {shared / 'license.bin'} is not used" in line for line in said)
    assert any(f"{state} is not used" in line for line in said)
    assert any("Every user of this machine may write" in line for line in said)
    hostile.check()


@as_root
@pytest.mark.parametrize("write", [write_own, write_license])
def test_a_folder_behind_a_link_of_another_user(
    write: Callable[[Path, bytes], None], tmp_path: Path, hostile: Hostile
) -> None:
    link = tmp_path / "link"
    link.symlink_to(hostile.victim.parent, target_is_directory=True)
    write(link / "license.bin", b"own")
    assert read_license(link / "license.bin", 9) == b"own"
    (link / "license.bin").unlink()
    os.lchown(link, NOBODY, NOBODY)
    for action in (
        lambda: write(link / "license.bin", b""),
        lambda: read_license(link / "victim", 99),
        lambda: read_own(link / "victim", 99),
    ):
        with pytest.raises(RefusedFileError, match="link of another user"):
            action()
    hostile.check()


def test_links_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "relative").symlink_to("a/../a/b")
    (tmp_path / "absolute").symlink_to(tmp_path / "relative")
    expected = (tmp_path / "a" / "b").resolve()
    assert real_folder(tmp_path / "absolute" / "new") == expected / "new"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(RefusedFileError, match="circles"):
        real_folder(tmp_path / "loop" / "x")


def as_nobody(action: Callable[[], bool]) -> bool:
    """Whether an action holds in a process of another user."""
    child = os.fork()
    if child == 0:
        holds = False
        with contextlib.suppress(BaseException):
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            holds = action()
        os._exit(0 if holds else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@as_root
@pytest.mark.parametrize("mode", [0o755, 0o1777, 0o777])
def test_what_root_has_installed_is_read_by_everyone(mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(mode)
        installed, own = folder / "license.bin", folder / "own"
        installed.write_bytes(b"of root")
        own.write_bytes(b"of root")
        assert as_nobody(lambda: read_license(installed, 99) == b"of root")
        assert not as_nobody(lambda: read_own(own, 99) is not None)


@as_root
def test_a_file_of_the_user_who_owns_the_folder(tmp_path: Path) -> None:
    """A folder that only its owner can write to holds what this owner wants."""
    path = tmp_path / "license.bin"
    path.write_bytes(b"deployed")
    os.chown(path, NOBODY, NOBODY)
    assert read_license(path, 99) == b"deployed"
    tmp_path.chmod(0o775)
    with pytest.raises(RefusedFileError, match="another user"):
        read_license(path, 99)


def test_modes(tmp_path: Path) -> None:
    license_file, state = tmp_path / "a" / "license.bin", tmp_path / "a" / "s.state"
    before = os.umask(0)
    try:
        write_license(license_file, b"1")
        write_own(state, b"1")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o755
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    for mode, expected in ((0o644, 0o644), (0o640, 0o640), (0o666, 0o644), (0o600, 0o600)):
        license_file.chmod(mode)
        write_license(license_file, b"2")
        assert stat.S_IMODE(license_file.stat().st_mode) == expected


def test_a_client_of_a_good_folder_says_nothing(
    tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(activationMode="Offline"))
    with make_client(tmp_path, clock) as client:
        result = client.validate_offline()
    assert (result.status, result.warnings) == ("Valid", ())
