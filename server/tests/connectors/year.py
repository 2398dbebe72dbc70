"""A year of sales through the service: its inbox, its jobs and its database."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from connectors.factories import make_connector, make_policy
from connectors.shops import SECRETS, Sent, Shop
from connectors.simulation import BEGIN, END, delivered
from connectors.test_addresses import in_test_mode
from licenses.factories import make_product
from testkit import FakeClock, Owner

from licet_server.catalog.service.clocks import advance_clocks
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform
from licet_server.worker import TIMED, work_off_connector_events

_SEED = 11


@dataclass
class Year:
    """A vendor with a connector for each kind of shop."""

    owner: Owner
    platform: Platform
    clock: FakeClock
    connectors: dict[ConnectorKind, dict[str, Any]]
    policies: dict[str, str]

    async def pass_with(
        self, shops: Sequence[Shop], *, badly: bool, work_off_every: int = 20
    ) -> dict[str, Any]:
        """Deliver what the shops send, in order and once or badly, and return what is left."""
        sent = [item for shop in shops for item in shop.sent]
        arrivals = delivered(sent, _SEED) if badly else [(item.at, item) for item in sent]
        for number, (at, item) in enumerate(sorted(arrivals, key=lambda arrival: arrival[0])):
            self.come(at)
            await self._deliver(item, self.clock.now)
            if number % work_off_every == 0:
                await self.work_off()
        await self.work_off()
        self.come(END)
        await self.work_off()
        return await self.outcome()

    def come(self, at: datetime) -> None:
        """Let it be as late as that."""
        self.clock.now = max(self.clock.now, at)

    async def work_off(self) -> None:
        await work_off_connector_events(self.platform)

    async def _deliver(self, item: Sent, now: datetime) -> None:
        connector = self.connectors[item.kind]
        answer = await self.owner.client.post(
            f"/api/connectors/{connector['id']}/inbox",
            content=item.raw,
            headers={"content-type": "application/json", **item.headers(now)},
        )
        assert answer.status_code == 200, answer.text

    async def outcome(self) -> dict[str, Any]:
        """The orders by their names in the shops, each with its licenses."""
        await self.owner.sign_in()
        licenses = {item["id"]: item for item in await self._all("/api/licenses")}
        names = {policy_id: name for name, policy_id in self.policies.items()}
        return {
            order["externalId"]: (
                order["status"],
                order["problem"],
                sorted(str(_told(licenses[it], names)) for it in order["licenseIds"]),
            )
            for order in await self._all("/api/orders")
        }

    async def failures(self) -> list[dict[str, Any]]:
        """The events that could not be read."""
        return [
            item
            for connector in self.connectors.values()
            for item in await self._all(f"/api/connectors/{connector['id']}/events", "Failed")
        ]

    async def _all(self, path: str, status: str | None = None) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        after: str | None = ""
        while after is not None:
            query = f"?after={after}&pageSize=100" + (f"&status={status}" if status else "")
            page = await self.owner.ok("GET", path + query)
            found += page["items"]
            after = page["nextAfter"]
        return found


@dataclass
class YearOnClocks(Year):
    """A year of sandboxes, which the clocks of their products go through: no real time passes."""

    paths: list[str] = field(default_factory=list)
    late: datetime = BEGIN

    def come(self, at: datetime) -> None:
        self.late = max(self.late, at)

    async def _deliver(self, item: Sent, now: datetime) -> None:
        if item.kind is not ConnectorKind.PADDLE:
            in_test_mode(item.kind, item.body)
        await super()._deliver(item, now)

    async def work_off(self) -> None:
        for path in self.paths:
            await self.owner.ok("POST", f"{path}/advance", {"to": self.late.isoformat()})
        await advance_clocks(self.platform, TIMED)
        await super().work_off()


async def begin_year_on_clocks(owner: Owner, platform: Platform, clock: FakeClock) -> YearOnClocks:
    """Begin a year of test mode in which each of the products has a clock."""
    products = [await make_product(owner, name=name, mode="Test") for name in ("App", "Other")]
    year = await _begun(owner, platform, clock, *products)
    paddle = year.connectors[ConnectorKind.PADDLE]
    sandbox = {"apiUrl": "https://sandbox-api.paddle.com"}
    await owner.ok("PUT", f"/api/connectors/{paddle['id']}", sandbox)
    clocks = [
        await owner.ok("POST", "/api/test-clocks", {"productId": it["id"]}) for it in products
    ]
    paths = [f"/api/test-clocks/{it['id']}" for it in clocks]
    return YearOnClocks(owner, platform, clock, year.connectors, year.policies, paths)


async def begin_year(owner: Owner, platform: Platform, clock: FakeClock) -> Year:
    product, other = await make_product(owner), await make_product(owner, name="Other")
    return await _begun(owner, platform, clock, product, other)


async def _begun(
    owner: Owner,
    platform: Platform,
    clock: FakeClock,
    product: dict[str, Any],
    other: dict[str, Any],
) -> Year:
    policies = {
        "basic": (await make_policy(owner, product, name="Basic"))["id"],
        "pro": (await make_policy(owner, product, name="Pro", metadata={"plan": "pro"}))["id"],
        "team": (await make_policy(owner, product, name="Team", type="Floating"))["id"],
        "other": (await make_policy(owner, other, name="Other"))["id"],
    }
    rules = [
        {
            "match": {"product": "prod_app", "price": f"price_{name}"},
            "policyId": policy_id,
            "quantityAs": "Seats" if name == "team" else "Licenses",
        }
        for name, policy_id in policies.items()
    ]
    connectors = {
        kind: await make_connector(owner, kind, signingSecret=SECRETS[kind], rules=rules)
        for kind in ConnectorKind
    }
    return Year(owner, platform, clock, connectors, policies)


def _told(license_: dict[str, Any], names: dict[str, str]) -> Any:
    """What a license is. What it was when it was revoked does not matter."""
    if license_["status"] == "Revoked":
        return license_["status"]
    return (
        license_["status"],
        names[license_["policyId"]],
        license_["maxActiveUsersCount"],
        license_["expirationDate"],
        license_["graceDays"],
        license_["issuedTo"],
        license_["metadata"],
    )
