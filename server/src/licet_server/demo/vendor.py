"""The sample vendor: plays the scenario day by day, including its customers' usage."""

import asyncio
import json
import secrets
from collections.abc import Callable
from itertools import count

from standardwebhooks import Webhook

from licet_server.demo import scenario
from licet_server.demo.client import Calendar, DemoClient, Json
from licet_server.licenses.rules.traits import LicenseType, MeterMode


async def open_shop(client: DemoClient, calendar: Calendar, policy_id: str) -> None:
    """Create the connector and send it today's sales; a rule is missing for one of them."""
    rule = {"match": {"product": scenario.SHOP_PRODUCT}, "policyId": policy_id}
    body = {"kind": "Generic", "name": "Web shop", "rules": [rule]}
    connector = await client.send("POST", "/api/connectors", body)
    for number, (customer, product) in enumerate(scenario.SHOP_SALES, start=4711):
        await _sell(client, calendar, connector, _order(calendar, str(number), customer, product))


async def _sell(client: DemoClient, calendar: Calendar, connector: Json, order: Json) -> None:
    message = {"type": "order.paid", "timestamp": calendar().isoformat(), "data": order}
    text, message_id, now = json.dumps(message), f"msg_{order['id']}", calendar()
    headers = {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(connector["signingSecret"]).sign(message_id, now, text),
    }
    await client.deliver(f"/api/connectors/{connector['id']}/inbox", text, headers)


def _order(calendar: Calendar, number: str, customer: str, product: str) -> Json:
    email = f"{customer.lower().replace(' ', '.')}@example.com"
    line = {"product": product, "quantity": 1, "periodEnd": calendar.day(365)}
    return {"id": number, "customer": {"email": email, "name": customer}, "lines": [line]}


EMAIL = "owner@example.com"
_PRICE = 2.5
_LATER_DAYS = 0.1


