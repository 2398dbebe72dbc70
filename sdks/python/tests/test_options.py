"""Options that an application gets wrong, and what it is told."""

from __future__ import annotations

import copy
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import PRODUCT, PUBLIC_KEY, FakeClock, make_client

from licet import (
    ConfigurationError,
    LicenseClient,
    LicenseResult,
    LicenseStatus,
    LicenseType,
    LicetError,
)
from licet._exit_hooks import SIGNALS


@pytest.mark.parametrize(
    ("option", "value"),
    [("app_version", 2), ("device_name", 1), ("username", b"ada"), ("product_id", b"p")],
)
def test_a_value_of_the_wrong_type_is_named(
    tmp_path: Path, clock: FakeClock, option: str, value: Any
) -> None:
    with pytest.raises(ConfigurationError, match="must be a string"):
        make_client(tmp_path, clock, **{option: value})


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("Ada's laptop ", "Ada's laptop"),
        ("x" * 300, "x" * 256),
        ("a\r\nb\x00c", "a  b c"),
        ("\ud800 desk", "desk"),
        (" \n ", None),
        ("\U0001f4bb" * 300, "\U0001f4bb" * 256),
    ],
)
def test_labels_never_stop_a_request(
    tmp_path: Path, clock: FakeClock, given: str, sent: str | None
) -> None:
    labels = {"device_name": given, "username": given, "app_version": given}
    config = make_client(tmp_path, clock, **labels)._core.config
    assert config.device_name == config.username == sent
    assert config.app_version == (sent[:100] if sent is not None else None)


@pytest.mark.parametrize("password", ["secret ", " secret", "sec\nret", "x" * 257])
def test_a_password_that_cannot_be_sent_is_refused(
    tmp_path: Path, clock: FakeClock, password: str
) -> None:
    with pytest.raises(ConfigurationError, match="password"):
        make_client(tmp_path, clock, password=password)


def test_a_settings_file_that_is_not_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("licet._config.application_folder", lambda: tmp_path)
    with pytest.raises(ConfigurationError) as alone:
        LicenseClient()
    assert "ProductId is missing" in alone.value.message
    assert "from_settings" not in alone.value.message
    (tmp_path / "licet.json").write_text("{}")
    with pytest.raises(ConfigurationError, match=r"LicenseClient\.from_settings\(\) reads"):
        LicenseClient()


@pytest.mark.parametrize(
    ("given", "proposed"),
    [
        ("https://a.example/api/v1", "https://a.example/api'"),
        ("https://a.example/x/API/v1/y", "https://a.example/x/API'"),
        ("https://a.example", "https://a.example/api'"),
        ("https://a.example/apis", "https://a.example/apis/api'"),
        ("https://api/v1", "https://api/v1/api'"),
    ],
)
def test_another_address_is_proposed(
    tmp_path: Path, clock: FakeClock, given: str, proposed: str
) -> None:
    with pytest.raises(ConfigurationError) as error:
        make_client(tmp_path, clock, server_base_endpoint=given)
    assert f"try '{proposed}" in error.value.message


COMMENTED = """{
  // of .NET
  "Licet": {
    "ProductId": "%s", /* "PublicKey": "x", */
    "PublicKey": "%s",
    "DeviceName": "a // b, /* c */ , ]",
  },
}"""


def test_settings_of_dotnet(tmp_path: Path) -> None:
    key = PUBLIC_KEY.replace("\n", "\\n")
    (tmp_path / "appsettings.json").write_text(COMMENTED % (PRODUCT, key))
    with LicenseClient.from_settings(tmp_path) as client:
        assert client._core.config.device_name == "a // b, /* c */ , ]"


def test_a_mistake_behind_a_comment_is_found(tmp_path: Path) -> None:
    (tmp_path / "licet.json").write_text('{\n  /* two\n lines */\n  "ProductId": }')
    with pytest.raises(ConfigurationError, match="line 4, column 16"):
        LicenseClient.from_settings(tmp_path)


def test_coroutine_functions_are_refused(tmp_path: Path, clock: FakeClock) -> None:
    async def callback(_: LicetError | LicenseResult) -> None: ...

    with make_client(tmp_path, clock) as client:
        for call in (client.session, client.seat, client.open):
            with pytest.raises(ConfigurationError, match="AsyncLicenseClient"):
                call(on_lost=callback)
        with pytest.raises(ConfigurationError, match="AsyncLicenseClient"):
            client.watch(callback)


def test_signals_that_release_seats() -> None:
    assert signal.SIGTERM in SIGNALS
    assert sys.platform == "win32" or signal.SIGHUP in SIGNALS


def test_enumerations_are_strings() -> None:
    assert LicenseType("Floating") is LicenseType.Floating
    assert LicenseType.Floating == "Floating"
    assert f"{LicenseStatus.Active}" == "Active"
    newer = LicenseType("Rented")
    assert (newer, newer.value, repr(newer)) == (
        "Rented",
        "Rented",
        "<LicenseType.Rented: 'Rented'>",
    )
    assert isinstance(newer, LicenseType)
    assert "Rented" not in list(LicenseType)
    assert pickle.loads(pickle.dumps(newer)) == copy.deepcopy(newer) == "Rented"
    with pytest.raises(ValueError, match="is not a valid"):
        LicenseType(3)  # type: ignore[arg-type]


HEAVY = "asyncio cryptography.x509 email http httpx joserfc socket ssl subprocess urllib.request"


def test_an_offline_start_loads_no_network_code(tmp_path: Path, vendor: Any) -> None:
    (tmp_path / "license.bin").write_text(
        vendor.file(activationMode="Offline", expirationDate="2999-01-01T00:00:00Z")
    )
    code = f"""
import sys
found = lambda: sorted(set({HEAVY.split()!r}) & set(sys.modules))
from licet import LicenseClient
assert found() == [], found()
client = LicenseClient(product_id={PRODUCT!r}, public_key={PUBLIC_KEY!r},
    license_file={str(tmp_path / "license.bin")!r}, hardware_id="h", api_key="pk_1",
    server_base_endpoint="https://127.0.0.1:9/api")
assert client.validate_offline().status == "Valid"
client.close()
assert found() == [], found()
import licet
assert all(hasattr(licet, name) for name in licet.__all__)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
