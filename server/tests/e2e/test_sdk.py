"""The SDK against the running service: what a vendor's application goes through."""

import base64
import itertools
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from e2e.process import ADMIN, Service
from e2e.vendor import Vendor, make_vendor
from licenses.factories import EXAMPLES
from licet_conformance import CLIENT_CHECKS, WIRE_CHECKS, Answer, Target, name_of

from licet import ApiKeyRefusedError, AsyncLicenseClient, LicenseClient
from licet._clock import system_clock

UNKNOWN = "00000-00000-00000-00000-00000"
ONLINE_ONLY = {"Floating", "MeteredToken", "MeteredCount"}
WIRE_NAMES = {
    "seats": "maxActiveUsersCount",
    "activation_mode": "activationMode",
    "binding_mode": "deviceBindingMode",
    "license_key": "licenseKey",
    "initial_meter_balance": "initialMeterBalance",
}
"""The suite's terms of a license, where the service calls them otherwise."""

_numbers = itertools.count(1)


def number(amount: Decimal | int) -> int | float:
    """An amount for a JSON body; the suite's have at most 15 digits, which a float keeps."""
    return int(amount) if amount == int(amount) else float(amount)


def decimal(value: float | None) -> Decimal | None:
    """The amount that an operator's route told."""
    return None if value is None else Decimal(str(value))


@dataclass(frozen=True)
class RealRow:
    """A device, a session or an attempt, as the operator's list shows it."""

    vendor: Vendor
    kind: str
    fields: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.fields["id"])

    @property
    def hardware_id(self) -> str:
        return str(self.fields.get("hardwareId") or self.fields["attemptedHardwareId"])

    @property
    def status(self) -> str:
        return str(self.fields["status"])

    @property
    def bound_hardware_id(self) -> str:
        return str(self.fields["boundHardwareId"])

    @property
    def entry_point(self) -> str:
        return str(self.fields["entryPoint"])

    @property
    def count(self) -> int:
        return int(self.fields["attemptCount"])

    def approve(self) -> None:
        self._act("approve")

    def block(self) -> None:
        self._act("block")

    def unblock(self) -> None:
        self._act("unblock")

    def deactivate(self) -> None:
        self._act("deactivate")

    def disconnect(self) -> None:
        self._act("disconnect")

    def _act(self, action: str) -> None:
        self.vendor.ok("POST", f"/api/{self.kind}/{self.id}/{action}", {})


@dataclass(frozen=True)
class RealEntry:
    """A row of the ledger, as the operator's list shows it."""

    id: str
    type: str
    amount: Decimal
    balance_after: Decimal
    sequence: int
    feature_name: str | None
    quantity: int | None
    unit_price: Decimal | None
    reason: str | None
    external_reference: str | None
    idempotency_key: str | None
    activation_id: str | None


def read_entry(item: dict[str, Any]) -> RealEntry:
    return RealEntry(
        item["id"],
        item["type"],
        Decimal(str(item["amount"])),
        Decimal(str(item["balanceAfter"])),
        item["sequence"],
        item["featureName"],
        item["quantity"],
        decimal(item["unitPrice"]),
        item["reason"],
        item["externalReference"],
        item["idempotencyKey"],
        item["activationId"],
    )


class RealLicense:
    """A license of the running service."""

    def __init__(self, vendor: Vendor, fields: dict[str, Any]) -> None:
        self._vendor, self._fields = vendor, fields
        self._path = f"/api/licenses/{fields['id']}"
        self.id, self.key = str(fields["id"]), str(fields["licenseKey"])

    @property
    def seats(self) -> int | None:
        seats: int | None = self._vendor.ok("GET", self._path)["maxActiveUsersCount"]
        return seats

    @seats.setter
    def seats(self, seats: int | None) -> None:
        self._vendor.ok("PUT", self._path, {"maxActiveUsersCount": seats})

    @property
    def devices(self) -> list[RealRow]:
        return self._rows("activations")

    @property
    def sessions(self) -> list[RealRow]:
        return self._rows("sessions")

    @property
    def access_attempts(self) -> list[RealRow]:
        return self._rows("access-attempts")

    def _rows(self, kind: str) -> list[RealRow]:
        items = self._vendor.ok("GET", f"{self._path}/{kind}?pageSize=100")["items"]
        return [RealRow(self._vendor, kind, item) for item in items]

    @property
    def balance(self) -> Decimal:
        told = self._vendor.ok("GET", f"/api/meter/balance/{self.id}")
        return Decimal(str(told["balance"]))

    @property
    def ledger(self) -> list[RealEntry]:
        items = self._vendor.ok("GET", f"{self._path}/ledger?pageSize=100")["items"]
        return [read_entry(item) for item in items]

    def grant(
        self,
        amount: Decimal | int,
        *,
        reason: str | None = None,
        external_reference: str | None = None,
    ) -> None:
        facts = {"reason": reason, "externalReference": external_reference}
        body = {"licenseId": self.id, "amount": number(amount), **facts}
        self._vendor.ok("POST", "/api/meter/grant", body)

    def adjust(self, amount: Decimal | int, reason: str) -> None:
        body = {"licenseId": self.id, "amount": number(amount), "reason": reason}
        self._vendor.ok("POST", "/api/meter/adjust", body)

    def revoke(self) -> None:
        self._vendor.ok("POST", f"{self._path}/revoke", {})

    def suspend(self) -> None:
        self._vendor.ok("POST", f"{self._path}/suspend", {})

    def reinstate(self) -> None:
        self._vendor.ok("POST", f"{self._path}/reinstate", {})

    def file(self, hardware_id: str | None = None, *, protected: bool = False) -> str:
        query = {"protected": str(protected).lower()}
        if hardware_id is not None:
            query["hardwareId"] = hardware_id
        return self._vendor.file(self._fields, **query).decode("ascii")


