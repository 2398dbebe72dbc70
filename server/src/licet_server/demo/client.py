"""Requests of the vendor and of its customers' machines, and the simulated clock for them."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import Any

import httpx
from joserfc import jws
from joserfc.jwk import ECKey

from licet_server.devices.rules.signed import encoded

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


def hardware_id_of(device: str) -> str:
    """Return the hardware ID of the device of this name."""
    return "h1m-" + hashlib.sha256(device.encode()).hexdigest()[:40]


class DeviceKey:
    """The key of a device, which signs what its applications ask for (RFC 9449)."""

    def __init__(self, clock: Calendar) -> None:
        self._clock = clock
        self._key = ECKey.generate_key("P-256")

    def proof(self, path: str, content: bytes) -> str:
        """Return the proof of a request that posts these bytes now."""
        claims = {
            "jti": secrets.token_urlsafe(16),
            "htm": "POST",
            "htu": ADDRESS + path,
            "iat": int(self._clock().timestamp()),
            "bh": encoded(hashlib.sha256(content).digest()),
        }
        return self._signed("dpop+jwt", claims)

    def request(self, claims: Json) -> str:
        """Return a request of a device without a network, signed."""
        return self._signed("licet-req+jwt", claims)

    def receipt(self, claims: Json) -> str:
        """Return what the device says about a lease, signed."""
        return self._signed("receipt+jwt", claims)

    def _signed(self, typ: str, claims: Json) -> str:
        public = self._key.as_dict(private=False)
        jwk = {name: public[name] for name in ("kty", "crv", "x", "y")}
        header = {"typ": typ, "alg": "ES256", "jwk": jwk}
        return jws.serialize_compact(header, json.dumps(claims), self._key, algorithms=["ES256"])


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

    async def put_image(self, path: str, content: bytes) -> None:
        headers = {"Content-Type": "image/png"}
        response = await self._client.put(path, content=content, headers=headers)
        response.raise_for_status()

    async def issue(
        self, product_id: str, model: str, name: str, customer: str, **terms: object
    ) -> Json:
        body = {"productId": product_id, "type": model, "licenseName": name, "issuedTo": customer}
        return await self.send("POST", "/api/licenses", {**body, **terms})

    async def apply(
        self,
        key: str,
        path: str,
        device: str,
        device_key: DeviceKey | None = None,
        **fields: object,
    ) -> Json:
        """Send a runtime request with a product key, as the application on the device would."""
        body = {"hardwareId": hardware_id_of(device), **fields, "deviceName": device}
        content = json.dumps(body).encode()
        headers = {"X-API-KEY": key, "Content-Type": "application/json"}
        if device_key is not None:
            headers["DPoP"] = device_key.proof(path, content)
        response = await self._client.post(path, content=content, headers=headers)
        if response.status_code != httpx.codes.CONFLICT:
            response.raise_for_status()
        return dict(response.json()) if response.content else {}
