"""The running service behind the conformance suite's view of a vendor and their licenses."""

import itertools
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
from client_scenarios import ApiResponse, Target
from e2e.process import NO_TLS
from e2e.vendor import Vendor, make_vendor
from patience import PATIENCE_S

from licet._clock import system_clock

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
    def instance_id(self) -> str | None:
        return self.fields.get("instanceId")

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

    @property
    def seat_free_at(self) -> datetime | None:
        told = self.fields.get("seatFreeAt")
        return None if told is None else datetime.fromisoformat(told)

    def deactivate(self, *, force: bool = False) -> None:
        self._act("deactivate", force=True) if force else self._act("deactivate")

    def disconnect(self) -> None:
        self._act("disconnect")

    def _act(self, action: str, **fields: bool) -> None:
        self.vendor.ok("POST", f"/api/{self.kind}/{self.id}/{action}", fields)


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

    def enrollment_key(self, *, max_devices: int | None = None) -> str:
        body = {"name": f"Rollout {next(_numbers)}", "maxDevices": max_devices}
        return str(self._vendor.ok("POST", f"{self._path}/enrollment-keys", body)["secret"])

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

    def publish(
        self,
        version: str,
        files: Mapping[str, bytes] | None = None,
        *,
        channel: str = "Stable",
        platform: str | None = None,
    ) -> None:
        path = f"/api/products/{self.target.product_id}/releases"
        body = {"version": version, "channel": channel, "status": "Published"}
        release = self._vendor.ok("POST", path, body)
        for name, content in (files or {}).items():
            answer = self._vendor.owner.post(
                f"/api/releases/{release['id']}/files",
                files={"file": (name, content)},
                data={} if platform is None else {"platform": platform},
            )
            answer.raise_for_status()

    def yank(self, version: str) -> None:
        path = f"/api/products/{self.target.product_id}/releases?pageSize=100"
        for item in self._vendor.ok("GET", path)["items"]:
            if item["version"] == version:
                self._vendor.ok("PUT", f"/api/releases/{item['id']}", {"status": "Yanked"})

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> ApiResponse:
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        sent = {"X-API-KEY": self.target.api_key, "Content-Type": "application/json"}
        with httpx.Client(trust_env=False, timeout=PATIENCE_S, verify=NO_TLS) as client:
            url = self.target.base_url + path
            reply = client.request(
                method, url, content=content, headers={**sent, **(headers or {})}
            )
        told = reply.json(parse_float=Decimal) if reply.content else None
        return ApiResponse(reply.status_code, reply.headers, told)

    def another_product(self) -> "RealVendor":
        return self._another()

    def with_short_sessions(self, interval: int = 1, timeout: int = 3) -> "RealVendor":
        return self._another(
            heartbeatIntervalSeconds=interval,
            sessionTimeoutSeconds=timeout,
            heartbeatMinSpacingSeconds=0,
        )

    def with_app_releases(self, a_year: int) -> "RealVendor":
        return self._another(appDeviceRelease="On", appReleasesPerYear=a_year)

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def _another(self, **settings: Any) -> "RealVendor":
        made = RealVendor(make_vendor(self._vendor.owner, f"Borealis {next(_numbers)}"))
        if settings:
            path = f"/api/products/{made.target.product_id}"
            made._vendor.ok("PUT", path, {"settings": settings})
        return made

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
