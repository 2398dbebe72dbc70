"""Every file that the SDK opens, in a folder where another user has put something in its place."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from conformance.hostile import (
    OTHER_USER,
    PRECIOUS,
    Occupy,
    folder,
    huge_file,
    link,
    occupy,
    ways,
)
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

HANGS = 60.0
T = TypeVar("T")


@pytest.fixture(params=ways(), ids=lambda way: way.__name__)
def way(request: pytest.FixtureRequest) -> Occupy:
    found: Occupy = request.param
    return found


class Shared:
    """A folder that every user may write to, and a victim that must not change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.victim = occupy(folder, [], link)

    def check(self) -> None:
        assert self.victim.read_text() == PRECIOUS
        assert [item.name for item in self.victim.parent.iterdir()] == ["victim"]


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Shared]:
    made = Shared(tmp_path / "shared")
    yield made
    made.check()


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


def test_license_bin_and_the_state(way: Occupy, shared: Shared) -> None:
    server = FakeServer()
    license_ = server.issue("Perpetual")
    with server.client(license_, folder=shared.folder, state_folder=shared.folder) as client:
        names = (client._core.config.license_file, client._core.store.path)
    for path in names:
        way(path, shared.victim)
    with server.client(license_, folder=shared.folder, state_folder=shared.folder) as client:
        assert without_hanging(client.validate_offline).status == "LicenseNotFound"
        assert any("is not used" in line for line in client.validate_offline().warnings)
        assert without_hanging(client.validate).status == "Valid"
        assert without_hanging(client.refresh).status == "Valid"
        without_hanging(client.validate)
    for path, mode in zip(names, (0o644, 0o600), strict=True):
        if way is not folder:
            found = os.lstat(path)
            assert stat.S_ISREG(found.st_mode)
            assert (stat.S_IMODE(found.st_mode), found.st_uid) == (mode, os.geteuid())


def test_instance_ids(way: Occupy, shared: Shared) -> None:
    for number in (1, 2):
        way(shared.folder / f"licet-instance-{number}.lock", shared.victim)
    taken = without_hanging(lambda: acquire_instance(shared.folder, FakeMachine(name="desk")))
    taken.release()
    assert without_hanging(
        lambda: acquire_instance(shared.folder, FakeMachine(name="desk"))
    ).value == (taken.value)


def test_the_stored_hardware_id(way: Occupy, shared: Shared) -> None:
    way(shared.folder / STORED_NAME, shared.victim)
    machine = FakeMachine(name="4f2a91c0d7e1")
    found = without_hanging(lambda: find_hardware_id("p", shared.folder, machine))
    assert found.source == ("n" if way is folder else "s")


def test_settings(way: Occupy, shared: Shared) -> None:
    way(shared.folder / "licet.json", shared.victim)
    with contextlib.suppress(ConfigurationError):
        without_hanging(lambda: read_settings(shared.folder))


def test_a_license_bin_next_to_the_application(way: Occupy, shared: Shared) -> None:
    way(shared.folder / "license.bin", shared.victim)
    read = without_hanging(
        lambda: _suppressed(lambda: read_installed(shared.folder / "license.bin", 99))
    )
    assert read in {None, PRECIOUS.encode(), b"0" * 32}


def _suppressed(action: Callable[[], bytes | None]) -> bytes | None:
    try:
        return action()
    except OSError:
        return None


def test_the_part_of_a_download(way: Occupy, shared: Shared) -> None:
    way(shared.folder / ".setup.bin.0123.part", shared.victim)
    part, handle = without_hanging(lambda: open_part(shared.folder / "setup.bin", "0123"))
    found = os.fstat(handle)
    os.close(handle)
    assert stat.S_ISREG(found.st_mode)
    assert (found.st_uid, found.st_nlink) == (os.geteuid(), 1)
    assert not found.st_mode & 0o022
    if way is not huge_file:
        assert found.st_size == 0
    assert os.path.samestat(os.lstat(part), found)


def test_the_doctor(way: Occupy, shared: Shared, vendor: Vendor) -> None:
    code = {
        "product_id": PRODUCT,
        "public_key": PUBLIC_KEY,
        "hardware_id": HARDWARE,
        "license_file": shared.folder / "license.bin",
        "state_folder": shared.folder,
    }
    with LicenseClient(**code) as client:  # type: ignore[arg-type]
        state = client._core.store.path
    way(shared.folder / "license.bin", shared.victim)
    way(state, shared.victim)
    said = [item.detail for item in without_hanging(lambda: examine(shared.folder, code))]
    assert any(f"license file {shared.folder / 'license.bin'} is not used" in line for line in said)
    assert any(f"{state} is not used" in line for line in said)
    assert any("Every user of this machine may write" in line for line in said)


@as_root
@pytest.mark.parametrize("write", [write_own, write_license])
def test_a_folder_behind_a_link_of_another_user(
    write: Callable[[Path, bytes], None], tmp_path: Path, shared: Shared
) -> None:
    link = tmp_path / "link"
    link.symlink_to(shared.victim.parent, target_is_directory=True)
    write(link / "license.bin", b"own")
    assert read_license(link / "license.bin", 9) == b"own"
    (link / "license.bin").unlink()
    os.lchown(link, OTHER_USER, OTHER_USER)
    actions: tuple[Callable[[], object], ...] = (
        lambda: write(link / "license.bin", b""),
        lambda: read_license(link / "victim", 99),
        lambda: read_own(link / "victim", 99),
    )
    for action in actions:
        with pytest.raises(RefusedFileError, match="link of another user"):
            action()


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
            os.setgid(OTHER_USER)
            os.setuid(OTHER_USER)
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
    os.chown(path, OTHER_USER, OTHER_USER)
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
