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
from licet._enrollment import ensure_enrolled
from licet._flow import Done, Pause, Waiting, run, step
from licet._jose import is_protected
from licet._validation import _learn
from licet.testing import FakeLicense, FakeServer


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(app_device_release=True, app_releases_per_year=1)


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Concurrent", seats=1)


def client_of(
    server: FakeServer, key: str, folder: Path, device: str = "", **more: Any
) -> LicenseClient:
    place = folder / device
    place.mkdir(exist_ok=True)
    options: dict[str, Any] = {
        **server.options("", folder=place, hardware_id=device or "here"),
        "license_key": None,
        "enrollment_key": key,
        **more,
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


def test_a_process_takes_the_token_that_another_has_got(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    key = license_.enrollment_key()
    with client_of(server, key, tmp_path) as one, client_of(server, key, tmp_path) as two:
        assert one.validate().valid
        assert two.validate().valid
        license_.devices[0].deactivate(force=True)
        assert one.validate().valid
        assert two.validate_offline().status == "GracePeriod"
        license_.devices[0].deactivate(force=True)
        assert two.validate().valid
        assert one.activate().status == "Active"
    assert paths(server).count("/activations/enroll") == 3


def test_a_refused_token_is_that_of_the_request_not_the_latest(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    key = license_.enrollment_key()
    with client_of(server, key, tmp_path) as one, client_of(server, key, tmp_path) as two:
        assert one.validate().valid
        old = one._core.normal_key
        assert old is not None
        license_.devices[0].deactivate(force=True)
        assert two.validate().valid
        late = Waiting()
        late.is_over = True
        assert run(_learn(one._core, old, late), server.transport).valid
    assert paths(server).count("/activations/enroll") == 2


def test_a_process_enrolls_once_at_a_time(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with client_of(server, license_.enrollment_key(), tmp_path) as client:
        first, second = (ensure_enrolled(client._core) for _ in range(2))
        request: Any = step(first, None)
        assert isinstance(step(second, None), Pause)
        assert isinstance(step(first, server.transport.send(request)), Done)
        assert isinstance(step(second, None), Done)


def test_a_folder_that_cannot_be_written_to_does_not_bring_back_a_token(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with client_of(server, license_.enrollment_key(), tmp_path) as client:
        assert client.validate().valid
        file = token_file(tmp_path)
        old = file.read_bytes()
        license_.devices[0].deactivate(force=True)
        assert client.validate().valid
        file.write_bytes(old)
        assert client.validate().valid
    assert paths(server).count("/activations/enroll") == 2


def test_an_answer_that_comes_late_enrolls_again(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with client_of(server, license_.enrollment_key(), tmp_path) as client:
        assert client.validate().valid
        token = client._core.normal_key
        assert token is not None
        license_.devices[0].deactivate(force=True)
        late = Waiting()
        late.is_over = True
        assert run(_learn(client._core, token, late), server.transport).valid
    assert len(license_.devices) == 1


def test_a_session_enrolls_again(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> None:
    with client_of(server, license_.enrollment_key(), tmp_path) as client:
        assert client.validate().valid
        license_.devices[0].deactivate(force=True)
        with client.session() as session:
            assert session.alive


def test_the_new_file_is_protected_like_the_one_of_the_earlier_enrollment(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    key = license_.enrollment_key()
    with client_of(server, key, tmp_path, protect_file=True) as client:
        client.open().close()
    license_.devices[0].deactivate(force=True)
    with client_of(server, key, tmp_path) as client:
        client.open().close()
        assert client.validate_offline().status == "GracePeriod"
    assert is_protected((tmp_path / "license.bin").read_text())
    token_file(tmp_path).write_text("dt_" + "0" * 40)
    with client_of(server, key, tmp_path) as client:
        assert client.validate_offline().status == "LicenseNotFound"


def test_the_daily_check_of_a_machine_that_has_lost_its_token_enrolls_once(
    server: FakeServer, tmp_path: Path
) -> None:
    license_ = server.issue("Concurrent", seats=1, activation_mode="Offline")
    key = license_.enrollment_key()
    with client_of(server, key, tmp_path) as client:
        client.open().close()
    license_.devices[0].deactivate(force=True)
    token_file(tmp_path).unlink()
    with client_of(server, key, tmp_path) as client:
        assert client.validate().source == "file"
    assert len(license_.devices) == 1
    license_.delete_enrollment_key(key)
    token_file(tmp_path).unlink()
    for _ in range(2):
        with client_of(server, key, tmp_path) as client:
            assert client.validate().source == "file"
    assert paths(server).count("/activations/enroll") == 3
