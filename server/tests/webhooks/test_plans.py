"""Deliveries are listed and searched by the index of their webhook, among very many of another."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from plans import explain, taken_down
from sqlalchemy import text
from testkit import Owner
from unhurried import unhurried, vacuum
from webhooks.factories import deliver, deliveries, make_webhook, record
from world import World

from licet_server.kit.platform import Platform

BUSY, QUIET = 60_000, 300
_FILL = """
INSERT INTO webhook_deliveries (institution_id, id, webhook_id, event_id, event_type, status,
    attempts, created_at, delivered_at)
SELECT institution_id, uuidv7(), webhook_id, event_id, 'license.updated', 'Delivered', 1, now(),
    now()
FROM webhook_deliveries, generate_series(1, :many) AS n WHERE webhook_id = :webhook
"""
COMMON: dict[str, dict[str, str]] = {
    "all": {},
    "a common status": {"status": "Delivered"},
    "what waits": {"status": "Pending"},
    "a common event": {"search": "license."},
}
RARE: dict[str, dict[str, str]] = {
    "no such status": {"status": "Failed"},
    "a rare event": {"search": "meter."},
    "a rare event with a status": {"search": "meter.", "status": "Pending"},
    "an event that never was": {"search": "wallet."},
    "a license": {"search": "Render farm"},
}
FEW, CAPPED = 60, 260
"""Pages of the disk. A count stops at 10,000 deliveries, of which so many pages are full."""


@pytest.fixture
async def webhooks(
    owner: Owner, platform: Platform, world: World
) -> AsyncIterator[tuple[Any, Any]]:
    """A webhook with very many deliveries and one with few; two of each are not like the others."""
    made = [await make_webhook(owner, f"https://203.0.113.9/{name}") for name in ("busy", "quiet")]
    await record(platform, owner, "meter.granted")
    await deliver(platform)
    async with unhurried(platform) as db:
        for webhook, many in zip(made, (BUSY, QUIET), strict=True):
            await db.execute(text(_FILL), {"webhook": webhook["id"], "many": many})
    await world.issue(licenseName="Render farm")
    await deliver(platform)
    await vacuum(platform, "webhook_deliveries")
    yield made[0], made[1]
    async with unhurried(platform) as db:
        for webhook in made:
            await db.execute(
                text("DELETE FROM webhook_deliveries WHERE webhook_id = :webhook"),
                {"webhook": webhook["id"]},
            )


async def pages(owner: Owner, platform: Platform, webhook: Any, query: dict[str, str]) -> int:
    with taken_down("webhook_deliveries") as taken:
        await deliveries(owner, webhook, **query, pageSize="25", sort="-createdAt")
    assert taken
    return max([(await explain(platform, question)).pages for question in taken])


@pytest.mark.undivided  # the pages are those of whole indexes
async def test_a_list_of_deliveries_reads_few_pages_among_very_many(
    owner: Owner, platform: Platform, webhooks: tuple[Any, Any]
) -> None:
    busy, quiet = webhooks
    assert len(await deliveries(owner, busy, search="Render farm")) == 1
    of_quiet = {
        why: await pages(owner, platform, quiet, query) for why, query in (COMMON | RARE).items()
    }
    assert {why: read for why, read in of_quiet.items() if read > FEW} == {}
    of_busy = {
        why: await pages(owner, platform, busy, query) for why, query in (COMMON | RARE).items()
    }
    assert {why: read for why, read in of_busy.items() if why in COMMON and read > CAPPED} == {}
    assert {why: read for why, read in of_busy.items() if why in RARE and read > FEW} == {}
