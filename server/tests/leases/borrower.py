"""A device that borrows seats, and signs receipts when it returns them."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
from devices.proving import KeyOfDevice, Prover
from metering.factories import new_key
from testkit import FakeClock
from world import Vendor

SEATS = {"maxActiveUsersCount": 2, "maxBorrowDays": 30}


async def some_lease(vendor: Vendor) -> dict[str, Any]:
    """A lease of a vendor whose service goes by a clock that stands where it began."""
    pool = await vendor.issue("Floating", **SEATS)
    device = Borrower(vendor.owner, vendor.product, vendor.key, FakeClock(), KeyOfDevice())
    return await device.borrowed(pool)


@dataclass
class Borrower(Prover):
    """Applications of a vendor on a machine with a key of its own."""

    async def borrow(
        self, license_: dict[str, Any], machine: str = "machine-1", days: int = 14, **fields: Any
    ) -> httpx.Response:
        body = {
            "licenseKey": license_["licenseKey"],
            "hardwareId": machine,
            "days": days,
            "idempotencyKey": new_key(),
            **fields,
        }
        return await self.call("POST", "/api/leases", body)

    async def borrowed(
        self, license_: dict[str, Any], machine: str = "machine-1", days: int = 14, **fields: Any
    ) -> dict[str, Any]:
        answer = await self.borrow(license_, machine, days, **fields)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    async def renew(self, lease: dict[str, Any], days: int = 14, **fields: Any) -> httpx.Response:
        body = {"seq": lease["seq"], "days": days, "idempotencyKey": new_key(), **fields}
        return await self.call("POST", f"/api/leases/{lease['leaseId']}/renew", body)

    async def renewed(self, lease: dict[str, Any], days: int = 14, **fields: Any) -> dict[str, Any]:
        answer = await self.renew(lease, days, **fields)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def receipt(self, lease: dict[str, Any], **claims: Any) -> str:
        """Sign that the seat is given back."""
        said = {
            "aud": self.product["id"],
            "lease": lease["leaseId"],
            "seq": lease["seq"],
            "iat": 1,
            "kind": "Returned",
            **claims,
        }
        return self.device.sign(json.dumps(said).encode(), typ="receipt+jwt")

    async def give_back(
        self, lease: dict[str, Any], receipt: str | None = None, **fields: Any
    ) -> httpx.Response:
        body = {"receipt": receipt or self.receipt(lease), **fields}
        return await self.call("POST", f"/api/leases/{lease['leaseId']}/return", body)

    async def leases(self, license_: dict[str, Any], **query: str) -> list[dict[str, Any]]:
        path = f"/api/licenses/{license_['id']}/leases"
        return list((await self.owner.ok("GET", path, params=query))["items"])

    async def lease_act(self, lease: dict[str, Any], act: str, **body: Any) -> httpx.Response:
        """Recall or acknowledge a lease as the Owner."""
        return await self.owner.send("POST", f"/api/leases/{lease['leaseId']}/{act}", json=body)
