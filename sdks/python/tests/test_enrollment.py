"""Machines with an enrollment key: their token, and what happens when it is lost or has ended."""

from __future__ import annotations

import logging
import stat
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from licet import (
    ConfigurationError,
    EnrollmentKeyInvalidError,
    LicenseClient,
    NetworkError,
    SeatsExhaustedError,
)
from licet.testing import FakeLicense, FakeServer


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(app_device_release=True, app_releases_per_year=1)


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Concurrent", seats=1)


def client_of(server: FakeServer, key: str, folder: Path, device: str = "") -> LicenseClient:
    place = folder / device
    place.mkdir(exist_ok=True)
    options: dict[str, Any] = {
        **server.options("", folder=place, hardware_id=device or "here"),
        "license_key": None,
        "enrollment_key": key,
    }
    return LicenseClient(transport=server.transport, **options)


def paths(server: FakeServer) -> list[str]:
    return [request.path for request in server.requests]


def token_file(folder: Path) -> Path:
    [found] = folder.glob("*.token")
    return found


def test_a_machine_enrolls_once_and_keeps_its_token(
    server: FakeServer, license_: FakeLicense, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    key = license_.enrollment_key()
    with client_of(server, key, tmp_path) as client, client.open() as opened:
        assert opened.valid
        assert opened.result.license is not None
        assert opened.result.license.key is None
    file = token_file(tmp_path)
    token = file.read_text()
    assert token.startswith("dt_")
    assert sys.platform == "win32" or stat.S_IMODE(file.stat().st_mode) == 0o600
    assert token not in caplog.text + repr(client) + repr(client._core.config)
    assert key not in caplog.text + file.name + repr(client) + repr(client._core.config)
    with client_of(server, key, tmp_path) as client:
        assert client.validate().valid
    assert paths(server).count("/activations/enroll") == 1
    assert len(license_.devices) == 1


def test_a_lost_token_is_replaced_and_the_seat_is_the_same(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    key = license_.enrollment_key(max_devices=1)
    with client_of(server, key, tmp_path) as client:
        assert client.validate().valid
        [device] = license_.devices
        token_file(tmp_path).unlink()
    with client_of(server, key, tmp_path) as client:
        assert client.validate().valid
    assert [item.id for item in license_.devices] == [device.id]


def test_the_file_of_an_enrolled_machine_has_a_grace_period(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    key = license_.enrollment_key()
    with client_of(server, key, tmp_path) as client:
        client.open().close()
    server.go_offline()
    with client_of(server, key, tmp_path) as client:
        assert client.validate().status == "GracePeriod"
        token_file(tmp_path).unlink()
    with client_of(server, key, tmp_path) as client:
        result = client.validate()
        assert result.status == "OnlineRequired"
        assert isinstance(result.cause, NetworkError)


def test_a_machine_whose_token_has_ended_enrolls_again_while_it_runs(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with client_of(server, license_.enrollment_key(), tmp_path) as client:
        with client.open() as opened:
            license_.devices[0].deactivate(force=True)
            assert client.validate().valid
            assert opened.valid
        license_.devices[0].deactivate(force=True)
        client.refresh()
        assert client.activate().status == "Active"
        assert len(license_.devices) == 1
        client.deactivate()
        assert not license_.devices
        assert not list(tmp_path.glob("*.token"))
        client.deactivate()
    assert paths(server).count("/activations/enroll") == 3


def test_a_machine_that_may_not_enroll_again_is_refused_from_then_on(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    key = license_.enrollment_key()
    with client_of(server, key, tmp_path) as client:
        client.open().close()
        license_.delete_enrollment_key(key)
        assert client.validate().valid, "what has enrolled keeps its token"
        license_.devices[0].deactivate(force=True)
        with pytest.raises(EnrollmentKeyInvalidError) as raised:
            client.validate()
        assert raised.value.http_status == 401
        assert "LICET_ENROLLMENT_KEY" in raised.value.hint
        server.go_offline()
        assert client.validate_offline().status == "LicenseNotFound"
    assert paths(server).count("/activations/enroll") == 2, "once more, and no loop"


def test_the_user_frees_the_seat_of_another_device(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    key = license_.enrollment_key()
    with (
        client_of(server, key, tmp_path, "old") as old,
        client_of(server, key, tmp_path, "new") as new,
    ):
        old.activate(device_name="Laptop")
        with pytest.raises(SeatsExhaustedError) as raised:
            new.open()
        assert raised.value.can_release
        [device] = found = new.devices()
        assert (device.name, device.current, found.releases_left) == ("Laptop", False, 1)
        assert new.release_device(device).seat_free_at is None
        new.open().close()
        [own] = new.devices()
        assert own.current
        with pytest.raises(SeatsExhaustedError) as again:
            old.open()
        assert not again.value.can_release
    assert [item.hardware_id for item in license_.devices] == ["new"]


@pytest.mark.parametrize(("lifetime", "message"), [(timedelta(0), "expired"), (None, "not known")])
def test_an_enrollment_key_that_is_not_accepted(
    server: FakeServer,
    license_: FakeLicense,
    tmp_path: Path,
    lifetime: timedelta | None,
    message: str,
) -> None:
    key = license_.enrollment_key(expires=lifetime) if lifetime is not None else "licet_ek_wrong"
    with (
        client_of(server, key, tmp_path) as client,
        pytest.raises(EnrollmentKeyInvalidError) as raised,
    ):
        client.open()
    assert message in raised.value.message


def test_a_license_key_wins_over_the_enrollment_key_of_the_environment(
    server: FakeServer, license_: FakeLicense, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LICET_ENROLLMENT_KEY", license_.enrollment_key())
    with server.client(license_, folder=tmp_path / "named", hardware_id="here") as client:
        client.open().close()
    assert "/activations/enroll" not in paths(server)
    with client_of(server, "", tmp_path) as client:
        assert client.validate().valid
    assert "/activations/enroll" in paths(server)
    monkeypatch.delenv("LICET_ENROLLMENT_KEY")
    with client_of(server, "", tmp_path) as client, pytest.raises(ConfigurationError):
        client.activate()
