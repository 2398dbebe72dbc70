"""The demonstration: a small believable vendor, made through the public API of the service."""

import asyncio
import hashlib
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import httpx

from licet_server.app import build_app, build_platform
from licet_server.kit.settings import Settings

_FACTS_FILE = "demo.json"
_EMAIL = "owner@example.com"


@dataclass(frozen=True, slots=True)
class DemoFacts:
    """What the introduction shows; kept in the demo's folder, so that a second run shows it too."""

    email: str
    password: str
    product_id: str
    product_key: str
    license_key: str
    license_file: str
    public_key_file: str


def fill(settings: Settings, setup_token: str | None, say: Callable[[str], None]) -> DemoFacts:
    """Make the vendor where nobody has signed up yet; otherwise find what was made before.

    Raises:
        FileNotFoundError: when somebody signed up in this folder, but not the demonstration.
    """
    path = settings.data_dir / _FACTS_FILE
    if setup_token is None:
        if not path.exists():
            raise FileNotFoundError(
                f"The folder {settings.data_dir} holds a real installation, not a demonstration. "
                "Name another with --data-dir."
            )
        return DemoFacts(**json.loads(path.read_text()))
    say("Filling the demonstration vendor")
    facts = asyncio.run(_make_vendor(settings, setup_token))
    _write_private(path, json.dumps(asdict(facts), indent=2).encode())
    return facts


def introduction(facts: DemoFacts, address: str) -> str:
    """What to do first, with commands that work when pasted."""
    return f"""
  Dashboard    {address}
  API page     {address}/api/docs
  Sign-in      {facts.email}  {facts.password}
  Product key  {facts.product_key}
  License key  {facts.license_key}
  License file {facts.license_file}

Ask the server whether the license is valid:

curl -s {address}/api/licenses/validate -H 'X-API-KEY: {facts.product_key}' \\
  -H 'Content-Type: application/json' -d '{{"licenseKey": "{facts.license_key}"}}'

Verify it in an application, offline and online:

.venv/bin/python - <<'PY'
from pathlib import Path
from licet import LicenseClient

with LicenseClient(
    product_id="{facts.product_id}",
    public_key=Path("{facts.public_key_file}").read_text(),
    license_key="{facts.license_key}",
    api_key="{facts.product_key}",
    server_base_endpoint="{address}/api",
    license_file="{facts.license_file}",
) as client:
    print("offline:", client.validate_offline().status)
    print("online: ", client.validate_online().status)
PY

Stop with Ctrl-C. The next start finds everything as it was.
"""


async def _make_vendor(settings: Settings, setup_token: str) -> DemoFacts:
    platform = build_platform(settings)
    application = build_app(platform)
    transport = httpx.ASGITransport(cast("Any", application.asgi))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://demo") as client:
            return await _Vendor(client, settings.data_dir, platform.clock()).make(setup_token)
    finally:
        await platform.database.close()


