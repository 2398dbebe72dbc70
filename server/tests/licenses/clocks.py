"""A vendor whose Test product goes by a clock of its own."""

from dataclasses import dataclass
from typing import Any, Self

from testkit import FakeClock, Owner
from world import Vendor, open_vendor

from licet_server.catalog.service.clocks import advance_clocks
from licet_server.kit.platform import Platform
from licet_server.worker import TIMED


@dataclass
class Clocked(Vendor):
    """A vendor with a Test product and its clock, and the service around it."""

    platform: Platform
    real: FakeClock
    test_clock: str

    @classmethod
    async def of(
        cls, owner: Owner, platform: Platform, real: FakeClock, name: str = "Tests"
    ) -> Self:
        vendor = await open_vendor(owner, name=name, mode="Test")
        made = await owner.ok("POST", "/api/test-clocks", {"productId": vendor.product["id"]})
        return cls(owner, vendor.product, vendor.key, platform, real, made["id"])

    @property
    def path(self) -> str:
        return f"/api/test-clocks/{self.test_clock}"

    async def stands(self) -> dict[str, Any]:
        return dict(await self.owner.ok("GET", self.path))

    async def advance(self, **where: Any) -> dict[str, Any]:
        """Send the clock on its way, and do what the worker does until it is there."""
        answer = await self.owner.send("POST", f"{self.path}/advance", where)
        assert answer.status_code == 202, answer.text
        await advance_clocks(self.platform, TIMED)
        return await self.stands()

    async def told(self, **query: Any) -> list[tuple[str, str]]:
        """Return what happened by the clock: when and what, oldest first."""
        found = await self.owner.ok("GET", f"{self.path}/events", params={"pageSize": 100, **query})
        return [(item["at"], item["type"]) for item in reversed(found["items"])]
