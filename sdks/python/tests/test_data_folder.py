"""Where an application keeps its data by default, and what it says if it cannot."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest
from licet_testkit import (
    HARDWARE,
    PRODUCT,
    PUBLIC_KEY,
    FakeClock,
    LicenseServer,
    Vendor,
    make_client,
    online,
)

from licet import LicenseClient
from licet._doctor import examine
from licet._places import data_folder

HOME = {"XDG_DATA_HOME": "/home/ada/data", "LOCALAPPDATA": "/l", "PROGRAMDATA": "/p"}


@pytest.fixture
def client(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> LicenseClient:
    """An application that names no paths, installed in ``tmp_path``."""
    given = online(server, product_id=PRODUCT, public_key=PUBLIC_KEY, hardware_id=HARDWARE)
    return LicenseClient.from_settings(tmp_path, clock=clock, **given)


@pytest.mark.parametrize(
    ("platform", "all_users", "expected"),
    [
        ("linux", False, "/home/ada/data/licet/p-1"),
        ("linux", True, "/var/lib/licet/p-1"),
        ("win32", False, "/l/licet/p-1"),
        ("win32", True, "/p/licet/p-1"),
        ("darwin", True, "/Library/Application Support/licet/p-1"),
    ],
)
def test_conventions(platform: str, all_users: bool, expected: str) -> None:
    found = data_folder("p-1", all_users=all_users, platform=platform, env=HOME)
    assert found == Path(expected)


def test_homes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder("p", platform="linux", env={}) == tmp_path / ".local/share/licet/p"
    assert data_folder("p", platform="linux", env={"XDG_DATA_HOME": "relative"}) == (
        tmp_path / ".local/share/licet/p"
    )
    macos = tmp_path / "Library/Application Support/licet/p"
    assert data_folder("p", platform="darwin", env={}) == macos
    monkeypatch.setenv("HOME", "/nonexistent")
    assert data_folder("p", platform="linux", env={}) is None


@pytest.mark.parametrize("product", ["../up", "a/b", ".", "", "p" * 80])
def test_a_product_cannot_choose_another_folder(product: str) -> None:
    found = data_folder(product, platform="linux", env=HOME)
    assert found is not None
    assert found.parent == Path("/home/ada/data/licet")
    assert found.name not in {".", ".."}


def test_everything_is_stored_for_the_user(
    client: LicenseClient, tmp_path: Path, data_home: Path
) -> None:
    assert client.validate().status == "Valid"
    folder = data_home / "licet" / PRODUCT
    assert {path.suffix for path in folder.iterdir()} == {".bin", ".json", ".state"}
    assert list(tmp_path.iterdir()) == []


def test_a_file_next_to_the_application_is_read(
    client: LicenseClient, tmp_path: Path, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(activationMode="Offline"))
    assert client.validate_offline().status == "Valid"


def test_the_newer_file_is_read(
    client: LicenseClient, tmp_path: Path, vendor: Vendor, data_home: Path
) -> None:
    installed, own = tmp_path / "license.bin", data_home / "licet" / PRODUCT / "license.bin"
    own.parent.mkdir(parents=True)
    installed.write_text(vendor.file(activationMode="Offline", name="installed"))
    own.write_text(vendor.file(activationMode="Offline", name="own"))
    for newer, name in ((own, "own"), (installed, "installed")):
        for path in (installed, own):
            os.utime(path, (1, 2) if path == newer else (1, 1))
        terms = client.validate_offline().license
        assert terms is not None
        assert terms.name == name


def test_a_named_file_keeps_its_state_beside_it(tmp_path: Path, clock: FakeClock) -> None:
    with make_client(tmp_path, clock) as client:
        assert client._core.config.state_folder == tmp_path


def test_a_named_file_in_a_folder_that_cannot_be_written(
    tmp_path: Path, clock: FakeClock, data_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("licet._places.can_write", lambda _: False)
    with make_client(tmp_path, clock) as client:
        assert client._core.config.state_folder == data_home / "licet" / PRODUCT


def test_all_users(tmp_path: Path, data_home: Path) -> None:
    made = LicenseClient.from_settings(
        tmp_path, all_users=True, product_id=PRODUCT, public_key=PUBLIC_KEY
    )
    with made as client:
        assert client._core.config.license_file == Path("/var/lib/licet") / PRODUCT / "license.bin"
        assert client._core.config.state_folder == data_home / "licet" / PRODUCT


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_a_folder_for_every_user_holds_license_bin_alone(
    tmp_path: Path, clock: FakeClock, data_home: Path
) -> None:
    tmp_path.chmod(0o1777)
    with make_client(tmp_path, clock) as client:
        assert client._core.config.state_folder == data_home / "licet" / PRODUCT


def test_it_is_said_aloud_if_nothing_can_be_stored(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder should be")
    options = online(server, license_file=blocked / "license.bin", state_folder=blocked / "state")
    with caplog.at_level(logging.WARNING, "licet"), make_client(tmp_path, clock, **options) as app:
        app.validate()
        result = app.validate()
    assert result.status == "Valid"
    assert any("Nothing can be stored" in warning for warning in result.warnings)
    assert any("license.bin cannot be written" in warning for warning in result.warnings)
    said = [record.message for record in caplog.records]
    assert sum("Nothing can be stored" in line for line in said) == 1
    assert sum("cannot be written" in line for line in said) == 1


def test_the_doctor_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = {
        "product_id": PRODUCT,
        "public_key": PUBLIC_KEY,
        "state_folder": tmp_path / "file" / "state",
    }
    found = [item for item in examine(tmp_path, code) if item.subject == "data"]
    assert [item.level for item in found] == ["problem"]
