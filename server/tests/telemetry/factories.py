"""Applications that tell what happens in them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx
from devices.factories import Shop
from licenses.factories import make_product, product_key
from testkit import FakeClock, Owner

NOW = FakeClock.START.isoformat()


def event(name: str = "file.exported", at: datetime | str = NOW, **properties: Any) -> Any:
    occurred_at = at if isinstance(at, str) else at.isoformat()
    return {"name": name, "occurredAt": occurred_at, "properties": properties}


@dataclass
class TelemetryShop(Shop):
    """A product whose applications send telemetry."""

    async def send(self, *events: Any, **fields: Any) -> httpx.Response:
        return await self.call("POST", "/api/telemetry", {"events": list(events), **fields})

    async def sent(self, *events: Any, **fields: Any) -> int:
        answer = await self.send(*events, **fields)
        assert answer.status_code == 202, answer.text
        return int(answer.json()["accepted"])

    async def events(self, **query: Any) -> list[dict[str, Any]]:
        path = f"/api/products/{self.product['id']}/telemetry"
        return list((await self.owner.ok("GET", path, params=query))["items"])

    async def figures(self, **query: Any) -> dict[str, Any]:
        return dict(await self.owner.ok("GET", "/api/statistics/telemetry", params=query))


async def open_telemetry_shop(owner: Owner, **fields: Any) -> TelemetryShop:
    product = await make_product(owner, **fields)
    return TelemetryShop(owner, product, {"X-API-KEY": await product_key(owner, product)})