class Vendor:
    """Plays the scenario; afterward `products`, `keys` and `licenses` hold what it created."""

    def __init__(
        self, client: DemoClient, calendar: Calendar, report: Callable[[int], None]
    ) -> None:
        self._report = report
        self.password = secrets.token_urlsafe(9)
        self.products: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.licenses: dict[str, Json] = {}
        self._customers: set[str] = set()
        self._client = client
        self._calendar = calendar
        self._sets: dict[str, str] = {}
        self._policies: dict[str, str] = {}
        self._installed: list[tuple[Json, str]] = []
        self._product_of: dict[str, str] = {}
        self._invoices = count(1031)
        self._uses = count(1)

    async def run(self, setup_token: str) -> None:
        """Play the six weeks until an hour ago."""
        self._calendar.turn_to(scenario.FIRST_DAY)
        await self._sign_up(setup_token)
        await self._open_studio()
        await self._open_render()
        for day in range(scenario.FIRST_DAY, 1):
            self._report(day)
            self._calendar.turn_to(day)
            await self._client.stay_signed_in()
            await self._do_business(day)
            await self._simulate_usage(day)
        await self._create_open_items()

    async def _sign_up(self, setup_token: str) -> None:
        body = {
            "setupToken": setup_token,
            "email": EMAIL,
            "password": self.password,
            "fullName": "Ada Owner",
            "institutionName": "Aurora Software",
        }
        self._client.sign_in(await self._client.send("POST", "/api/auth/setup", body))
        # Old events would otherwise fill the notification list and the outbox.
        quiet = {"DeviceActivated": {"inApp": False}, "LicenseExpired": {"email": False}}
        await self._client.send("PUT", "/api/notifications/preferences", quiet)
        profile = await self._client.send("GET", "/api/auth/me")
        institution = f"/api/institutions/{profile['memberships'][0]['institutionId']}"
        await self._client.send("PUT", f"{institution}/appearance", scenario.APPEARANCE)

    async def _create_product(
        self, name: str, version: str, description: str, **more: object
    ) -> str:
        body = {"name": name, "initialVersion": version, "description": description, **more}
        product = await self._client.send("POST", "/api/products", body)
        path = f"/api/products/{product['id']}"
        await self._client.send("POST", f"{path}/keys/generate", {})
        credentials = await self._client.send("GET", f"{path}/credentials")
        self.products[name], self.keys[name] = str(product["id"]), str(credentials["apiKey"])
        return path

    async def _open_studio(self) -> None:
        path = await self._create_product(scenario.STUDIO, "3.0.0", "Photo editing for studios.")
        labels = {"raw-import": "RAW import", "batch-export": "Batch export", "ai-denoise": "AI"}
        for name, label in labels.items():
            await self._client.send(
                "POST", f"{path}/features", {"name": name, "displayName": label}
            )
        for name, (kind, label) in scenario.VALUED_FEATURES.items():
            body = {"name": name, "kind": kind, "displayName": label}
            await self._client.send("POST", f"{path}/features", body)
        for name, values in scenario.SETS.items():
            entries = [
                {"featureName": feature, **({} if value is True else {"value": value})}
                for feature, value in values.items()
            ]
            terms = {"name": name, "entries": entries}
            created = await self._client.send("POST", f"{path}/entitlement-sets", terms)
            self._sets[name] = created["id"]
        await self._client.send("PUT", f"{path}/mail-templates/issued", scenario.WELCOME)
        for name, policy_terms in scenario.POLICIES.items():
            body = {"productId": self.products[scenario.STUDIO], "name": name, **policy_terms}
            body["entitlementSetId"] = self._sets["Studio"]
            created = await self._client.send("POST", "/api/policies", body)
            self._policies[name] = created["id"]

    async def _open_render(self) -> None:
        """Create the render product; its long timeouts suit machines that render for hours."""
        timeouts = {"heartbeatIntervalSeconds": 900, "sessionTimeoutSeconds": 14_400}
        path = await self._create_product(
            scenario.RENDER, "1.4.1", "Rendering on many nodes.", settings=timeouts
        )
        frame = {"name": "render-frame", "displayName": "Rendered frame"}
        feature = await self._client.send("POST", f"{path}/features", frame)
        price = f"/api/meter/features/{feature['id']}/pricing"
        await self._client.send("PUT", price, {"tokenCost": _PRICE})

    async def _do_business(self, day: int) -> None:
        for release in scenario.RELEASES:
            if release.day == day:
                await self._publish(release)
        for sale in scenario.SALES:
            if sale.day == day:
                await self._sell(sale)
        for change in scenario.CHANGES:
            if change.day == day:
                await self._change(change)

    async def _publish(self, release: scenario.Release) -> None:
        path = f"/api/products/{self.products[scenario.STUDIO]}/releases"
        body = {"version": release.version, "notes": release.notes}
        created = await self._client.send("POST", path, body)
        for platform, ending in (("linux-x64", "tar.gz"), ("macos", "dmg"), ("windows-x64", "exe")):
            name = f"aurora-studio-{release.version}-{platform}.{ending}"
            text = f"{name}: the demo installs nothing.\n"
            await self._client.upload(created["id"], name, text.encode(), platform)
        await self._client.send("PUT", f"/api/releases/{created['id']}", {"status": "Published"})

    async def _sell(self, sale: scenario.Sale) -> None:
        terms = dict(sale.terms)
        if sale.term is not None:
            terms["expirationDate"] = self._calendar.day(sale.day + sale.term)
        if sale.policy:
            terms["policyId"] = self._policies[sale.policy]
        if sale.entitlements:
            terms["entitlementSetId"] = self._sets[sale.entitlements]
        if sale.address not in self._customers:
            self._customers.add(sale.address)
            customer: Json = {"name": sale.customer, "email": sale.address}
            if sale.customer in scenario.LOCALES:
                customer["locale"] = scenario.LOCALES[sale.customer]
            await self._client.send("POST", "/api/customers", customer)
        created = await self._client.issue(
            self.products[sale.product], sale.model, sale.license_name, sale.address, **terms
        )
        self.licenses[sale.license_name] = created
        self._product_of[created["id"]] = sale.product
        if LicenseType(sale.model).traits.meter_mode is MeterMode.TOKEN:
            warn = {"lowBalanceThreshold": 100}
            await self._client.send("PUT", f"/api/licenses/{created['id']}/meter-settings", warn)
        for device in sale.devices:
            await self._apply(
                "/api/activations", created, device, os="macOS 27", appVersion="3.0.0"
            )
            if sale.license_name == scenario.FIELD:
                await self._apply("/api/licenses/refresh", created, device)
            self._installed.append((created, device))

    async def _change(self, change: scenario.Change) -> None:
        body = dict(change.body)
        if change.term is not None:
            body["expirationDate"] = self._calendar.day(change.day + change.term)
        license_ = self.licenses[change.license_name]
        await self._client.send("POST", f"/api/licenses/{license_['id']}/{change.action}", body)

    async def _simulate_usage(self, day: int) -> None:
        """Simulate what the customers' machines do on a day."""
        frames = scenario.frames_rendered(day)
        sessions, *_ = await asyncio.gather(
            self._connect(scenario.active_nodes(day)),
            self._render(scenario.CREDITS, frames, 200),
            self._render(scenario.NIGHTS, frames // 4, 25),
            self._use(scenario.COUNTER, "export", 9 * frames),
            self._send_telemetry(day),
        )
        if day < 0:
            self._calendar.turn_to(day + _LATER_DAYS)
            await asyncio.gather(*(self._disconnect(session) for session in sessions))

    async def _connect(self, nodes: int) -> list[Json]:
        if scenario.POOL not in self.licenses:
            return []
        pool = self.licenses[scenario.POOL]
        named = [f"Render node {number}" for number in range(1, nodes + 1)]
        connected = (self._apply("/api/sessions/connect", pool, name) for name in named)
        return list(await asyncio.gather(*connected))

    async def _disconnect(self, session: Json) -> None:
        ended = {"sessionId": session["sessionId"]}
        await self._apply("/api/sessions/disconnect", self.licenses[scenario.POOL], "", **ended)

    async def _render(self, name: str, frames: int, least: int) -> None:
        """Consume credits, and top them up once the balance falls below `least`."""
        used = await self._use(name, "render-frame", frames)
        if used and used["balance"] < least:
            order = {"reason": "Top-up", "externalReference": f"INV-{next(self._invoices)}"}
            grant = {"licenseId": used["licenseId"], "amount": 500, **order}
            await self._client.send("POST", "/api/meter/grant", grant)

    async def _use(self, name: str, feature: str, quantity: int) -> Json | None:
        """Consume from a license; return `None` before it is sold."""
        if name not in self.licenses:
            return None
        key = f"job-{next(self._uses)}"
        use = {"featureName": feature, "quantity": quantity, "idempotencyKey": key}
        return await self._apply("/api/meter/consume", self.licenses[name], "Render node 1", **use)

    async def _send_telemetry(self, day: int) -> None:
        """Send telemetry from one device, a different one each day."""
        starts, now = scenario.application_starts(day), self._calendar.day(day)
        events = [{"name": "app.started", "occurredAt": now} for _ in range(starts)]
        events += [{"name": "export.finished", "occurredAt": now} for _ in range(starts // 2)]
        license_, device = self._installed[day % len(self._installed)]
        await self._apply("/api/telemetry", license_, device, events=events)

    async def _create_open_items(self) -> None:
        """Create today's open items: devices, a beta release, an invitation, sales in the shop."""
        for name, device in (
            (scenario.BOUND, "Unknown laptop"),
            (scenario.WAITING, scenario.WAITING),
        ):
            await self._apply("/api/licenses/validate", self.licenses[name], device)
        await self._return_tablet()
        beta = {"version": "3.3.0-beta.1", "channel": "Beta", "notes": "For testers."}
        await self._client.send(
            "POST", f"/api/products/{self.products[scenario.STUDIO]}/releases", beta
        )
        [own] = (await self._client.send("GET", "/api/institutions"))["items"]
        colleague = {"email": "finn.finance@example.com", "role": "Viewer"}
        await self._client.send("POST", f"/api/institutions/{own['id']}/invitations", colleague)
        await open_shop(self._client, self._calendar, self._policies[scenario.YEARLY])

    async def _return_tablet(self) -> None:
        """Deactivate a device whose license file has not ended, so that its seat waits."""
        path = f"/api/licenses/{self.licenses[scenario.FIELD]['id']}/activations"
        for device in (await self._client.send("GET", path))["items"]:
            if device["deviceName"] == scenario.RETURNED:
                await self._client.send("POST", f"/api/activations/{device['id']}/deactivate")

    async def _apply(self, path: str, license_: Json, device: str, **fields: object) -> Json:
        key = self.keys[self._product_of[license_["id"]]]
        return await self._client.apply(key, path, license_, device, **fields)
