"""Requests of the vendor and of its customers' machines, and the simulated clock for them."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from ipaddress import IPv6Address
from math import inf
from typing import Any

import httpx
from joserfc import jws
from joserfc.jwk import ECKey

from licet_server.devices.rules.signed import encoded

ADDRESS = "http://demo"
Json = dict[str, Any]
_DAY, _TICK = timedelta(days=1), timedelta(milliseconds=50)
_MARGIN_DAYS = timedelta(minutes=1) / _DAY
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

    @property
    def position(self) -> float:
        """The number of days from today at which the clock stands."""
        return (self._now - self._today) / _DAY

    def day(self, day: float) -> str:
        """Return the instant that many days from today in ISO 8601."""
        return self._in(day).isoformat()

    def _in(self, day: float) -> datetime:
        return self._today + timedelta(days=day)


def hardware_id_of(device: str) -> str:
    """Return the hardware ID of the device of this name."""
    return "h1m-" + hashlib.sha256(device.encode()).hexdigest()[:40]


OFFICE = "198.51.100.7"
"""The address of the vendor. All addresses are of networks that are set aside for examples."""


def address_of(device: str) -> str:
    """Return the address from which the device of this name sends its requests."""
    drawn = hashlib.sha256(f"address of {device}".encode()).digest()
    if drawn[0] % 4 == 0:
        return str(IPv6Address(f"2001:db8:{drawn[1]:x}:{drawn[2]:x}::{drawn[3] + 1:x}"))
    return f"203.0.113.{drawn[1] % 250 + 2}"


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
        # It is read before anything waits, so that each request has its own.
        self.client = client = (request.extensions.get("address", OFFICE), 443)
        for pause in _PAUSES_S:
            response = await super().handle_async_request(request)
            if response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                return response
            await asyncio.sleep(pause)
            self.client = client
        return await super().handle_async_request(request)


class DemoClient:
    """Sends the requests that an operator or an application would send."""

    def __init__(
        self, client: httpx.AsyncClient, transport: httpx.ASGITransport, calendar: Calendar
    ) -> None:
        self._client = client
        self._transport = transport
        self._calendar = calendar
        self._signed_in_until = inf
        self._signing_in = asyncio.Lock()

    @asynccontextmanager
    async def visitor(self) -> AsyncIterator["DemoClient"]:
        """Provide the requests of somebody else."""
        async with httpx.AsyncClient(transport=self._transport, base_url=ADDRESS) as http:
            yield DemoClient(http, self._transport, self._calendar)

    async def log_in(self, email: str, password: str) -> None:
        """Sign in with a password, which counts as recent for a quarter of an hour."""
        credentials = {"email": email, "password": password}
        response = await self._client.post("/api/auth/login", json=credentials)
        response.raise_for_status()
        self.sign_in(response.json())

    def sign_in(self, session: Json) -> None:
        """Send what follows with the access token of a session, or of an API key, which lasts."""
        self._client.headers["authorization"] = f"Bearer {session['accessToken']}"
        left = session.get("expiresIn", inf) / _DAY.total_seconds()
        self._signed_in_until = self._calendar.position + left

    async def stay_signed_in(self) -> None:
        """Get an access token that is valid for the next 15 minutes."""
        response = await self._client.post("/api/auth/refresh")
        response.raise_for_status()
        self.sign_in(response.json())

    async def _request(self, method: str, path: str, **more: Any) -> httpx.Response:
        async with self._signing_in:
            if self._calendar.position > self._signed_in_until - _MARGIN_DAYS:
                await self.stay_signed_in()
        response = await self._client.request(method, path, **more)
        response.raise_for_status()
        return response

    async def send(self, method: str, path: str, body: object = None) -> Json:
        response = await self._request(method, path, json=body)
        return dict(response.json()) if response.content else {}

    async def deliver(self, path: str, content: str, headers: dict[str, str]) -> None:
        """Send a signed message, as a shop would."""
        response = await self._client.post(
            path, content=content, headers=headers, extensions={"address": address_of("shop")}
        )
        response.raise_for_status()

    async def download(self, path: str) -> bytes:
        return (await self._request("GET", path)).content

    async def upload(self, release_id: str, name: str, content: bytes, platform: str) -> None:
        await self._request(
            *("POST", f"/api/releases/{release_id}/files"),
            data={"platform": platform},
            files={"file": (name, content, "application/octet-stream")},
        )

    async def put_image(self, path: str, content: bytes) -> None:
        await self._request("PUT", path, content=content, headers={"Content-Type": "image/png"})

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
        response = await self._client.post(
            path, content=content, headers=headers, extensions={"address": address_of(device)}
        )
        if response.status_code != httpx.codes.CONFLICT:
            response.raise_for_status()
        return dict(response.json()) if response.content else {}
