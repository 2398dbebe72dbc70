"""What the user's environment says of proxies and certificates, right or wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from licet_testkit import (
    API_KEY,
    LICENSE_KEY,
    FakeClock,
    LicenseServer,
    Vendor,
    client_options,
    online,
)
from licet_testkit import make_client as client_of

from licet import AsyncLicenseClient, ConfigurationError, LicenseClient, ProxyError, TlsError

BROKEN = {
    "a proxy with SOCKS": ("ALL_PROXY", "socks5://127.0.0.1:9", ProxyError),
    "a proxy with FTP": ("HTTPS_PROXY", "ftp://127.0.0.1:9", ProxyError),
    "a proxy without an address": ("HTTPS_PROXY", "http://[::1", ProxyError),
    "no file of authorities": ("SSL_CERT_FILE", "/no/such/file.pem", TlsError),
}
SERVER = {
    "server_base_endpoint": "https://127.0.0.1:9/api",
    "api_key": API_KEY,
    "license_key": LICENSE_KEY,
    "timeout": 2.0,
}


@pytest.fixture(params=list(BROKEN.values()), ids=list(BROKEN))
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[Exception]:
    name, value, error = request.param
    monkeypatch.setenv(name, value)
    return error


@pytest.mark.usefixtures("broken")
def test_an_offline_application_does_not_notice(
    tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(activationMode="Offline"))
    with LicenseClient(**client_options(tmp_path, clock)) as client:
        assert client.validate().status == "Valid"


async def test_the_fault_is_named(
    tmp_path: Path, clock: FakeClock, broken: type[Exception], no_pauses: None
) -> None:
    with client_of(tmp_path, clock, **SERVER) as client, pytest.raises(broken):
        client.validate_online()
    async with AsyncLicenseClient(**client_options(tmp_path, clock, **SERVER)) as other:
        with pytest.raises(broken):
            await other.validate_online()
        assert type((await other.validate()).cause) is broken


@pytest.mark.parametrize("bypassed", ["::1/128", "localhost,::1/128,127.0.0.0/8", "127.0.0.1"])
def test_networks_that_need_no_proxy(
    tmp_path: Path,
    clock: FakeClock,
    server: LicenseServer,
    monkeypatch: pytest.MonkeyPatch,
    bypassed: str,
) -> None:
    monkeypatch.setenv("NO_PROXY", bypassed)
    if "127" in bypassed:
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with client_of(tmp_path, clock, **online(server)) as client:
        assert client.validate_online().status == "Valid"


def test_a_bundle_that_cannot_be_read_is_named(tmp_path: Path, clock: FakeClock) -> None:
    options = {**SERVER, "verify": tmp_path / "no-such.pem"}
    with client_of(tmp_path, clock, **options) as client, pytest.raises(ConfigurationError) as e:
        client.validate_online()
    assert "no-such.pem" in e.value.message