class RealVendor:
    """A product of the running service, as the suite wants it."""

    def __init__(self, vendor: Vendor) -> None:
        self._vendor = vendor

    @property
    def target(self) -> Target:
        return self._vendor.target

    def issue(self, model: str, **terms: Any) -> RealLicense:
        expires, features = terms.pop("expires", None), terms.pop("features", None)
        fields = {WIRE_NAMES.get(name, name): value for name, value in terms.items()}
        if isinstance(expires, timedelta):
            fields["expirationDate"] = (system_clock() + expires).isoformat()
        if "initialMeterBalance" in fields:
            fields["initialMeterBalance"] = number(fields["initialMeterBalance"])
        if features is not None:
            fields["entitlementSetId"] = self._entitlements(features)
        return RealLicense(self._vendor, self._vendor.issue(model, **fields))

    def set_price(self, feature: str, token_cost: Decimal | int) -> None:
        path = f"/api/meter/features/{self._feature(feature)}/pricing"
        self._vendor.ok("PUT", path, {"tokenCost": number(token_cost)})

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Answer:
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        sent = {"X-API-KEY": self.target.api_key, "Content-Type": "application/json"}
        with httpx.Client(trust_env=False, timeout=30) as client:
            url = self.target.base_url + path
            reply = client.request(
                method, url, content=content, headers={**sent, **(headers or {})}
            )
        told = reply.json(parse_float=Decimal) if reply.content else None
        return Answer(reply.status_code, reply.headers, told)

    def stranger(self) -> "RealVendor":
        return self._another()

    def hasty(self) -> "RealVendor":
        made = self._another()
        settings = {
            "heartbeatIntervalSeconds": 1,
            "sessionTimeoutSeconds": 3,
            "heartbeatMinSpacingSeconds": 0,
        }
        path = f"/api/products/{made.target.product_id}"
        made._vendor.ok("PUT", path, {"settings": settings})
        return made

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def _another(self) -> "RealVendor":
        return RealVendor(make_vendor(self._vendor.owner, f"Borealis {next(_numbers)}"))

    def _entitlements(self, features: list[str]) -> Any:
        path = f"/api/products/{self.target.product_id}"
        for name in features:
            self._feature(name)
        body = {"name": f"Set {next(_numbers)}", "featureNames": features}
        return self._vendor.ok("POST", f"{path}/entitlement-sets", body)["id"]

    def _feature(self, name: str) -> str:
        """The id of a feature, which is made where it is missing."""
        path = f"/api/products/{self.target.product_id}/features"
        known = self._vendor.ok("GET", f"{path}?pageSize=100")["items"]
        found = (item["id"] for item in known if item["name"].lower() == name.lower())
        return str(next(found, None) or self._vendor.ok("POST", path, {"name": name})["id"])


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
    """A client that could not reach a server if it wanted to."""
    return LicenseClient(
        product_id=vendor.product,
        public_key=vendor.public_key,
        license_key=license_key,
        license_file=folder / "license.bin",
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


@pytest.mark.parametrize("model", sorted(EXAMPLES.keys() - {"NodeLocked"}))
def test_every_model_is_issued_verified_and_revoked(
    vendor: Vendor, tmp_path: Path, model: str
) -> None:
    offline = {} if model in ONLINE_ONLY else {"activationMode": "Offline"}
    license_ = vendor.issue(model, **offline)
    key = license_["licenseKey"]
    file = tmp_path / "license.bin"
    for protected in ("false", "true"):
        file.write_bytes(vendor.file(license_, protected=protected))
        assert file.read_bytes().count(b".") == (4 if protected == "true" else 2)
        with offline_client(vendor, tmp_path, key) as client:
            result = client.validate_offline()
        assert result.status == ("GracePeriod" if model in ONLINE_ONLY else "Valid"), result.message
        assert result.license is not None
        assert result.license.type == model
    with vendor.target.client(tmp_path, key) as client:
        assert client.validate_online().status == "Valid"
        file.unlink()
        if model == "Concurrent":  # its file is for devices that hold a seat
            assert client.activate()
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


def test_rotated_product_keys_end_old_files(owner: httpx.Client, tmp_path: Path) -> None:
    vendor = make_vendor(owner, "Rotating")
    license_ = vendor.issue(activationMode="Offline")
    file = tmp_path / "license.bin"
    file.write_bytes(vendor.file(license_))
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


@pytest.fixture
def mortal() -> Iterator[Service]:
    """A service that the test may stop."""
    service = Service(**ADMIN)
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
