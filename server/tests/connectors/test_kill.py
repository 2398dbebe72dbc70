"""A `kill -9` of the worker loses nothing and doubles nothing; the next one goes on."""

import asyncio
import signal
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from connectors import killed
from connectors.factories import Stall, open_stall
from connectors.killed import MOMENTS
from delivery.post import mails_of
from e2e.forked import Forked
from patience import PATIENCE_S, until_found
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform
from licet_server.worker import dispatch_events

QUANTITY, SALES = 3, 2


async def work_off_and_die(stall: Stall, moment: str) -> None:
    settings, now = stall.platform.settings, stall.clock.now.isoformat()
    given = [str(settings.database_url), str(settings.data_dir), now, moment]
    said = settings.data_dir / "said.txt"
    process = Forked(killed.main, *given, variables={}, output=said)
    assert await asyncio.to_thread(process.wait, PATIENCE_S) == -signal.SIGKILL, said.read_text()


async def work_off_the_rest(stall: Stall) -> list[dict[str, Any]]:
    """The database may need a moment to notice that the process is gone."""

    async def fulfilled() -> list[dict[str, Any]]:
        await stall.work_off()
        orders: list[dict[str, Any]] = await stall.orders()
        return orders if {item["status"] for item in orders} == {"Fulfilled"} else []

    found: list[dict[str, Any]] = await until_found(fulfilled)
    return found


async def recorded(stall: Stall) -> Counter[str]:
    """How many events of each kind are in the audit log."""
    async with stall.platform.database.reading() as db:
        found = await db.execute(
            text("SELECT kind FROM events WHERE institution_id = :i AND actor_kind = 'Connector'"),
            {"i": UUID(stall.owner.institution_id)},
        )
        return Counter(found.scalars().all())


@pytest.mark.parametrize("moment", MOMENTS)
async def test_nothing_is_lost_or_doubled(
    owner: Owner, platform: Platform, clock: FakeClock, moment: str
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.STRIPE)
    shops = [stall.shop(quantity=QUANTITY) for _ in range(SALES)]
    for shop in shops:
        shop.buy()
        await stall.deliver(*shop.sent)
    await work_off_and_die(stall, moment)
    committed = moment == "after it is committed"
    assert await recorded(stall) == expected(1 if committed else 0)
    orders = await work_off_the_rest(stall)
    assert len(orders) == SALES
    assert {len(item["licenseIds"]) for item in orders} == {QUANTITY}
    licenses = await owner.ok("GET", f"/api/licenses?productId={stall.product['id']}")
    assert licenses["totalCount"] == SALES * QUANTITY
    assert {item["status"] for item in await stall.events()} == {"Processed"}
    assert await recorded(stall) == expected(SALES)
    await dispatch_events(platform)
    assert len(await mails_of(owner, pageSize=100)) == SALES * QUANTITY


def expected(sales: int) -> Counter[str]:
    """What so many sales leave in the audit log."""
    kinds = {"license.created": QUANTITY, "customer.created": 1, "order.fulfilled": 1}
    return +Counter({kind: number * sales for kind, number in kinds.items()})
