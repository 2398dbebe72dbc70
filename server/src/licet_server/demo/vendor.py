"""The sample vendor: plays two years day by day, including its customers' usage."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import count, pairwise
from typing import Protocol, TypeVar

from licet_server.demo import artwork, scenario
from licet_server.demo.back_office import BackOffice, open_back_office
from licet_server.demo.client import Calendar, DemoClient, DeviceKey, Json, hardware_id_of
from licet_server.demo.companies import associate
from licet_server.demo.market import Lead, ShopEvent, draw, history
from licet_server.demo.shop import Shop
from licet_server.demo.spending import Reservation
from licet_server.licenses.rules.keys import signed_hash
from licet_server.licenses.rules.traits import LicenseType, MeterMode

EMAIL = "owner@example.com"
_PRICE = 2.5
_LATER_DAYS = 0.1
_VALIDATING = 2
"""So many machines validate their license on each of the last days."""

_SIGNED_IN_DAYS = 84
"""A sign-in lasts for 90 days."""

Jobs = Mapping[str, Callable[[], Awaitable[object]]]
"""The background jobs of the service, by name."""

_DAILY_JOBS = ("remind_of_expiry", "return_lapsed_seats", "dispatch_events", "deliver_webhooks")
_SHOP_JOB, _USAGE_JOB = "work_off_connector_events", "roll_up_usage"


class _Dated(Protocol):
    @property
    def day(self) -> int: ...


_Item = TypeVar("_Item", bound=_Dated)


def _on(day: int, items: Iterable[_Item]) -> list[_Item]:
    return [item for item in items if item.day == day]


class Vendor:
    """Plays the scenario; afterward its public attributes hold what it created."""

    def __init__(
        self,
        client: DemoClient,
        calendar: Calendar,
        jobs: Jobs,
        back_office: BackOffice,
        report: Callable[[int], None],
    ) -> None:
        self._report = report
        self._back_office = back_office
        self.password = secrets.token_urlsafe(9)
        self.products: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.licenses: dict[str, Json] = {}
        self._client = client
        self._calendar = calendar
        self._jobs = jobs
        self._shop = Shop(client, calendar, jobs[_SHOP_JOB])
        self._institution = ""
        self.institution_id = ""
        self.to_try: dict[str, str] = {}
        self._customers: set[str] = set()
        self._companies: dict[str, str] = {}
        self._sets: dict[str, str] = {}
        self._policies: dict[str, str] = {}
        self._installed: list[tuple[Json, str]] = []
        self._known: set[str] = set()
        self._enrollment_keys: dict[str, str] = {}
        self._reservations: dict[str, Reservation] = {}
        self._containers: dict[str, Json] = {}
        self._version = ""
        self._invoices = count(1031)
        self._uses = count(1)

    async def run(self, setup_token: str) -> None:
        """Play the two years until an hour ago."""
        market = history(self._calendar.today, scenario.PLANS)
        events = sorted([*market.events, *scenario.STORIES], key=lambda event: event.day)
        self._calendar.turn_to(scenario.FIRST_DAY)
        await self._sign_up(setup_token)
        await self._open_studio()
        await self._open_render()
        await self._create_product(scenario.FLOW)
        for colleague in scenario.STAFF:
            await self._hire(*colleague)
        await self._create_policies()
        await self._shop.open(scenario.PLANS, self._policies, events)
        for before, day in pairwise((scenario.FIRST_DAY - 1, *scenario.PLAYED)):
            self._report(day)
            self._calendar.turn_to(day)
            await (self._sign_in() if day % _SIGNED_IN_DAYS == 0 else self._client.stay_signed_in())
            if day == 0:  # so that only today's news are unread
                await self._client.send("POST", "/api/notifications/read-all")
            await self._expand(day)
            await self._do_business(day)
            if day == 0:  # the nodes have been at work since early in the day
                self._calendar.turn_to(-scenario.NODES_LIVE_DAYS)
            sessions = await self._connect(scenario.active_nodes(day))
            self._calendar.turn_to(day)
            await asyncio.gather(
                self._simulate_usage(day),
                self._trade([event for event in events if before < event.day <= day]),
                *(self._try_out(lead) for lead in market.leads if before < lead.day <= day),
            )
            if day < 0:
                self._calendar.turn_to(day + _LATER_DAYS)
                await asyncio.gather(*(self._disconnect(session) for session in sessions))
            await self._work(*_DAILY_JOBS)
        await self._create_open_items()
        await self._work(_USAGE_JOB, "dispatch_events", "deliver_webhooks")
        await self._beat([session for session in sessions if "sessionId" in session])

    async def _beat(self, sessions: list[Json]) -> None:
        """Send the last heartbeat of each live session: minutes ago, but for one hours ago."""
        pool = self.licenses[scenario.POOL]
        for session, minutes in zip(sessions, scenario.LAST_BEATS, strict=False):
            self._calendar.turn_to(minutes / 1440)
            known = {"sessionId": session["sessionId"]}
            await self._apply("/api/sessions/heartbeat", pool, "", **known)
        await self._client.stay_signed_in()

    async def _sign_in(self) -> None:
        credentials = {"email": EMAIL, "password": self.password}
        self._client.sign_in(await self._client.send("POST", "/api/auth/login", credentials))

    async def _work(self, *names: str) -> None:
        for name in names:
            await self._jobs[name]()

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
        self.institution_id = profile["memberships"][0]["institutionId"]
        self._institution = f"/api/institutions/{self.institution_id}"
        await self._client.send("PUT", f"{self._institution}/appearance", scenario.APPEARANCE)
        picture = artwork.logo(scenario.APPEARANCE["color"])
        await self._client.put_image(f"{self._institution}/logo", picture)

    async def _hire(self, name: str, role: str, products: tuple[str, ...]) -> None:
        invited = await self._invite(name, role, *products)
        token = invited["acceptUrl"].rpartition("=")[2]
        body = {"token": token, "password": secrets.token_urlsafe(9), "fullName": name}
        async with self._client.visitor() as visitor:
            await visitor.send("POST", "/api/auth/accept-invitation", body)

    async def _invite(self, name: str, role: str, *products: str) -> Json:
        body: Json = {"email": f"{name.lower().replace(' ', '.')}@example.com", "role": role}
        if products:
            body["productIds"] = [self.products[product] for product in products]
        return await self._client.send("POST", f"{self._institution}/invitations", body)

    async def _create_product(self, name: str, **more: object) -> str:
        version, description = scenario.PRODUCTS[name]
        body = {"name": name, "initialVersion": version, "description": description, **more}
        product = await self._client.send("POST", "/api/products", body)
        path = f"/api/products/{product['id']}"
        await self._client.send("POST", f"{path}/keys/generate", {})
        credentials = await self._client.send("GET", f"{path}/credentials")
        self.products[name], self.keys[product["id"]] = product["id"], credentials["apiKey"]
        return path

    async def _open_studio(self) -> None:
        path = await self._create_product(scenario.STUDIO)
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

    async def _open_render(self) -> None:
        """Create the render product: for machines that render for hours, or vanish."""
        settings = {
            "heartbeatIntervalSeconds": 900,
            "sessionTimeoutSeconds": 14_400,
            "deviceIdleDays": scenario.IDLE_DAYS,
        }
        path = await self._create_product(scenario.RENDER, settings=settings)
        frame = {"name": "render-frame", "displayName": "Rendered frame"}
        feature = await self._client.send("POST", f"{path}/features", frame)
        price = f"/api/meter/features/{feature['id']}/pricing"
        await self._client.send("PUT", price, {"tokenCost": _PRICE})

    async def _open_library(self) -> None:
        """Create the product for companies, two of which accept it."""
        await self._create_product(scenario.LIBRARY, accessType="Associated")
        product = self.products[scenario.LIBRARY]
        for company in scenario.COMPANIES:
            self._companies[company.name] = await associate(self._client, product, company)

    async def _create_policies(self) -> None:
        sold = {plan.policy: (plan.product, plan.terms) for plan in scenario.PLANS}
        others = {name: (scenario.STUDIO, terms) for name, terms in scenario.POLICIES.items()}
        for name, (product, terms) in {**sold, **others}.items():
            body: Json = {"productId": self.products[product], "name": name, **terms}
            if product == scenario.STUDIO:
                body["entitlementSetId"] = self._sets["Studio"]
            created = await self._client.send("POST", "/api/policies", body)
            self._policies[name] = created["id"]

    async def _expand(self, day: int) -> None:
        """Do what an Owner does once in years, who has to sign in for it."""
        self._back_office.is_down = day == scenario.DOWN_DAY
        if day == scenario.LIBRARY_DAY:
            await self._sign_in()
            await self._open_library()
        if day == scenario.CONNECTED_DAY:
            await self._sign_in()
            await open_back_office(self._client)

    async def _do_business(self, day: int) -> None:
        for release in _on(day, scenario.RELEASES):
            await self._publish(release)
        for sale in _on(day, scenario.SALES):
            await self._sell(sale)
        for change in _on(day, scenario.CHANGES):
            await self._change(change)
        for visit in _on(day, scenario.VISITS):
            await self._apply(visit.path, self.licenses[visit.license_name], visit.device)
        await self._serve_machines_without_network(day)
        for rollout in _on(day, scenario.ROLLOUTS):
            await self._roll_out(rollout)

    async def _serve_machines_without_network(self, day: int) -> None:
        for loan in _on(day, scenario.LOANS):
            await self._lend(loan)
        for voyage in _on(day, scenario.VOYAGES):
            await self._reserve(voyage)
        for voyage in scenario.VOYAGES:
            if day in voyage.rendered:
                await self._report_spent(voyage.device, voyage.rendered[day])
        for errand in _on(day, scenario.ERRANDS):
            await self._carry(errand)

    async def _publish(self, release: scenario.Release) -> None:
        path = f"/api/products/{self.products[scenario.STUDIO]}/releases"
        body = {"version": release.version, "notes": release.notes}
        created = await self._client.send("POST", path, body)
        for platform, ending in (("linux-x64", "tar.gz"), ("macos", "dmg"), ("windows-x64", "exe")):
            name = f"aurora-studio-{release.version}-{platform}.{ending}"
            await self._client.upload(created["id"], name, artwork.installer(name), platform)
        await self._client.send("PUT", f"/api/releases/{created['id']}", {"status": "Published"})

    async def _sell(self, sale: scenario.Sale) -> None:
        terms = dict(sale.terms)
        if sale.term is not None:
            terms["expirationDate"] = self._calendar.day(sale.day + sale.term)
        if sale.policy:
            terms["policyId"] = self._policies[sale.policy]
        if sale.for_company:
            terms["customerInstitutionId"] = self._companies[sale.customer]
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
        if LicenseType(sale.model).traits.meter_mode is MeterMode.TOKEN:
            warn = {"lowBalanceThreshold": 100}
            await self._client.send("PUT", f"/api/licenses/{created['id']}/meter-settings", warn)
        for device in sale.devices:
            await self._install(created, device)
            if "Offline" in sale.terms.values():
                await self._apply("/api/licenses/refresh", created, device)

    async def _lend(self, loan: scenario.Loan) -> None:
        license_ = self.licenses[loan.license_name]
        await self._client.apply(
            self.keys[license_["productId"]],
            *("/api/leases", loan.device, DeviceKey(self._calendar)),
            licenseKey=license_["licenseKey"],
            days=loan.borrowed_days,
            idempotencyKey=loan.device,
        )

    async def _reserve(self, voyage: scenario.Voyage) -> None:
        license_, key = self.licenses[voyage.license_name], DeviceKey(self._calendar)
        product_id = license_["productId"]
        issued = await self._client.apply(
            self.keys[product_id],
            *("/api/leases", voyage.device, key),
            licenseKey=license_["licenseKey"],
            kind="Credits",
            amount=voyage.amount,
            days=voyage.reserved_days,
            idempotencyKey=voyage.device,
        )
        reservation = Reservation(issued, product_id, key, self._calendar)
        self._reservations[voyage.device] = reservation

    async def _report_spent(self, device: str, frames: Iterable[int]) -> None:
        reservation = self._reservations[device]
        for quantity in frames:
            reservation.spend("render-frame", quantity)
        await self._client.apply(
            self.keys[reservation.product_id],
            *(f"/api/leases/{reservation.id}/report", device, reservation.key),
            **reservation.report(),
        )

    async def _carry(self, errand: scenario.Errand) -> None:
        """Bring the request of a machine to the desk, where the vendor approves it, or not yet."""
        license_ = self.licenses[errand.license_name]
        claims: Json = {
            "aud": license_["productId"],
            "kind": "Activate",
            "licenseKeyHash": signed_hash(license_["licenseKey"]),
            "hardwareId": hardware_id_of(errand.device),
            "deviceName": errand.device,
            "nonce": secrets.token_urlsafe(16),
            "seq": 1,
            "iat": int(self._calendar().timestamp()),
        }
        body: Json = {"request": DeviceKey(self._calendar).request(claims)}
        async with self._client.visitor() as visitor:
            await visitor.send("POST", "/api/offline/requests/answer", body)
        if errand.is_approved:
            waiting = await self._client.send("GET", "/api/offline/requests?state=Waiting")
            for item in waiting["items"]:
                await self._client.send("POST", f"/api/offline/requests/{item['id']}/approve")

    async def _roll_out(self, rollout: scenario.Rollout) -> None:
        """Start containers: new ones enroll, the others validate with their tokens."""
        fleet = self.licenses[scenario.FLEET]
        if rollout.key not in self._enrollment_keys:
            terms = {"name": rollout.key, **scenario.ENROLLMENT_KEYS[rollout.key]}
            path = f"/api/licenses/{fleet['id']}/enrollment-keys"
            created = await self._client.send("POST", path, terms)
            self._enrollment_keys[rollout.key] = created["secret"]
        for name in rollout.containers:
            if name in self._containers:
                await self._apply("/api/licenses/validate", self._containers[name], name)
                continue
            enrolled = await self._client.apply(
                self.keys[fleet["productId"]],
                *("/api/activations/enroll", name),
                enrollmentKey=self._enrollment_keys[rollout.key],
                os="Linux",
                appVersion=fleet["releaseVersion"],
            )
            self._containers[name] = {**fleet, "licenseKey": enrolled["deviceToken"]}

    async def _try_out(self, lead: Lead) -> None:
        who = lead.buyer
        customer = {"name": who.name, "email": who.email, "locale": who.locale}
        await self._client.send("POST", "/api/customers", customer)
        end = {"expirationDate": self._calendar.day(lead.day + 30)}
        created = await self._client.issue(
            self.products[lead.product], "Trial", who.name, who.email, **end
        )
        await self._install(created, f"{who.name}'s laptop")

    async def _trade(self, events: list[ShopEvent]) -> None:
        """Have the shop report its events, and the buyers install what they bought."""
        if not events:
            return
        await self._shop.report(events)
        sold = sum(event.change == "paid" for event in events)
        newest = f"/api/licenses?pageSize={sold + 10}"
        listed = (await self._client.send("GET", newest))["items"] if sold else []
        bought = [item for item in listed if item["policyId"] and item["id"] not in self._known]
        self._known.update(item["id"] for item in bought)
        await asyncio.gather(
            *(
                self._install(license_, device)
                for license_ in bought
                for device in scenario.devices_of(license_)
            )
        )

    async def _install(self, license_: Json, device: str) -> None:
        system = "macOS 27" if draw("system", device) < 0.45 else "Windows 12"
        await self._apply(
            "/api/activations", license_, device, os=system, appVersion=license_["releaseVersion"]
        )
        self._installed.append((license_, device))

    async def _change(self, change: scenario.Change) -> None:
        body = dict(change.body)
        if change.term is not None:
            body["expirationDate"] = self._calendar.day(change.day + change.term)
        license_ = self.licenses[change.license_name]
        await self._client.send("POST", f"/api/licenses/{license_['id']}/{change.action}", body)

    async def _simulate_usage(self, day: int) -> None:
        """Simulate what the customers' machines do on a day."""
        frames = scenario.frames_rendered(day)
        await asyncio.gather(
            self._render(scenario.CREDITS, frames, 200),
            self._render(scenario.NIGHTS, frames // 4, 25),
            self._use(scenario.COUNTER, "export", 9 * frames),
            self._start_applications(day),
        )

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

    async def _start_applications(self, day: int) -> None:
        """Validate some licenses, other ones each day, and send telemetry from one machine."""
        if day < scenario.DAILY:
            return
        machines = [
            self._installed[(7 * day + n) % len(self._installed)] for n in range(_VALIDATING)
        ]
        for license_, device in machines:
            await self._apply("/api/licenses/validate", license_, device)
        starts, now = scenario.application_starts(day), self._calendar.day(day)
        events = [{"name": "app.started", "occurredAt": now} for _ in range(starts)]
        events += [{"name": "export.finished", "occurredAt": now} for _ in range(starts // 2)]
        license_, device = machines[0]
        await self._apply("/api/telemetry", license_, device, events=events)

    async def _create_open_items(self) -> None:
        """Create today's open items: tags, a seat that waits, a next key, a beta, an invitation."""
        await self._tag()
        await self._return_device()
        for name, email in scenario.MOVED.items():
            path = f"/api/customers/{self.licenses[name]['customerId']}"
            await self._client.send("PUT", path, {"email": email})
        once = {"settings": {"trialOncePerDevice": True}}
        await self._client.send("PUT", f"/api/products/{self.products[scenario.STUDIO]}", once)
        again = self.licenses[scenario.SECOND_TRIAL]
        await self._apply("/api/licenses/validate", again, scenario.TRIED_BEFORE)
        next_key = f"/api/products/{self.products[scenario.STUDIO]}/keys/prepare"
        await self._client.send("POST", next_key, {})
        beta = {"version": "3.3.0-beta.1", "channel": "Beta", "notes": "For testers."}
        await self._client.send(
            "POST", f"/api/products/{self.products[scenario.STUDIO]}/releases", beta
        )
        await self._invite("Finn Finance", "Viewer")
        offers = f"/api/products/{self.products[scenario.LIBRARY]}/associations"
        await self._client.send("POST", offers, {"email": scenario.INVITED})
        orders = (await self._client.send("GET", "/api/orders?pageSize=100"))["items"]
        named = {order["customerName"] or order["email"]: order["id"] for order in orders}
        self.to_try = {
            kind: self.licenses[name]["id"] for kind, name in scenario.LICENSES_TO_TRY.items()
        } | {kind: named[name] for kind, name in scenario.ORDERS_TO_TRY.items()}

    async def _tag(self) -> None:
        """Tag many licenses at once."""
        for tag, names in scenario.TAGS.items():
            ids = [self.licenses[name]["id"] for name in names]
            body: Json = {"action": "addTag", "tag": tag, "ids": ids}
            await self._client.send("POST", "/api/licenses/bulk", body)

    async def _return_device(self) -> None:
        """Deactivate a device whose license file has not ended, so that its seat waits."""
        path = f"/api/licenses/{self.licenses[scenario.PLANT]['id']}/activations"
        for device in (await self._client.send("GET", path))["items"]:
            if device["deviceName"] == scenario.RETURNED:
                await self._client.send("POST", f"/api/activations/{device['id']}/deactivate")

    async def _apply(self, path: str, license_: Json, device: str, **fields: object) -> Json:
        known = {"licenseKey": license_["licenseKey"], **fields}
        return await self._client.apply(self.keys[license_["productId"]], path, device, **known)
