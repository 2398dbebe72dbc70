"""Applications that report telemetry."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import httpx
from licenses.factories import make_product, product_key
from testkit import FakeClock, Owner
from world import Vendor

from licet_server.catalog.rules.model import ProductCaller, ProductSettings
from licet_server.kit.batching import Batching
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.web.problems import STATUS
from licet_server.licenses.service.credentials import LicenseCredentials
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.telemetry.rules import ReportedEvent
from licet_server.telemetry.service.ingestion import Telemetry, TelemetryRequest

NOW = FakeClock.START.isoformat()


def event(name: str = "file.exported", at: datetime | str = NOW, **properties: Any) -> Any:
    occurred_at = at if isinstance(at, str) else at.isoformat()
    return {"name": name, "occurredAt": occurred_at, "properties": properties}


@dataclass
class TelemetryVendor(Vendor):
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


async def open_telemetry_vendor(owner: Owner, **fields: Any) -> TelemetryVendor:
    product = await make_product(owner, **fields)
    return TelemetryVendor(owner, product, {"X-API-KEY": await product_key(owner, product)})


async def race(
    platform: Platform, vendor: TelemetryVendor, requests: Sequence[Sequence[Any]], devices: int = 1
) -> list[int]:
    """Send all requests at once, through one service per simulated process; return the statuses."""
    batching = Batching(max_batch=4)
    credentials = LicenseCredentials(platform, Passwords())
    services = [
        Telemetry(platform, LicenseLookup(platform, credentials, batching), batching)
        for _ in range(4)
    ]
    ids = (UUID(vendor.owner.institution_id), UUID(vendor.product["id"]), UUID(int=1))

    async def send(number: int, events: Sequence[Any]) -> int:
        reported = [
            ReportedEvent(
                item["name"], datetime.fromisoformat(item["occurredAt"]), item["properties"]
            )
            for item in events
        ]
        request = TelemetryRequest(None, f"machine-{number % devices}", reported)
        try:
            await services[number % 4].ingest(
                ProductCaller(*ids, ProductSettings()), request, Origin()
            )
        except Refused as refused:
            return STATUS[refused.code]
        return 202

    answers = await asyncio.gather(*(send(*item) for item in enumerate(requests)))
    for service in services:
        await service.aclose()
    return answers
