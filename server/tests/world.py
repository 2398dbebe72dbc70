"""The world of most tests: a vendor with a product, and the service and its clock around it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

import httpx
from catalog.factories import events_of, join
from joserfc import jws
from joserfc.jwk import RSAKey
from licenses.factories import issue, make_product, product_key
from metering.factories import new_key
from sessions.factories import id_of, slots_of
from testkit import FakeClock, Owner, client_of

from licet_server.app import Application
from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform


@dataclass
class Vendor:
    """A vendor with a product: what its Owner requests, and its applications with their key."""

    owner: Owner
    product: dict[str, Any]
    key: dict[str, str]

    async def call(self, method: str, path: str, body: Any, **options: Any) -> httpx.Response:
        """Send a request of an application."""
        return await self.owner.client.request(method, path, json=body, headers=self.key, **options)

    # Licenses

    async def issue(self, model: str = "Perpetual", **fields: Any) -> dict[str, Any]:
        return await issue(self.owner, self.product, model, **fields)

    async def read(self, license_: dict[str, Any]) -> dict[str, Any]:
        return dict(await self.owner.ok("GET", f"/api/licenses/{license_['id']}"))

    async def refresh(
        self, license_: dict[str, Any], machine: str | None = None, **fields: Any
    ) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, **fields}
        return await self.call("POST", "/api/licenses/refresh", body)

    async def file(self, license_: dict[str, Any], machine: str | None = None) -> httpx.Response:
        """Download license.bin as the Owner does."""
        query = {} if machine is None else {"hardwareId": machine}
        return await self.owner.send("GET", f"/api/licenses/{license_['id']}/file", params=query)

    async def claims_of(self, token: str) -> dict[str, Any]:
        """Verify a license.bin with the product's public key, and return its claims."""
        path = f"/api/products/{self.product['id']}/keys/public/download"
        key = RSAKey.import_key((await self.owner.send("GET", path)).text)
        return dict(json.loads(jws.deserialize_compact(token, key, algorithms=["RS256"]).payload))

    async def validate(
        self, license_: dict[str, Any], machine: str | None = None, **fields: Any
    ) -> dict[str, Any]:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, **fields}
        answer = await self.call("POST", "/api/licenses/validate", body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    # Devices

    async def activate(
        self, license_: dict[str, Any], machine: str, **fields: Any
    ) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, **fields}
        return await self.call("POST", "/api/activations", body)

    async def deactivate(self, license_: dict[str, Any], machine: str) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        return await self.call("DELETE", "/api/activations/current", body)

    async def devices(self, license_: dict[str, Any], **query: str) -> list[dict[str, Any]]:
        path = f"/api/licenses/{license_['id']}/activations"
        return list((await self.owner.ok("GET", path, params=query))["items"])

    async def attempts(self, license_: dict[str, Any]) -> list[dict[str, Any]]:
        path = f"/api/licenses/{license_['id']}/access-attempts"
        return list((await self.owner.ok("GET", path))["items"])

    async def operate(
        self, activation: dict[str, Any] | str, action: str, **fields: Any
    ) -> httpx.Response:
        activation_id = activation if isinstance(activation, str) else activation["id"]
        path = f"/api/activations/{activation_id}/{action}"
        return await self.owner.send("POST", path, fields or None)

    # Sessions

    async def connect(
        self, license_: dict[str, Any], machine: str = "machine-1", **fields: Any
    ) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, **fields}
        return await self.call("POST", "/api/sessions/connect", body)

    async def connected(
        self, license_: dict[str, Any], machine: str = "machine-1", **fields: Any
    ) -> dict[str, Any]:
        answer = await self.connect(license_, machine, **fields)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    async def heartbeat(self, session: dict[str, Any] | str) -> httpx.Response:
        return await self.call("POST", "/api/sessions/heartbeat", {"sessionId": id_of(session)})

    async def disconnect(self, session: dict[str, Any] | str) -> httpx.Response:
        return await self.call("POST", "/api/sessions/disconnect", {"sessionId": id_of(session)})

    async def force_disconnect(self, session: dict[str, Any] | str) -> httpx.Response:
        return await self.owner.send("POST", f"/api/sessions/{id_of(session)}/disconnect")

    async def sessions(self, license_: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        path = f"/api/licenses/{license_['id']}/sessions"
        return list((await self.owner.ok("GET", path, params=query))["items"])

    async def set_cap(self, license_: dict[str, Any], cap: int) -> None:
        body = {"maxActiveUsersCount": cap}
        await self.owner.ok("PUT", f"/api/licenses/{license_['id']}", body)

    # Metering

    async def consume(
        self, license_: dict[str, Any], feature: str = "export", **fields: Any
    ) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "featureName": feature, **fields}
        return await self.call("POST", "/api/meter/consume", body)

    async def consumed(
        self, license_: dict[str, Any], feature: str = "export", **fields: Any
    ) -> dict[str, Any]:
        answer = await self.consume(license_, feature, **{"idempotencyKey": new_key(), **fields})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def balance(self, license_: dict[str, Any]) -> Any:
        answer = await self.owner.ok("GET", f"/api/meter/balance/{license_['id']}")
        return answer["balance"]

    async def ledger(self, license_: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        """Return the entries of the ledger, oldest first."""
        path = f"/api/licenses/{license_['id']}/ledger"
        query = {"sort": "sequence", "pageSize": 100, **query}
        return list((await self.owner.ok("GET", path, params=query))["items"])

    async def grant(self, license_: dict[str, Any], amount: Any, **fields: Any) -> httpx.Response:
        body = {"licenseId": license_["id"], "amount": amount, **fields}
        return await self.owner.send("POST", "/api/meter/grant", body)

    async def adjust(self, license_: dict[str, Any], amount: Any, **fields: Any) -> httpx.Response:
        body = {"licenseId": license_["id"], "amount": amount, "reason": "A correction", **fields}
        return await self.owner.send("POST", "/api/meter/adjust", body)

    async def feature(self, name: str = "export") -> dict[str, Any]:
        path = f"/api/products/{self.product['id']}/features"
        return dict(await self.owner.ok("POST", path, {"name": name}))

    async def price(self, feature: dict[str, Any], cost: Any) -> httpx.Response:
        path = f"/api/meter/features/{feature['id']}/pricing"
        return await self.owner.send("PUT", path, {"tokenCost": cost})

    async def priced(self, name: str = "export", cost: Any = 2.5) -> dict[str, Any]:
        """Create a feature with a price."""
        feature = await self.feature(name)
        answer = await self.price(feature, cost)
        assert answer.status_code == 200, answer.text
        return feature

    async def warn_at(self, license_: dict[str, Any], threshold: Any) -> httpx.Response:
        path = f"/api/licenses/{license_['id']}/meter-settings"
        return await self.owner.send("PUT", path, {"lowBalanceThreshold": threshold})


@dataclass
class World(Vendor):
    """A vendor, with the service and the clock."""

    platform: Platform
    clock: FakeClock

    @classmethod
    async def of(cls, owner: Owner, platform: Platform, clock: FakeClock) -> Self:
        vendor = await open_vendor(owner)
        return cls(owner, vendor.product, vendor.key, platform, clock)

    async def join(self, user: Owner, role: Role) -> None:
        """Make somebody a member of the vendor's institution."""
        await join(self.platform, self.owner, user, role)

    async def events_of(self, subject_id: str) -> list[dict[str, Any]]:
        """Return the recorded events about a subject, in order."""
        return await events_of(self.platform, subject_id)

    async def slots_of(self, license_: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the stored slots of a license, by number."""
        return await slots_of(self.platform, license_)


@asynccontextmanager
async def through(server: Application, vendor: Vendor) -> AsyncIterator[Vendor]:
    """The vendor, whose requests go to this server."""
    async with client_of(server, "203.0.113.77") as client:
        owner = replace(vendor.owner, client=client)
        yield Vendor(owner, vendor.product, vendor.key)


async def open_vendor(owner: Owner, **fields: Any) -> Vendor:
    """Give an Owner a product with signing keys."""
    product = await make_product(owner, **fields)
    return Vendor(owner, product, {"X-API-KEY": await product_key(owner, product)})
