"""Factories for metering tests."""

from dataclasses import dataclass
from itertools import count
from typing import Any

import httpx
from devices.factories import Shop
from licenses.factories import make_product, product_key
from testkit import Owner

_numbers = count(1)


def new_key() -> str:
    """An idempotency key that no other charge has."""
    return f"key-{next(_numbers)}"


@dataclass
class MeterShop(Shop):
    """A product whose applications consume."""

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
        """Oldest first."""
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
        """A feature with a price."""
        feature = await self.feature(name)
        answer = await self.price(feature, cost)
        assert answer.status_code == 200, answer.text
        return feature

    async def warn_at(self, license_: dict[str, Any], threshold: Any) -> httpx.Response:
        path = f"/api/licenses/{license_['id']}/meter-settings"
        return await self.owner.send("PUT", path, {"lowBalanceThreshold": threshold})


async def open_meter_shop(owner: Owner, **fields: Any) -> MeterShop:
    product = await make_product(owner, **fields)
    return MeterShop(owner, product, {"X-API-KEY": await product_key(owner, product)})


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal."""
    body = answer.json()
    assert body["success"] is False, body
    return answer.status_code, body["errorCode"]
