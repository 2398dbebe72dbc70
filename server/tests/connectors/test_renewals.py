"""A renewal adds to the balance of a metered license what its policy says, exactly once."""

from datetime import timedelta
from typing import Any

from connectors.factories import Stall, make_policy, open_stall
from connectors.shops import Sent
from licenses.factories import make_product
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform

MONTH = timedelta(days=30)


async def open_meter(
    owner: Owner, platform: Platform, clock: FakeClock, **fields: Any
) -> tuple[Stall, dict[str, Any]]:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    said = {"type": "MeteredCount", "initialMeterBalance": 100, "renewalGrant": 40, **fields}
    policy = await make_policy(owner, stall.product, name="Calls", **said)
    rule = {"match": {"price": "calls"}, "policyId": policy["id"]}
    await owner.ok("POST", f"/api/connectors/{stall.connector['id']}/rules", rule)
    return stall, policy


def said(stall: Stall, kind: str, months: int, number: int, **data: Any) -> dict[str, Any]:
    at = stall.clock.START + MONTH * (months - 1) + timedelta(seconds=number)
    end = stall.clock.START + MONTH * months
    line = {"product": "app", "price": "calls", "periodEnd": end.isoformat()}
    given = {"id": "1", "customer": {"email": "a@example.com"}, "lines": [line], **data}
    return {"type": kind, "timestamp": at.isoformat(), "data": given}


async def ledger_of(stall: Stall) -> tuple[Any, list[tuple[str, Any]]]:
    await stall.work_off()
    [order] = await stall.orders()
    [license_id] = order["licenseIds"]
    found = (await stall.owner.ok("GET", f"/api/licenses/{license_id}/ledger"))["items"][::-1]
    return found[-1]["balanceAfter"], [(it["type"], it["amount"]) for it in found]


async def test_each_renewal_is_granted_once(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall, _ = await open_meter(owner, platform, clock)
    sent = [said(stall, "order.paid", 1, 0)]
    sent += [said(stall, "order.renewed", month, 0) for month in (2, 3)]
    headers = [stall.shop() for _ in sent]
    messages = [
        Sent(stall.kind, body, clock(), f"msg_{shop.name}")
        for body, shop in zip(sent, headers, strict=True)
    ]
    for item in (messages[0], messages[2], messages[2], messages[1], messages[0], messages[2]):
        await stall.deliver(item)
        await stall.work_off()
    balance, entries = await ledger_of(stall)
    assert (balance, entries) == (
        180,
        [("InitialGrant", 100), ("AdminGrant", 40), ("AdminGrant", 40)],
    )
    event = max(await stall.events(), key=lambda item: item["occurredAt"])
    replayed = await owner.send("POST", f"/api/connector-events/{event['id']}/replay")
    assert replayed.status_code == 202
    assert (await ledger_of(stall))[0] == 180


async def test_refunded_renewal_is_taken_back(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall, policy = await open_meter(owner, platform, clock)
    money = {"amount": 10, "currency": "EUR"}
    early = said(stall, "order.renewed", 2, 0, **money)
    early["timestamp"] = (clock.START + timedelta(days=20)).isoformat()
    refund = said(stall, "order.refunded", 1, 20 * 86_400 + 5, **money)
    for body in (said(stall, "order.paid", 1, 0, **money), early):
        assert (await stall.tell(body)).status_code == 200
    assert (await ledger_of(stall))[0] == 140
    assert (await stall.tell(refund)).status_code == 200
    balance, entries = await ledger_of(stall)
    assert (balance, entries[-1]) == (100, ("Adjust", -40))
    await owner.ok("PUT", f"/api/policies/{policy['id']}", {"renewalGrant": None})
    assert (await stall.tell(said(stall, "order.renewed", 3, 0, **money))).status_code == 200
    assert (await ledger_of(stall))[0] == 100, "null grants nothing"


async def test_renewal_grant_is_for_meters_only(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    body = {"productId": product["id"], "name": "A", "type": "Subscription", "renewalGrant": 5}
    refused = await owner.send("POST", "/api/policies", body)
    assert refused.status_code == 400
    assert "renewalGrant" in refused.text
    metered = {**body, "type": "MeteredCount", "initialMeterBalance": 5}
    for amount in (0, -1, 1.5, "x", 10**16):
        found = await owner.send("POST", "/api/policies", {**metered, "renewalGrant": amount})
        assert found.status_code == 400, amount
        assert "renewalGrant" in found.text
    shown = await owner.ok("POST", "/api/policies", metered)
    assert shown["renewalGrant"] == 5