class _Vendor:
    """Writes the demonstration; every step is a request that an operator could send."""

    def __init__(self, client: httpx.AsyncClient, folder: Path, now: datetime) -> None:
        self._client = client
        self._folder = folder.resolve()
        self._now = now

    async def make(self, setup_token: str) -> DemoFacts:
        password = secrets.token_urlsafe(9)
        await self._sign_up(setup_token, password)
        studio = await self._make_product("Aurora Studio", "3.2.0", "Photo editing.")
        render = await self._make_product("Aurora Render", "1.4.1", "Rendering on many nodes.")
        entitlement_set = await self._make_features(studio)
        main = await self._issue_licenses(studio, entitlement_set)
        product_key = await self._product_key(studio)
        await self._use_devices(studio, product_key)
        render_key = await self._product_key(render)
        await self._use_render_farm(render, render_key)
        await self._use_meters(render, render_key)
        license_file = self._folder / "license.bin"
        _write_private(license_file, await self._download(f"/api/licenses/{main['id']}/file"))
        public_key_file = self._folder / "public-key.pem"
        pem = await self._download(f"/api/products/{studio}/keys/public/download")
        public_key_file.write_bytes(pem)
        return DemoFacts(
            email=_EMAIL,
            password=password,
            product_id=studio,
            product_key=product_key,
            license_key=main["licenseKey"],
            license_file=str(license_file),
            public_key_file=str(public_key_file),
        )

    async def _sign_up(self, setup_token: str, password: str) -> None:
        body = {
            "setupToken": setup_token,
            "email": _EMAIL,
            "password": password,
            "fullName": "Ada Owner",
            "institutionName": "Aurora Software",
        }
        session = await self._send("POST", "/api/auth/setup", body)
        self._client.headers["authorization"] = f"Bearer {session['accessToken']}"

    async def _make_product(self, name: str, version: str, description: str) -> str:
        body = {"name": name, "initialVersion": version, "description": description}
        product = await self._send("POST", "/api/products", body)
        await self._send("POST", f"/api/products/{product['id']}/keys/generate", {})
        beta = {"version": f"{version[:-1]}9-beta.1", "channel": "Beta", "notes": "For testers."}
        await self._send("POST", f"/api/products/{product['id']}/releases", beta)
        return str(product["id"])

    async def _make_features(self, product_id: str) -> str:
        features = {"raw-import": "RAW import", "batch-export": "Batch export", "ai-denoise": "AI"}
        for name, label in features.items():
            body = {"name": name, "displayName": label}
            await self._send("POST", f"/api/products/{product_id}/features", body)
        body_of_set = {"name": "Standard", "featureNames": ["raw-import", "batch-export"]}
        made = await self._send("POST", f"/api/products/{product_id}/entitlement-sets", body_of_set)
        return str(made["id"])

    async def _issue_licenses(self, studio: str, entitlement_set: str) -> dict[str, Any]:
        """Those without devices. Answers the perpetual one, which the introduction shows."""
        soon, later = self._in_days(14), self._in_days(365)
        offline = {"activationMode": "Offline"}
        main = await self._issue(studio, "Perpetual", "Jo Miller, perpetual", **offline)
        await self._issue(studio, "Trial", "Kim Sato, trial", expirationDate=soon)
        await self._issue(
            studio,
            "Subscription",
            "Lee Novak, yearly",
            expirationDate=later,
            entitlementSetId=entitlement_set,
            **offline,
        )
        return main

    async def _product_key(self, product_id: str) -> str:
        credentials = await self._send("GET", f"/api/products/{product_id}/credentials")
        return str(credentials["apiKey"])

    async def _use_devices(self, studio: str, product_key: str) -> None:
        """A team with two of five seats taken, and a workstation that a stranger tries to use."""
        team = await self._issue(studio, "Concurrent", "Design team", maxActiveUsersCount=5)
        for name in ("Anna's laptop", "Ben's desktop"):
            await self._apply(product_key, "/api/activations", team, name, os="macOS 27")
        bound = await self._issue(studio, "NodeLocked", "Workstation 7", activationMode="Offline")
        for name in ("Workstation 7", "Unknown laptop"):
            await self._apply(product_key, "/api/licenses/validate", bound, name)
        approval = {"deviceBindingMode": "OwnerApproval"}
        waiting = await self._issue(studio, "NodeLocked", "Workstation 8", **approval)
        await self._apply(product_key, "/api/licenses/validate", waiting, "Workstation 8")

    async def _use_render_farm(self, render: str, product_key: str) -> None:
        pool = await self._issue(render, "Floating", "Render farm", maxActiveUsersCount=10)
        for number in range(1, 5):
            await self._apply(product_key, "/api/sessions/connect", pool, f"Render node {number}")

    async def _use_meters(self, render: str, product_key: str) -> None:
        """Credits that ran low and were topped up, and a counter that has plenty left."""
        frame = {"name": "render-frame", "displayName": "Rendered frame"}
        feature = await self._send("POST", f"/api/products/{render}/features", frame)
        price = f"/api/meter/features/{feature['id']}/pricing"
        await self._send("PUT", price, {"tokenCost": 2.5})
        credits_ = await self._issue(
            render, "MeteredToken", "Render credits", initialMeterBalance=500
        )
        counter = await self._issue(
            render, "MeteredCount", "Export counter", initialMeterBalance=10_000
        )
        warn = f"/api/licenses/{credits_['id']}/meter-settings"
        await self._send("PUT", warn, {"lowBalanceThreshold": 100})
        for job, frames in enumerate((120, 48, 12), start=1):
            await self._consume(product_key, credits_, "render-frame", frames, f"job-{job}")
            await self._consume(product_key, counter, "export", frames * 3, f"export-{job}")
        order = {"reason": "Top-up", "externalReference": "INV-2041"}
        await self._send(
            "POST", "/api/meter/grant", {"licenseId": credits_["id"], "amount": 250, **order}
        )

    async def _consume(
        self, product_key: str, license_: dict[str, Any], feature: str, quantity: int, key: str
    ) -> None:
        device = "Render node 1"
        use = {"featureName": feature, "quantity": quantity, "idempotencyKey": key}
        await self._apply(product_key, "/api/meter/consume", license_, device, **use)

    async def _apply(
        self, product_key: str, path: str, license_: dict[str, Any], device: str, **more: object
    ) -> None:
        """What an application on the device sends."""
        hardware_id = "h1m-" + hashlib.sha256(device.encode()).hexdigest()[:40]
        body = {"licenseKey": license_["licenseKey"], "hardwareId": hardware_id, **more}
        response = await self._client.post(
            path, json={**body, "deviceName": device}, headers={"X-API-KEY": product_key}
        )
        response.raise_for_status()

    async def _issue(
        self, product_id: str, model: str, name: str, **terms: object
    ) -> dict[str, Any]:
        body = {
            "productId": product_id,
            "type": model,
            "licenseName": name,
            "issuedTo": "customer@example.com",
            **terms,
        }
        return await self._send("POST", "/api/licenses", body)

    def _in_days(self, days: int) -> str:
        return (self._now + timedelta(days=days)).isoformat()

    async def _send(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        response = await self._client.request(method, path, json=body)
        response.raise_for_status()
        answer: dict[str, Any] = response.json()
        return answer

    async def _download(self, path: str) -> bytes:
        response = await self._client.get(path)
        response.raise_for_status()
        return response.content


def _write_private(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
