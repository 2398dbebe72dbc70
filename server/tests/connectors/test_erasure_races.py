"""A buyer is erased while an order of theirs is being fulfilled."""

import asyncio
from typing import Any

import pytest
from applications import ApplicationWith, emptied
from connectors.factories import Stall, open_stall
from connectors.shops import Shop
from customers.rows import rows_of
from locks import until_it_waits
from patience import PATIENCE_S
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.service import settling
from licet_server.connectors.storage import orders as stored_orders
from licet_server.kit.platform import Platform
from licet_server.kit.text import ERASED_ADDRESS


@pytest.fixture(scope="module")
async def shared_application(application_with: ApplicationWith) -> Application:
    """An application on a database of its own, all of whose rows are compared."""
    return await emptied(await application_with("fresh"))


async def deliver(stall: Stall, shop: Shop) -> None:
    for item in shop.sent:
        await stall.deliver(item)


async def erase_during_fulfillment(
    stall: Stall, monkeypatch: pytest.MonkeyPatch, *, waits: bool
) -> str:
    """Erase a buyer while a second order of theirs gets its license; return all rows as text."""
    first, second = stall.shop(), stall.shop()
    second.email = first.email
    first.buy()
    await deliver(stall, first)
    await stall.work_off()
    customers = (await stall.owner.ok("GET", f"/api/customers?search={first.email}"))["items"]
    second.buy()
    await deliver(stall, second)
    decided, erasing = asyncio.Event(), asyncio.Event()
    fulfill: Any = getattr(settling, "fulfill")  # noqa: B009 - imported there, and replaced

    async def fulfill_later(*given: Any, **more: Any) -> None:
        decided.set()
        await erasing.wait()
        await fulfill(*given, **more)

    monkeypatch.setattr(settling, "fulfill", fulfill_later)
    selling = asyncio.create_task(stall.work_off())
    await asyncio.wait_for(decided.wait(), PATIENCE_S)
    path = f"/api/customers/{customers[0]['id']}/erase"
    erasure = asyncio.create_task(stall.owner.ok("POST", path, {"licenses": "Keep"}))
    try:
        if waits:
            await until_it_waits(stall.platform, erasure)
        else:
            await erasure
    finally:
        erasing.set()
    await asyncio.gather(selling, erasure)
    licenses = (await stall.owner.ok("GET", "/api/licenses"))["items"]
    assert len(licenses) == 2
    return first.email if first.email in str(await rows_of(stall.platform)) else ""


@pytest.mark.parametrize("kind", [ConnectorKind.GENERIC, ConnectorKind.STRIPE])
async def test_erasure_waits_for_an_order_in_progress(
    owner: Owner,
    platform: Platform,
    clock: FakeClock,
    kind: ConnectorKind,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stall = await open_stall(owner, platform, clock, kind)
    assert await erase_during_fulfillment(stall, monkeypatch, waits=True) == ""
    licenses = (await owner.ok("GET", "/api/licenses"))["items"]
    assert {item["issuedTo"] for item in licenses} == {ERASED_ADDRESS}


async def test_without_the_lock_an_erasure_misses_an_order_in_progress(
    owner: Owner, platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the race above."""

    async def lock_nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr(stored_orders, "lock_of_customer", lock_nothing)
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    assert await erase_during_fulfillment(stall, monkeypatch, waits=False) != ""
