"""The sample vendor: plays two years day by day, including its customers' usage."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import count, groupby, pairwise
from math import floor
from operator import attrgetter, itemgetter
from typing import Protocol, TypeVar

from licet_server.demo import artwork, scenario
from licet_server.demo.back_office import open_back_office
from licet_server.demo.client import Calendar, DemoClient, DeviceKey, Json, hardware_id_of
from licet_server.demo.companies import associate
from licet_server.demo.jobs import Jobs
from licet_server.demo.market import Lead, ShopEvent, draw, history
from licet_server.demo.shop import Message, Shop
from licet_server.demo.spending import Reservation
from licet_server.licenses.rules.keys import signed_hash
from licet_server.licenses.rules.traits import LicenseType, MeterMode

EMAIL = "owner@example.com"
_PRICE = 2.5
_LATER_DAYS = 0.1
_VALIDATING = 2
"""So many machines validate their license on each of the last days."""

_USED_DAYS, _SIGNED_IN_DAYS = 28, 84
"""A sign-in ends after 30 days without use, and after 90 in all."""

_DAILY_JOBS = ("remind_of_expiry", "return_lapsed_seats", "dispatch_events", "deliver_webhooks")
_SHOP_JOB, _USAGE_JOB = "work_off_connector_events", "roll_up_usage"

_FOUNDED, _SOLD = 0.05, 0.92
"""The shares of the work that are done once the vendor has products, and two years have passed."""

Report = Callable[[str, float], None]
"""Says what is being done, and the share of the work that is done."""


class _Dated(Protocol):
    @property
    def day(self) -> float: ...


_Item = TypeVar("_Item", bound=_Dated)
_Moment = ShopEvent | Lead


def _on(day: int, items: Iterable[_Item]) -> list[_Item]:
    return [item for item in items if item.day == day]


def _hour_of(day: int, name: str) -> float:
    """Return an instant of the eight hours before, so that not all happens at the same time."""
    return day - draw("hour", name) / 3


class Vendor:
    """Plays the scenario; afterward its public attributes hold what it created."""

    def __init__(self, client: DemoClient, calendar: Calendar, jobs: Jobs, report: Report) -> None:
        self._report = report
        self.password = secrets.token_urlsafe(9)
        self.products: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.licenses: dict[str, Json] = {}
        self._client = client
        self._website = client
        self._calendar = calendar
        self._jobs = jobs
        self._begun: asyncio.Task[None] | None = None
        self._shop = Shop(client, calendar)
        self._institution = ""
        self.institution_id = ""
        self.to_try: dict[str, str] = {}
        self._passwords: dict[str, str] = {}
        self._customers: set[str] = set()
        self._companies: dict[str, str] = {}
        self._sets: dict[str, str] = {}
        self._policies: dict[str, str] = {}
        self._installed: list[tuple[Json, str]] = []
        self._known: set[str] = set()
        self._sold = 0
        self._enrollment_keys: dict[str, str] = {}
        self._reservations: dict[str, Reservation] = {}
        self._containers: dict[str, Json] = {}
        self._webhook = ""
        self._invoices = count(1031)
        self._uses = count(1)

    async def run(self, setup_token: str) -> None:
        """Play the two years until now."""
        self._report("Founding a sample vendor", 0)
        market = history(self._calendar.today, scenario.PLANS)
        events = sorted([*market.events, *scenario.STORIES], key=attrgetter("day"))
        self._calendar.turn_to(scenario.FIRST_DAY)
        await self._sign_up(setup_token)
        await asyncio.gather(
            self._open_studio(), self._open_render(), self._create_product(scenario.FLOW)
        )
        await self._create_policies()
        await self._shop.open(scenario.PLANS, self._policies, events)
        async with self._client.visitor() as self._website:
            await self._open_website()
            await self._pass_years(sorted([*events, *market.leads], key=attrgetter("day")))

    async def _pass_years(self, moments: Sequence[_Moment]) -> None:
        awaited = {moment.buyer.email for moment in moments}
        awaited |= {sale.address for sale in scenario.SALES}
        for before, day in pairwise((scenario.FIRST_DAY - 1, *scenario.PLAYED)):
            await self._catch_up()
            await self._trade([moment for moment in moments if before < moment.day <= day])
            self._calendar.turn_to(day)
            await self._keep_session(day)
            await self._expand(day)
            await self._do_business(day)
            sessions = await self._connect(scenario.active_nodes(day))
            self._begin(*_DAILY_JOBS, is_down=day == scenario.DOWN_DAY)
            await asyncio.gather(self._simulate_usage(day), self._install_purchases())
            self._calendar.turn_to(day + _LATER_DAYS)
            await asyncio.gather(*(self._disconnect(*session) for session in sessions))
            came, all_ = len(self._customers), len(awaited)
            said = f"Selling two years of licenses: {came} of {all_} customers"
            self._report(said, _FOUNDED + (_SOLD - _FOUNDED) * came / all_)
        self._report("Adding what happened today", _SOLD)
        await self._live_through_today([it for it in moments if it.day > scenario.PLAYED[-1]])

    def _begin(self, *jobs: str, messages: Iterable[Message] = (), is_down: bool = False) -> None:
        """Begin what the service does in the background; meanwhile others send their requests."""
        self._begun = self._jobs.start(*jobs, messages=messages, is_down=is_down)

    async def _catch_up(self) -> None:
        """Wait until everything that was begun in the background is done."""
        if self._begun is not None:
            await self._begun

    async def _live_through_today(self, moments: Sequence[_Moment]) -> None:
        """Play today from the morning on, each thing at its time. Only today's news are unread."""
        today = scenario.PLAYED[-1] + 2 * _LATER_DAYS
        self._begin("dispatch_events", "deliver_webhooks")
        await self._catch_up()
        self._calendar.turn_to(today)
        await self._client.send("POST", "/api/notifications/read-all")
        sessions: list[tuple[str, Json]] = []
        steps: list[tuple[float, Callable[[], Awaitable[object]]]] = [
            *((max(today, item.day), partial(self._trade, [item])) for item in moments),
            *((item.day, partial(self._change, item)) for item in scenario.CHANGES),
            *((item.day, partial(self._visit, item)) for item in scenario.VISITS),
            *((item.day, partial(self._carry, item)) for item in scenario.ERRANDS),
            *((item.day, partial(self._roll_out, item)) for item in scenario.ROLLOUTS),
            *self._open_items(),
        ]
        wanted = [*(day for day, _ in scenario.NODES), *scenario.TURNED_AWAY]
        for number, day in enumerate(wanted, start=1):
            steps.append((day, partial(self._join, sessions, f"Render node {number}")))
        steps.append((scenario.ALL_HEARD_OF, partial(self._beat, sessions)))
        for day, step in sorted(steps, key=itemgetter(0)):
            if day >= today:
                self._calendar.turn_to(day)
                await step()
                await self._catch_up()
                self._begin("dispatch_events", "deliver_webhooks")
        await self._find_what_to_try()
        self._begin(_USAGE_JOB, "deliver_webhooks")
        await self._catch_up()
        # Nothing answers at its address once the service runs on its own.
        await self._client.send("PUT", f"/api/webhooks/{self._webhook}", {"enabled": False})
        for session, (_, minutes) in zip(sessions, scenario.NODES, strict=True):
            if minutes is not None:
                self._calendar.turn_to(minutes / 1440)
                await self._beat([session])

    async def _join(self, sessions: list[tuple[str, Json]], node: str) -> None:
        """Connect a render node, which gets a session while there are seats."""
        connected = await self._apply("/api/sessions/connect", self._pool, node)
        if "sessionId" in connected:
            sessions.append((node, connected))

    @property
    def _pool(self) -> Json:
        return self.licenses[scenario.POOL]

    async def _beat(self, sessions: Sequence[tuple[str, Json]]) -> None:
        """Have the render nodes say that they are still at work."""
        for node, session in sessions:
            known = {"sessionId": session["sessionId"]}
            await self._apply("/api/sessions/heartbeat", self._pool, node, **known)

    async def _keep_session(self, day: int) -> None:
        if day % _SIGNED_IN_DAYS == 0:
            await self._sign_in()
        elif day % _USED_DAYS == 0:
            await self._client.stay_signed_in()

    async def _sign_in(self) -> None:
        await self._client.log_in(EMAIL, self.password)

    @asynccontextmanager
    async def _colleague(self, email: str) -> AsyncIterator[DemoClient]:
        """Provide the requests of a colleague, who signs in."""
        async with self._client.visitor() as colleague:
            await colleague.log_in(email, self._passwords[email])
            yield colleague

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

    async def _open_website(self) -> None:
        """Create the API key with which the website issues trials."""
        body = {"name": "Trials on the website", "scopes": ["Customers.Write", "Licenses.Write"]}
        created = await self._client.send("POST", "/api/api-keys", body)
        self._website.sign_in({"accessToken": created["secret"]})

    async def _hire(self, colleague: scenario.Colleague) -> None:
        products = [self.products[name] for name in colleague.products]
        assigned = {"productIds": products} if products else {}
        invited = await self._invite(colleague.email, colleague.role, **assigned)
        token = invited["acceptUrl"].rpartition("=")[2]
        password = self._passwords[colleague.email] = secrets.token_urlsafe(9)
        body = {"token": token, "password": password, "fullName": colleague.name}
        async with self._client.visitor() as visitor:
            await visitor.send("POST", "/api/auth/accept-invitation", body)

    async def _invite(self, email: str, role: str, **more: object) -> Json:
        body = {"email": email, "role": role, **more}
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
        """Do what an Owner does once in years, who has to sign in for some of it."""
        for colleague in _on(day, scenario.STAFF):
            self._calendar.turn_to(_hour_of(day, colleague.name))
            await self._hire(colleague)
        if day == scenario.LIBRARY_DAY:
            await self._sign_in()
            await self._open_library()
        if day == scenario.CONNECTED_DAY:
            await self._sign_in()
            self._webhook = await open_back_office(self._client)

    async def _do_business(self, day: int) -> None:
        for release in _on(day, scenario.RELEASES):
            await self._publish(release)
        for sale in _on(day, scenario.SALES):
            self._calendar.turn_to(_hour_of(day, sale.license_name))
            await self._sell(sale)
        self._calendar.turn_to(day)
        for change in _on(day, scenario.CHANGES):
            await self._change(change)
        for visit in _on(day, scenario.VISITS):
            await self._visit(visit)
        await self._serve_machines_without_network(day)
        for rollout in _on(day, scenario.ROLLOUTS):
            await self._roll_out(rollout)

    async def _visit(self, visit: scenario.Visit) -> None:
        await self._apply(visit.path, self.licenses[visit.license_name], visit.device)

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
        self._known.add(created["id"])
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
        await self._website.send("POST", "/api/customers", customer)
        end = {"expirationDate": self._calendar.day(lead.day + 30)}
        created = await self._website.issue(
            self.products[lead.product], "Trial", who.name, who.email, **end
        )
        await self._install(created, f"{who.name}'s laptop")

    async def _trade(self, moments: Iterable[_Moment]) -> None:
        """Have the shop report its events day by day; meanwhile others try the products."""
        for _, found in groupby(moments, key=lambda moment: floor(moment.day)):
            group = list(found)
            self._customers.update(moment.buyer.email for moment in group)
            events = [moment for moment in group if isinstance(moment, ShopEvent)]
            self._calendar.turn_to(group[-1].day)
            if events:
                self._sold += sum(event.change == "paid" for event in events)
                self._begin(_SHOP_JOB, messages=map(self._shop.message, events))
            leads = [moment for moment in group if isinstance(moment, Lead)]
            await asyncio.gather(*(self._try_out(lead) for lead in leads))

    async def _install_purchases(self) -> None:
        """Have those install what they bought whose license is there; the others do so later."""
        if not self._sold:
            return
        newest = f"/api/licenses?pageSize={min(100, self._sold + 25)}"
        listed = (await self._website.send("GET", newest))["items"]
        bought = [item for item in listed if item["policyId"] and item["id"] not in self._known]
        self._known.update(item["id"] for item in bought)
        self._sold = max(0, self._sold - len(bought))
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
        if change.action == "rekey":  # hard to undo, so it takes a recent sign-in
            await self._sign_in()
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

    async def _connect(self, nodes: int) -> list[tuple[str, Json]]:
        if scenario.POOL not in self.licenses:
            return []
        sessions: list[tuple[str, Json]] = []
        named = [f"Render node {number}" for number in range(1, nodes + 1)]
        await asyncio.gather(*(self._join(sessions, node) for node in named))
        return sessions

    async def _disconnect(self, node: str, session: Json) -> None:
        ended = {"sessionId": session["sessionId"]}
        await self._apply("/api/sessions/disconnect", self._pool, node, **ended)

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

    def _open_items(self) -> list[tuple[float, Callable[[], Awaitable[object]]]]:
        """Return what is done today, and when: a next key, a beta, tags, a seat that waits."""
        studio = f"/api/products/{self.products[scenario.STUDIO]}"
        beta = {"version": "3.3.0-beta.1", "channel": "Beta", "notes": "For testers."}
        once = {"settings": {"trialOncePerDevice": True}}
        offers = f"/api/products/{self.products[scenario.LIBRARY]}/associations"
        send = self._client.send
        return [
            (-0.62, partial(self._prepare_key, studio)),
            (-0.58, partial(send, "POST", f"{studio}/releases", beta)),
            (-0.51, self._tag),
            (-0.35, partial(send, "PUT", studio, once)),
            (-0.33, self._try_once_more),
            (-0.29, self._move_customers),
            (-0.2, self._return_device),
            (-0.13, partial(self._invite, "finn.finance@example.com", "Viewer")),
            (-0.09, partial(send, "POST", offers, {"email": scenario.INVITED})),
            (0, partial(self._simulate_usage, 0)),
            (0.004, self._install_purchases),
        ]

    async def _prepare_key(self, product: str) -> None:
        await self._sign_in()
        await self._client.send("POST", f"{product}/keys/prepare", {})

    async def _try_once_more(self) -> None:
        again = self.licenses[scenario.SECOND_TRIAL]
        await self._apply("/api/licenses/validate", again, scenario.TRIED_BEFORE)

    async def _move_customers(self) -> None:
        for name, email in scenario.MOVED.items():
            path = f"/api/customers/{self.licenses[name]['customerId']}"
            await self._client.send("PUT", path, {"email": email})

    async def _find_what_to_try(self) -> None:
        orders = (await self._client.send("GET", "/api/orders?pageSize=100"))["items"]
        named = {order["customerName"] or order["email"]: order["id"] for order in orders}
        self.to_try = {
            kind: self.licenses[name]["id"] for kind, name in scenario.LICENSES_TO_TRY.items()
        } | {kind: named[name] for kind, name in scenario.ORDERS_TO_TRY.items()}

    async def _tag(self) -> None:
        """Have an Admin tag many licenses at once."""
        async with self._colleague(scenario.ADMIN) as admin:
            for tag, names in scenario.TAGS.items():
                ids = [self.licenses[name]["id"] for name in names]
                body: Json = {"action": "addTag", "tag": tag, "ids": ids}
                await admin.send("POST", "/api/licenses/bulk", body)

    async def _return_device(self) -> None:
        """Deactivate a device whose license file has not ended, so that its seat waits."""
        path = f"/api/licenses/{self.licenses[scenario.PLANT]['id']}/activations"
        for device in (await self._client.send("GET", path))["items"]:
            if device["deviceName"] == scenario.RETURNED:
                await self._client.send("POST", f"/api/activations/{device['id']}/deactivate")

    async def _apply(self, path: str, license_: Json, device: str, **fields: object) -> Json:
        known = {"licenseKey": license_["licenseKey"], **fields}
        return await self._client.apply(self.keys[license_["productId"]], path, device, **known)
