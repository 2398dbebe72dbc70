"""Connectors, policies and deliveries for tests."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx
from connectors.shops import SECRETS, Sent, Shop, sign
from licenses.factories import make_product
from testkit import FakeClock, Owner, numbers

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform
from licet_server.worker import work_off_connector_events


@dataclass
class Stall:
    """A connector of an owner, with a product and policies for what the shops in tests sell."""

    owner: Owner
    platform: Platform
    clock: FakeClock
    kind: ConnectorKind
    connector: dict[str, Any]
    product: dict[str, Any]
    policies: dict[str, dict[str, Any]]

    @property
    def inbox(self) -> str:
        return f"/api/connectors/{self.connector['id']}/inbox"

    def shop(self, **fields: Any) -> Shop:
        name = f"o{next(numbers)}"
        return Shop(self.kind, name, f"{name}@example.com", self.clock(), **fields)

    async def deliver(self, *sent: Sent) -> None:
        """Deliver messages, which are signed as they are sent."""
        for item in sent:
            answer = await self.send(item)
            assert answer.status_code == 200, answer.text

    async def send(self, item: Sent, now: datetime | None = None, **options: Any) -> httpx.Response:
        headers = item.headers(now or self.clock(), options.pop("secret", None))
        return await self.post(item.raw, headers)

    async def post(self, raw: bytes, headers: dict[str, str]) -> httpx.Response:
        return await self.owner.client.post(
            self.inbox, content=raw, headers={"content-type": "application/json", **headers}
        )

    async def tell(self, body: dict[str, Any], secret: str | None = None) -> httpx.Response:
        """Send an event that no shop in the tests would send."""
        import json

        raw = json.dumps(body).encode()
        signed = sign(
            self.kind, raw, self.clock(), secret or SECRETS[self.kind], f"msg_{next(numbers)}"
        )
        return await self.post(raw, signed)

    async def work_off(self) -> int:
        return await work_off_connector_events(self.platform)

    async def sell(self, shop: Shop) -> dict[str, Any]:
        """Deliver everything that a shop has sent, work it off, and return the order."""
        await self.deliver(*shop.sent)
        await self.work_off()
        [order] = await self.orders()
        return order

    async def orders(self, query: str = "") -> list[dict[str, Any]]:
        path = f"/api/orders?connectorId={self.connector['id']}&pageSize=100&{query}"
        found: list[dict[str, Any]] = (await self.owner.ok("GET", path))["items"]
        return found

    async def licenses(self, order: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            await self.owner.ok("GET", f"/api/licenses/{license_id}")
            for license_id in order["licenseIds"]
        ]

    async def events(self, query: str = "") -> list[dict[str, Any]]:
        path = f"/api/connectors/{self.connector['id']}/events?pageSize=100&{query}"
        found: list[dict[str, Any]] = (await self.owner.ok("GET", path))["items"]
        return found


async def make_policy(owner: Owner, product: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"productId": product["id"], "type": "Subscription", **fields}
    policy: dict[str, Any] = await owner.ok("POST", "/api/policies", body)
    return policy


async def make_connector(owner: Owner, kind: ConnectorKind, **fields: Any) -> dict[str, Any]:
    body = {"kind": kind, "name": "Our shop", "signingSecret": SECRETS[kind], **fields}
    connector: dict[str, Any] = await owner.ok("POST", "/api/connectors", body)
    return connector


async def open_stall(
    owner: Owner,
    platform: Platform,
    clock: FakeClock,
    kind: ConnectorKind = ConnectorKind.STRIPE,
    **fields: Any,
) -> Stall:
    product = await make_product(owner)
    policies = {
        "basic": await make_policy(owner, product, name="Basic"),
        "pro": await make_policy(owner, product, name="Pro", metadata={"plan": "pro"}),
        "team": await make_policy(owner, product, name="Team", type="Floating"),
    }
    rules = [
        {"match": {"price": "price_basic"}, "policyId": policies["basic"]["id"]},
        {"match": {"price": "price_pro"}, "policyId": policies["pro"]["id"]},
        {
            "match": {"price": "price_team"},
            "policyId": policies["team"]["id"],
            "quantityAs": "Seats",
        },
    ]
    connector = await make_connector(owner, kind, **{"rules": rules, **fields})
    return Stall(owner, platform, clock, kind, connector, product, policies)


def nameless(stall: Stall) -> Shop:
    """A sale in which no event says who bought."""
    shop = stall.shop()
    shop.buy()
    for sent in shop.sent:
        body = sent.body
        data = body["data"]
        for part in (data, data.get("object"), data.get("attributes"), data.get("customer")):
            for name in ("email", "customer_email", "user_email"):
                if isinstance(part, dict):
                    part.pop(name, None)
    return shop
