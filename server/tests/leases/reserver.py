"""A device that reserves credits, spends them without a network, and accounts for them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from hashlib import sha256
from typing import Any

import httpx
from devices.proving import base64url
from leases.borrower import Borrower
from metering.factories import new_key
from metering.ledger_checks import rows_of
from world import World

from licet_server.kit.platform import Platform
from licet_server.leases.tables import leases
from licet_server.metering.tables import meter_entries, meter_wallets

TOKENS: Mapping[str, Any] = {
    "initialMeterBalance": 1_000,
    "maxBorrowDays": 30,
    "maxOfflineCredits": 600,
}


def plain(amount: Decimal) -> str:
    """Write an amount as journals and receipts do."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def hashed(text: str) -> str:
    return base64url(sha256(text.encode()).digest())


@dataclass
class Journal:
    """What a device wrote down of one lease; `copy` is a snapshot of the device."""

    lease: dict[str, Any]
    lines: list[str] = field(default_factory=list)
    used: Decimal = Decimal(0)

    @property
    def head(self) -> str:
        return hashed(self.lines[-1] if self.lines else self.lease["leaseId"])

    def spend(
        self,
        feature: str = "export",
        quantity: int = 1,
        price: str = "2.5",
        key: str | None = None,
        **members: Any,
    ) -> str:
        """Append a line; `members` replace what it says."""
        cost = quantity * Decimal(price)
        said = {
            "n": len(self.lines) + 1,
            "feature": feature,
            "quantity": quantity,
            "cost": plain(cost),
            "at": 1_772_366_400,
            "key": new_key() if key is None else key,
            "prev": self.head,
            **members,
        }
        line = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
        self.lines.append(line)
        self.used += cost
        return line

    def copy(self) -> "Journal":
        return replace(self, lines=list(self.lines))


@dataclass
class Reserver(Borrower):
    """Applications on a machine, with the journal of what it spends."""

    async def reserve(
        self,
        license_: dict[str, Any],
        amount: Any = 500,
        machine: str = "machine-1",
        days: int = 7,
        **fields: Any,
    ) -> httpx.Response:
        return await self.borrow(
            license_, machine, days, **{"kind": "Credits", "amount": amount, **fields}
        )

    async def reserved(
        self, license_: dict[str, Any], amount: Any = 500, machine: str = "machine-1", **fields: Any
    ) -> Journal:
        answer = await self.reserve(license_, amount, machine, **fields)
        assert answer.status_code == 201, answer.text
        return Journal(dict(answer.json()))

    def account(self, journal: Journal, signed: str, **claims: Any) -> str:
        """Sign what was used, and how the journal ends."""
        said = {
            "kind": signed,
            "used": plain(journal.used),
            "lines": len(journal.lines),
            "head": journal.head,
            **claims,
        }
        return self.receipt(journal.lease, **said)

    async def report(
        self, journal: Journal, since: int = 0, *, receipt: str | None = None, **fields: Any
    ) -> httpx.Response:
        body = {
            "receipt": receipt or self.account(journal, "Used"),
            "journal": journal.lines[since:],
            **fields,
        }
        return await self.call("POST", f"/api/leases/{journal.lease['leaseId']}/report", body)

    async def reported(self, journal: Journal, since: int = 0) -> dict[str, Any]:
        answer = await self.report(journal, since)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def hand_in(self, journal: Journal, since: int = 0, **fields: Any) -> httpx.Response:
        """Return the credits with the journal."""
        receipt = self.account(journal, "Returned")
        return await self.give_back(
            journal.lease, receipt, **{"journal": journal.lines[since:], **fields}
        )

    async def handed_in(self, journal: Journal, since: int = 0) -> dict[str, Any]:
        answer = await self.hand_in(journal, since)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


async def held_of(world: World, license_: dict[str, Any]) -> Any:
    """What the service says is held of a license."""
    return (await world.owner.ok("GET", f"/api/meter/balance/{license_['id']}"))["held"]


async def assert_c1(platform: Platform, license_: dict[str, Any]) -> Decimal:
    """Balance, open holds and consumed are what was granted and adjusted; return what is consumed.

    Open holds are those of the leases: the wallet and the ledger say the same.
    """
    [wallet] = await rows_of(platform, meter_wallets, license_id=license_["id"])
    entries = await rows_of(platform, meter_entries, license_id=license_["id"])
    lent = await rows_of(platform, leases, license_id=license_["id"])
    open_holds = sum(
        (row["quantity"] - row["spent"] for row in lent if row["ended_at"] is None), Decimal(0)
    )
    sums: dict[str, Decimal] = {}
    for entry in entries:
        sums[entry["type"]] = sums.get(entry["type"], Decimal(0)) + entry["amount"]
    consumed = -sums.get("Consume", Decimal(0)) - sums.get("LeaseCharge", Decimal(0))
    granted = sum(sums.get(name, Decimal(0)) for name in ("InitialGrant", "AdminGrant", "Adjust"))
    assert wallet["balance"] + open_holds + consumed == granted
    assert wallet["held"] == open_holds
    assert wallet["balance"] >= 0
    return consumed
