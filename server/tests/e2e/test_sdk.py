"""The SDK against the running service: what a vendor's application goes through."""

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from client_scenarios import CLIENT_CHECKS, WIRE_CHECKS, Target, name_of
from e2e.process import ADMIN, Service
from e2e.real import RealVendor
from e2e.vendor import Vendor, make_vendor
from licenses.factories import EXAMPLES

from licet import ApiKeyRefusedError, AsyncLicenseClient, LicenseClient

UNKNOWN = "00000-00000-00000-00000-00000"
ONLINE_ONLY = {"Floating", "MeteredToken", "MeteredCount"}
HERE = "h1m-e2e-here"


@pytest.fixture(scope="module")
def vendor(owner: httpx.Client) -> Vendor:
    return make_vendor(owner)


@pytest.fixture
def real(vendor: Vendor) -> RealVendor:
    return RealVendor(vendor)


@pytest.mark.parametrize("check", WIRE_CHECKS, ids=name_of)
def test_wire(check: Any, real: RealVendor) -> None:
    check(real)


@pytest.mark.parametrize("check", CLIENT_CHECKS, ids=name_of)
def test_client(check: Any, real: RealVendor, tmp_path: Path) -> None:
    check(real, tmp_path)


def async_client(target: Target, folder: Path, license_key: str) -> AsyncLicenseClient:
    return AsyncLicenseClient(
        product_id=target.product_id,
        public_key=target.public_key,
        api_key=target.api_key,
        server_base_endpoint=target.base_url,
        license_key=license_key,
        license_file=folder / "license.bin",
    )


def offline_client(vendor: Vendor, folder: Path, license_key: str | None = None) -> LicenseClient:
    """A client on the machine HERE that could not reach a server if it wanted to."""
    return LicenseClient(
        product_id=vendor.product,
        public_key=vendor.public_key,
        license_key=license_key,
        license_file=folder / "license.bin",
        hardware_id=HERE,
    )


async def test_conformance_of_the_async_client(vendor: Vendor, tmp_path: Path) -> None:
    target = vendor.target
    license_ = vendor.issue()
    async with async_client(target, tmp_path, license_["licenseKey"]) as client:
        assert (await client.validate_online()).status == "Valid"
        assert (await client.refresh()).status == "Valid"
        assert (await client.validate_offline()).valid
        vendor.ok("POST", f"/api/licenses/{license_['id']}/revoke", {})
        assert (await client.validate()).status == "Revoked"
        assert (await client.refresh()).status == "Revoked"
        assert (await client.validate_offline()).status == "Revoked"
    async with async_client(target, tmp_path / "other", UNKNOWN) as client:
        assert (await client.validate_online()).status == "LicenseNotFound"
    stranger = Target(target.base_url, "pk_no_such_key", target.product_id, target.public_key)
    async with async_client(stranger, tmp_path / "stranger", UNKNOWN) as client:
        with pytest.raises(ApiKeyRefusedError):
            await client.validate_online()


@pytest.mark.specification("service.vendor-flow")
@pytest.mark.parametrize("model", sorted(EXAMPLES.keys() - {"NodeLocked"}))
def test_every_model_is_issued_verified_and_revoked(
    vendor: Vendor, tmp_path: Path, model: str
) -> None:
    offline = {} if model in ONLINE_ONLY else {"activationMode": "Offline"}
    license_ = vendor.issue(model, **offline)
    key = license_["licenseKey"]
    file = tmp_path / "license.bin"
    machine = {"hardwareId": HERE} if model == "Concurrent" else {}  # its file takes a seat
    for protected in ("false", "true"):
        file.write_bytes(vendor.file(license_, protected=protected, **machine))
        assert file.read_bytes().count(b".") == (4 if protected == "true" else 2)
        with offline_client(vendor, tmp_path, key) as client:
            result = client.validate_offline()
        expected = "OnlineRequired" if model in ONLINE_ONLY else "Valid"
        assert result.status == expected, result.message
        assert result.license is not None
        assert result.license.type == model
    with vendor.target.client(tmp_path, key, hardware_id=HERE) as client:
        assert client.validate_online().status == "Valid"
        file.unlink()
        assert client.refresh().valid
        assert file.read_bytes().count(b".") == 2
        vendor.ok("POST", f"/api/licenses/{license_['id']}/revoke", {"reason": "refunded"})
        assert client.validate_online().status == "Revoked"
    with offline_client(vendor, tmp_path, key) as client:
        assert client.validate().status == "Revoked", "a revocation outlives the connection"


