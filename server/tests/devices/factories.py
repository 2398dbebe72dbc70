"""A product, as its applications and its Owner use it."""

from dataclasses import dataclass
from typing import Any

import httpx
from licenses.factories import issue, make_product, product_key
from testkit import Owner


@dataclass
class Shop:
    """A product with its key: requests of its applications, and of its Owner."""

    owner: Owner
    product: dict[str, Any]
    key: dict[str, str]

    async def issue(self, model: str, **fields: Any) -> dict[str, Any]:
        return await issue(self.owner, self.product, model, **fields)

    async def call(self, method: str, path: str, body: Any, **options: Any) -> httpx.Response:
        return await self.owner.client.request(method, path, json=body, headers=self.key, **options)

    async def activate(
        self, license_: dict[str, Any], machine: str, **fields: Any
    ) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, **fields}
        return await self.call("POST", "/api/activations", body)

    async def deactivate(self, license_: dict[str, Any], machine: str) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        return await self.call("DELETE", "/api/activations/current", body)

    async def refresh(
        self, license_: dict[str, Any], machine: str | None = None, **fields: Any
    ) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, **fields}
        return await self.call("POST", "/api/licenses/refresh", body)

    async def file(self, license_: dict[str, Any], machine: str | None = None) -> httpx.Response:
        """license.bin as the Owner downloads it."""
        query = {} if machine is None else {"hardwareId": machine}
        return await self.owner.send("GET", f"/api/licenses/{license_['id']}/file", params=query)

    async def validate(
        self, license_: dict[str, Any], machine: str | None = None, **fields: Any
    ) -> dict[str, Any]:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, **fields}
        answer = await self.call("POST", "/api/licenses/validate", body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

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

    async def read(self, license_: dict[str, Any]) -> dict[str, Any]:
        return dict(await self.owner.ok("GET", f"/api/licenses/{license_['id']}"))


async def open_shop(owner: Owner, **fields: Any) -> Shop:
    product = await make_product(owner, **fields)
    return Shop(owner, product, {"X-API-KEY": await product_key(owner, product)})
