from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import (
    API_KEY,
    HARDWARE,
    LICENSE_KEY,
    NOW,
    PRODUCT,
    FakeClock,
    LicenseServer,
    Vendor,
    as_json,
    make_client,
    normal,
    online,
    problem,
)

from licet import (
    ConfigurationError,
    License,
    LicenseStatus,
    LicenseType,
    ServerRefusedError,
    ServerUnavailableError,
)
from licet._hardware import find_hardware_id

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.mark.specification("service.sdk-online")
def test_a_valid_license(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> None:
    with make_client(tmp_path, clock, **online(server, app_version="2.1.0")) as client:
        result = client.validate_online()
    assert result.status == "Valid"
    assert result.source == "server"
    assert result.features == ("export",)
    path, body, headers = server.requests[0]
    assert path == "/api/licenses/validate"
    assert headers["x-api-key"] == API_KEY
    assert body["signed"] is True
    assert body["licenseKey"] == normal(LICENSE_KEY)
    assert body["hardwareId"] == HARDWARE
    assert body["appVersion"] == "2.1.0"
    assert len(body["nonce"]) >= 22
    assert "password" not in body
    assert "deviceName" not in body


@pytest.mark.parametrize("with_file", [False, True])
def test_a_forged_yes_is_no_reason_to_use_the_file(
    with_file: bool,
    tmp_path: Path,
    clock: FakeClock,
    server: LicenseServer,
    vendor: Vendor,
) -> None:
    if with_file:
        (tmp_path / "license.bin").write_text(vendor.file())

    def answer(body: dict[str, Any]) -> Any:
        license_told = {"id": "x", "type": "Perpetual", "status": "Active"}
        return as_json(
            {
                "valid": True,
                "status": "Valid",
                "license": license_told,
                "nonce": body["nonce"],
                "token": vendor.verdict(body, clock.now, key=vendor.stale),
            }
        )

    server.on_validate = answer
    client = make_client(tmp_path, clock, **online(server))
    for result in (client.validate(), client.validate_online()):
        assert result.status == "SignatureMismatch"
        assert not result.valid
        assert result.features == ()


@pytest.mark.parametrize(
    ("offset", "words"),
    [
        (timedelta(hours=-2), "2 h behind, probably because the time zone"),
        (timedelta(hours=1), "1 h ahead, probably because the time zone"),
        (timedelta(hours=-2, minutes=-12), "2 h 12 min behind. Correct the date and time"),
        (timedelta(hours=23, minutes=7), "23 h 7 min ahead. Correct the date and time"),
    ],
)
@pytest.mark.parametrize("terms", [{}, {"activationMode": "Offline"}])
def test_a_signed_yes_wins_over_a_wrong_clock(
    tmp_path: Path,
    clock: FakeClock,
    server: LicenseServer,
    vendor: Vendor,
    offset: timedelta,
    words: str,
    terms: dict[str, Any],
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(**terms))
    client = make_client(tmp_path, clock, **online(server))
    server.on_validate = lambda body: as_json({"token": vendor.verdict(body, NOW)})
    clock.now += offset
    for result in (client.validate_online(), client.validate()):
        assert result.status == "Valid"
        if result.source == "server":
            assert words in (result.warning or "")
            assert "not checked" not in result.message


def test_the_file_is_refreshed_at_first_and_then_once_a_day(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate().status == "Valid"
    assert (tmp_path / "license.bin").exists()
    assert client.validate().status == "Valid"
    assert server.paths() == ["validate", "refresh", "validate"]
    clock.advance(hours=25)
    assert client.validate().status == "Valid"
    assert server.paths()[3:] == ["validate", "refresh"]


def test_the_grace_period_keeps_features_and_ends(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    client = make_client(tmp_path, clock, **online(server, grace_period=timedelta(days=3)))
    assert client.validate().status == "Valid"
    clock.advance(hours=12)
    assert client.validate().status == "Valid"
    server.stop()
    clock.advance(days=2, hours=23)
    result = client.validate()
    assert result.status == "GracePeriod"
    assert result.valid
    assert result.has_feature("export")
    assert isinstance(result.cause, ServerRefusedError)
    assert "cannot be reached" in result.message
    clock.advance(hours=2)
    result = client.validate()
    assert result.status == "OnlineRequired"
    assert not result.has_feature("export")
    assert isinstance(result.cause, ServerRefusedError)


@pytest.mark.parametrize("answer", [problem(500, "InternalError"), problem(401, "Unauthorized")])
def test_the_grace_period_covers_server_errors(
    answer: Any, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate().status == "Valid"
    server.on_validate = lambda _: answer
    result = client.validate()
    assert result.status == "GracePeriod"
    assert result.cause is not None


def test_without_server_and_file(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> None:
    server.stop()
    client = make_client(tmp_path, clock, **online(server))
    result = client.validate()
    assert result.status == "OnlineRequired"
    assert isinstance(result.cause, ServerRefusedError)
    with pytest.raises(ServerRefusedError):
        client.validate_online()


@pytest.mark.specification("states.revoked-offline")
@pytest.mark.parametrize(
    "status", ["Revoked", "Suspended", "DeviceBlocked", "CredentialsInvalid", "Frozen"]
)
def test_a_refusal_stays_in_effect_offline(
    status: str, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    make_client(tmp_path, clock, **online(server)).validate()
    server.status = status
    clock.advance(minutes=5)
    refused = make_client(tmp_path, clock, **online(server)).validate().status
    port_is_closed = {"server_base_endpoint": "http://127.0.0.1:9/api"}
    away = make_client(tmp_path, clock, **{**online(server), **port_is_closed})
    for result in (away.validate(), away.validate_offline()):
        assert result.status == refused
        assert not result.valid
    server.status = "Valid"
    clock.advance(minutes=5)
    assert make_client(tmp_path, clock, **online(server)).validate().status == "Valid"
    assert away.validate().status == "GracePeriod"


def test_a_file_issued_after_the_refusal_overrides_it(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    terms: dict[str, Any] = {"activationMode": "Offline"}
    (tmp_path / "license.bin").write_text(vendor.file(**terms))
    server.status = "Suspended"
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate_online().status == "Suspended"
    assert client.validate_offline().status == "Suspended"
    clock.advance(hours=1)
    (tmp_path / "license.bin").write_text(vendor.file(issued=clock.now, **terms))
    assert client.validate_offline().status == "Valid"


def test_a_valid_file_of_an_offline_license_is_sufficient(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    terms: dict[str, Any] = {"activationMode": "Offline"}
    server.file_terms = terms
    text = vendor.file(exp=NOW + timedelta(days=30), **terms)
    (tmp_path / "license.bin").write_text(text)
    with make_client(tmp_path, clock) as client:
        assert client.validate().status == "Valid"
    client = make_client(tmp_path, clock, **online(server))
    clock.advance(days=31)
    assert client.validate().status == "Valid"
    assert server.paths() == ["validate", "refresh"]
    assert client.validate_offline().status == "Valid"


def test_the_license_key_is_read_from_the_file(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file())
    client = make_client(tmp_path, clock, **online(server, license_key=None))
    assert client.validate_online().status == "Valid"
    assert server.requests[0][1]["licenseKey"] == normal(LICENSE_KEY)
    (tmp_path / "license.bin").write_text(vendor.file(key=vendor.stale))
    assert client.validate().status == "SignatureMismatch"
    with pytest.raises(ConfigurationError, match="LicenseKey"):
        client.validate_online()


def test_a_file_signed_with_a_stale_key_is_replaced(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(key=vendor.stale))
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate_offline().status == "SignatureMismatch"
    assert client.validate().status == "Valid"
    assert client.validate_offline().valid


def test_a_server_response_resets_clock_drift(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    terms: dict[str, Any] = {"activationMode": "Offline", "expirationDate": None}
    (tmp_path / "license.bin").write_text(vendor.file(**terms))
    server.file_terms = terms
    client = make_client(tmp_path, clock, **online(server))
    clock.advance(days=4000)
    client.validate_offline()
    clock.advance(days=-3999)
    assert client.validate_offline().status == "ClockTampered"
    assert client.validate().status == "Valid"
    assert client.validate_offline().status == "Valid"


def test_server_errors_by_type(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> None:
    server.on_validate = lambda _: problem(500, "InternalError")
    with pytest.raises(ServerUnavailableError, match="not available") as caught:
        make_client(tmp_path, clock, **online(server)).validate_online()
    assert caught.value.http_status == 500
    assert len(server.requests) == 1


def test_setting_the_clock_back_does_not_extend_the_grace_period(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file())
    with make_client(tmp_path, clock, **online(server)) as asked:
        assert asked.validate_online().status == "Valid"
    client = make_client(tmp_path, clock, grace_period=timedelta(days=3))
    clock.advance(days=3, minutes=10)
    assert client.validate_offline().status == "OnlineRequired"
    clock.advance(hours=-2)
    assert client.validate_offline().status == "OnlineRequired"


@pytest.mark.specification("sdk.hardware-id")
def test_the_id_that_the_sdk_found_is_sent(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    options = {**online(server), "hardware_id": None}
    with make_client(tmp_path, clock, **options) as client:
        client.validate_online()
    [sent] = [body["hardwareId"] for _, body, _ in server.requests]
    assert sent == client.hardware_id == find_hardware_id(PRODUCT, tmp_path).value


def test_an_unreadable_file_is_a_warning_where_the_server_can_speak(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    (tmp_path / "license.bin").mkdir()
    with make_client(tmp_path, clock, **online(server)) as client:
        result = client.validate()
    assert result.status == "Valid"
    assert any("license.bin" in warning for warning in result.warnings)


def test_names_of_features_are_compared_in_one_form() -> None:
    terms = License("1", LicenseType("Trial"), LicenseStatus("Active"), features=("caf\u00e9",))
    assert terms.entitlement("CAFE\u0301") is True
    assert terms.entitlement("cafe") is None


def test_nothing_is_printed_unless_logging_is_configured() -> None:
    code = "import licet, logging; logging.getLogger('licet').warning('seat lost')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout + done.stderr == b""
