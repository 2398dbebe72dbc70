"""Requests of the vendor and of its customers' machines, and the simulated clock for them."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import Any

import httpx

ADDRESS = "http://demo"
Json = dict[str, Any]
_TICK = timedelta(milliseconds=50)
_PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)


class Calendar:
    """A clock that is set by hand; each reading advances it by a moment."""

    def __init__(self, today: datetime) -> None:
        self._today = today
        self._now = today

    def __call__(self) -> datetime:
        self._now += _TICK
        return self._now

    def turn_to(self, day: float) -> None:
        """Set the clock to a number of days from today; negative days are in the past."""
        self._now = self._in(day)

    @property
    def today(self) -> date:
        return self._today.date()

    def day(self, day: float) -> str:
        """Return the instant that many days from today in ISO 8601."""
        return self._in(day).isoformat()

    def _in(self, day: float) -> datetime:
        return self._today + timedelta(days=day)


class PatientTransport(httpx.ASGITransport):
    """Sends a request again while the service is unavailable, as on a machine that is too busy."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for pause in _PAUSES_S:
            response = await super().handle_async_request(request)
            if response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                return response
            await asyncio.sleep(pause)
        return await super().handle_async_request(request)


class DemoClient:
    """Sends the requests that an operator or an application would send."""

    def __init__(self, client: httpx.AsyncClient, transport: httpx.ASGITransport) -> None:
        self._client = client
        self._transport = transport

    @asynccontextmanager
    async def visitor(self) -> AsyncIterator["DemoClient"]:
        """Provide the requests of somebody else."""
        async with httpx.AsyncClient(transport=self._transport, base_url=ADDRESS) as http:
            yield DemoClient(http, self._transport)

    def sign_in(self, session: Json) -> None:
        self._client.headers["authorization"] = f"Bearer {session['accessToken']}"

    async def stay_signed_in(self) -> None:
        """Get an access token that is valid for the next 15 minutes."""
        self.sign_in(await self.send("POST", "/api/auth/refresh"))

    async def send(self, method: str, path: str, body: object = None) -> Json:
        response = await self._client.request(method, path, json=body)
        response.raise_for_status()
        return dict(response.json()) if response.content else {}

    async def deliver(self, path: str, content: str, headers: dict[str, str]) -> None:
        """Send a signed message, as a shop would."""
        response = await self._client.post(path, content=content, headers=headers)
        response.raise_for_status()

    async def download(self, path: str) -> bytes:
        response = await self._client.get(path)
        response.raise_for_status()
        return response.content

    async def upload(self, release_id: str, name: str, content: bytes, platform: str) -> None:
        response = await self._client.post(
            f"/api/releases/{release_id}/files",
            data={"platform": platform},
            files={"file": (name, content, "application/octet-stream")},
        )
        response.raise_for_status()

    async def issue(
        self, product_id: str, model: str, name: str, customer: str, **terms: object
    ) -> Json:
        body = {"productId": product_id, "type": model, "licenseName": name, "issuedTo": customer}
        return await self.send("POST", "/api/licenses", {**body, **terms})

    async def apply(self, key: str, path: str, device: str, **fields: object) -> Json:
        """Send a runtime request with a product key, as the application on the device would."""
        hardware_id = "h1m-" + hashlib.sha256(device.encode()).hexdigest()[:40]
        body = {"hardwareId": hardware_id, **fields}
        response = await self._client.post(
            path, json={**body, "deviceName": device}, headers={"X-API-KEY": key}
        )
        if response.status_code != httpx.codes.CONFLICT:
            response.raise_for_status()
        return dict(response.json()) if response.content else {}