def test_a_node_locked_license_asks_for_a_machine(vendor: Vendor, tmp_path: Path) -> None:
    license_ = vendor.issue("NodeLocked", activationMode="Offline")
    (tmp_path / "license.bin").write_bytes(vendor.file(license_, hardwareId="h1m-here"))
    with offline_client(vendor, tmp_path) as client:
        assert not client.validate_offline().valid, "it names another machine, or none"


@pytest.mark.specification("keys.signature-mismatch")
def test_what_was_not_signed_for_this_product_is_refused(vendor: Vendor, tmp_path: Path) -> None:
    license_ = vendor.issue("Subscription", activationMode="Offline")
    plain = vendor.file(license_)
    file = tmp_path / "license.bin"
    file.write_bytes(plain)
    with offline_client(vendor, tmp_path) as client:
        assert client.validate_offline().status == "Valid"
        header, payload, signature = plain.split(b".")
        claims = base64.urlsafe_b64decode(payload + b"==").replace(b"2099-", b"2199-")
        forged = base64.urlsafe_b64encode(claims).rstrip(b"=")
        assert forged != payload
        other = make_vendor(vendor.owner, f"Other than {license_['id']}")
        for wrong in (
            b".".join((header, forged, signature)),
            b".".join((header, payload, signature[:8] + b"AAAA" + signature[12:])),
            other.file(other.issue(activationMode="Offline")),
        ):
            file.write_bytes(wrong)
            assert client.validate_offline().status == "SignatureMismatch"


@pytest.mark.specification("keys.generate", "keys.signature-mismatch")
def test_rotated_product_keys_end_old_files(owner: httpx.Client, tmp_path: Path) -> None:
    vendor = make_vendor(owner, "Rotating")
    license_ = vendor.issue(activationMode="Offline")
    file = tmp_path / "license.bin"
    stale = vendor.file(license_)
    file.write_bytes(stale)
    path = f"/api/products/{vendor.product}/keys"
    vendor.ok("POST", f"{path}/generate", {"keySize": 2048})
    with offline_client(vendor, tmp_path) as old:
        assert old.validate_offline().status == "Valid", "the old pair knows nothing of it"
        file.write_bytes(vendor.file(license_))
        assert old.validate_offline().status == "SignatureMismatch"
    with vendor.target.client(tmp_path, license_["licenseKey"]) as old:
        assert old.validate_online().status == "SignatureMismatch"
    vendor.public_key = vendor.ok("GET", f"{path}/public")["publicKeyPem"]
    with offline_client(vendor, tmp_path) as new:
        assert new.validate_offline().status == "Valid"
        file.write_bytes(stale)
        assert new.validate_offline().status == "SignatureMismatch"


@pytest.fixture
def mortal(new_database: Callable[[], str]) -> Iterator[Service]:
    """A service that the test may stop."""
    service = Service({**ADMIN, "DATABASE_URL": new_database()})
    try:
        service.start()
        yield service
    finally:
        service.remove()


def test_the_grace_period_begins_when_the_server_is_away(mortal: Service, tmp_path: Path) -> None:
    clients: list[Callable[[], str]] = []
    with mortal.sign_in() as owner:
        vendor = make_vendor(owner)
        online, revoked = vendor.issue(), vendor.issue()
        with (
            vendor.target.client(tmp_path / "a", online["licenseKey"]) as good,
            vendor.target.client(tmp_path / "b", revoked["licenseKey"]) as bad,
        ):
            clients += [lambda: good.validate().status, lambda: bad.validate().status]
            assert [ask() for ask in clients] == ["Valid", "Valid"]
            vendor.ok("POST", f"/api/licenses/{revoked['id']}/revoke", {})
            assert [ask() for ask in clients] == ["Valid", "Revoked"]
            assert mortal.stop() == 0
            assert [ask() for ask in clients] == ["GracePeriod", "Revoked"]
