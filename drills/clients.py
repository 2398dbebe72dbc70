"""Clients that consume, connect and issue, and repeat each request until it is acknowledged."""

import asyncio
import itertools
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from e2e.process import NO_TLS, Service
from e2e.vendor import Vendor, make_vendor

BALANCE = 1_000_000_000
DEVICES = 100
"""Devices of a client that connects; a device may connect 60 times a minute."""
_PAUSE_S = 0.05
_RETRY_S = 0.25
_TIMEOUT_S = 25.0
_RETRIED = {"RateLimited", "Unavailable", "ConcurrencyConflict", "Conflict"}
"""`Conflict` is the response while an earlier attempt with the same key is still in progress."""


@dataclass
class Books:
    """What was acknowledged: for each kind of request, its key and the ID in the response."""

    acknowledged: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    responses: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    """How many requests of each client were acknowledged."""
    longest_s: float = 0.0
    """The longest time from the first attempt to the acknowledgment."""
    odd: list[str] = field(default_factory=list)
    """Responses that no client should get."""
    progress: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def total(self) -> int:
        return sum(map(len, self.acknowledged.values()))

    async def wait_for_turns(self, count: int) -> None:
        """Wait until every client has had so many requests acknowledged from now on."""
        wanted = {client: done + count for client, done in self.turns.items()}
        async with self.progress:
            await self.progress.wait_for(
                lambda: self.odd or all(self.turns[n] >= turns for n, turns in wanted.items())
            )
        assert not self.odd, self.odd[0]


@dataclass(frozen=True, slots=True)
class Shop:
    """The licenses that the clients use, and the credentials."""

    product_key: str
    api_key: str
    draft: dict[str, Any]
    metered: dict[str, Any]
    floating: dict[str, Any]


def open_shop(service: Service) -> Shop:
    """Create a product with the licenses that the clients need."""
    with service.sign_in() as owner:
        vendor: Vendor = make_vendor(owner)
        key = vendor.ok("POST", "/api/api-keys", {"name": "Shop", "scopes": ["Licenses.Write"]})
        return Shop(
            vendor.api_key,
            key["secret"],
            vendor.draft(),
            vendor.issue("MeteredCount", initialMeterBalance=BALANCE),
            vendor.issue("Floating", maxActiveUsersCount=10 * DEVICES),
        )


@asynccontextmanager
async def insisting(port: int, shop: Shop, per_kind: int = 2) -> AsyncIterator[Books]:
    """Run clients of each kind for as long as the block; at its end, each has its last response."""
    books, stop = Books(), asyncio.Event()
    kinds = (_consume, _connect, _issue) * per_kind
    books.turns.update(dict.fromkeys(range(len(kinds)), 0))
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", timeout=_TIMEOUT_S, trust_env=False, verify=NO_TLS
    ) as http:
        clients = [
            asyncio.create_task(_Client(http, shop, books, number).live(kind, stop))
            for number, kind in enumerate(kinds)
        ]
        try:
            yield books
        finally:
            stop.set()
            await asyncio.gather(*clients)


class _Client:
    def __init__(self, http: httpx.AsyncClient, shop: Shop, books: Books, number: int) -> None:
        self.shop = shop
        self.number = number
        self._http = http
        self._books = books
        self._keys = (f"drill-{number}-{turn}" for turn in itertools.count(1))

    async def live(self, kind: Any, stop: asyncio.Event) -> None:
        for turn, key in enumerate(self._keys):
            if stop.is_set():
                return
            await kind(self, key, turn)
            async with self._books.progress:
                self._books.turns[self.number] += 1
                self._books.progress.notify_all()
            await asyncio.sleep(_PAUSE_S)

    async def insist(self, path: str, **request: Any) -> dict[str, Any]:
        """Send a request until it is acknowledged; return the response."""
        began = time.monotonic()
        while True:
            body = await self._attempt(path, request)
            if body is not None:
                took = time.monotonic() - began
                self._books.longest_s = max(self._books.longest_s, took)
                return body
            await asyncio.sleep(_RETRY_S)

    def record(self, kind: str, key: str, id_: str) -> None:
        self._books.acknowledged[kind][key] = id_

    async def _attempt(self, path: str, request: dict[str, Any]) -> dict[str, Any] | None:
        try:
            response = await self._http.post(path, **request)
        except httpx.TransportError as error:
            self._books.responses[type(error).__name__] += 1
            return None
        self._books.responses[str(response.status_code)] += 1
        body: dict[str, Any] = response.json()
        if response.is_success:
            return body
        if body.get("errorCode") not in _RETRIED:
            async with self._books.progress:
                self._books.odd.append(f"{path}: {response.status_code} {response.text}")
                self._books.progress.notify_all()
        return None


async def _consume(client: _Client, key: str, turn: int) -> None:
    body = {
        "licenseKey": client.shop.metered["licenseKey"],
        "featureName": "Export",
        "quantity": 1,
        "idempotencyKey": key,
    }
    headers = {"X-API-KEY": client.shop.product_key}
    response = await client.insist("/api/meter/consume", json=body, headers=headers)
    client.record("consume", key, response["ledgerEntryId"])


async def _connect(client: _Client, key: str, turn: int) -> None:
    device = f"device-{client.number}-{turn % DEVICES}"
    body = {
        "licenseKey": client.shop.floating["licenseKey"],
        "hardwareId": device,
        "instanceId": device,
        "appVersion": "2.1.0",
    }
    headers = {"X-API-KEY": client.shop.product_key}
    response = await client.insist("/api/sessions/connect", json=body, headers=headers)
    client.record("connect", key, response["sessionId"])


async def _issue(client: _Client, key: str, turn: int) -> None:
    body = {**client.shop.draft, "licenseName": key}
    headers = {"X-API-KEY": client.shop.api_key, "Idempotency-Key": key}
    response = await client.insist("/api/licenses", json=body, headers=headers)
    client.record("issue", key, response["id"])
