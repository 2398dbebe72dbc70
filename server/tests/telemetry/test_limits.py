"""The limit of a product's day, raced with real commits."""

import asyncio
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text
from telemetry.factories import TelemetryShop, event, open_telemetry_shop
from testkit import FakeClock, Owner

from licet_server.catalog.rules import ProductCaller, ProductSettings
from licet_server.kit.coalesce import Batching
from licet_server.kit.errors import Refused
from licet_server.kit.events import Origin
from licet_server.kit.web.problems import STATUS
from licet_server.kit.work import Platform
from licet_server.licenses.service.lookup import LicenseLookup
from licet_server.telemetry.rules.intake import EVENTS_A_DAY
from licet_server.telemetry.rules.model import Happening
from licet_server.telemetry.service import Delivery, Telemetry


@pytest.fixture
async def shop(owner: Owner) -> TelemetryShop:
    return await open_telemetry_shop(owner)


async def fill_the_day(platform: Platform, shop: TelemetryShop, room: int) -> None:
    """As if the product had sent all but `room` events of today."""
    await shop.sent(event())
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE telemetry_tallies SET events = :sent WHERE product_id = :one"),
            {"sent": EVENTS_A_DAY - room, "one": shop.product["id"]},
        )


async def stored(platform: Platform, shop: TelemetryShop) -> int:
    async with platform.database.reading() as db:
        rows = await db.execute(
            text("SELECT count(*) FROM telemetry_events WHERE product_id = :one"),
            {"one": shop.product["id"]},
        )
        return int(rows.scalar_one())


async def test_beyond_the_limit_all_of_a_request_is_refused(
    shop: TelemetryShop, platform: Platform, clock: FakeClock
) -> None:
    await fill_the_day(platform, shop, room=3)
    assert await shop.sent(event(), event()) == 2
    answer = await shop.send(event(), event())
    assert (answer.status_code, answer.json()["errorCode"]) == (429, "RateLimited")
    assert answer.headers["retry-after"] == str(12 * 3600)
    assert await stored(platform, shop) == 3
    assert (await shop.figures())["events"] == 3
    clock.advance(hours=12)
    assert await shop.sent(event(at=clock.now)) == 1


async def test_the_limit_is_of_one_product(shop: TelemetryShop, platform: Platform) -> None:
    other = await open_telemetry_shop(shop.owner, name="Borealis")
    await fill_the_day(platform, shop, room=0)
    full, fine = await asyncio.gather(shop.send(event()), other.send(event()))
    assert (full.status_code, fine.status_code) == (429, 202)


async def test_the_limit_holds_in_a_race(shop: TelemetryShop, platform: Platform) -> None:
    """Several intakes, as several processes have them, on one tally."""
    room, senders = 10, 40
    await fill_the_day(platform, shop, room)
    answers = await race(platform, shop, senders)
    assert Counter(answers) == {202: room, 429: senders - room}
    assert await stored(platform, shop) == room + 1


async def test_without_the_tally_the_race_goes_beyond_the_limit(
    shop: TelemetryShop, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control: a count that is read before, and not taken, lets too many in."""

    async def look(db: Any, day: Any, sent: Any) -> Any:
        rows = await db.execute(
            text("SELECT events FROM telemetry_tallies WHERE product_id = :one AND day = :day"),
            {"one": shop.product["id"], "day": day},
        )
        there = rows.scalar_one()
        return {product: there + count for product, count in sent.items()}

    room, senders = 10, 40
    await fill_the_day(platform, shop, room)
    monkeypatch.setattr("licet_server.telemetry.storage.events.add_to_tallies", look)
    answers = await race(platform, shop, senders)
    assert Counter(answers)[202] > room


async def race(platform: Platform, shop: TelemetryShop, senders: int) -> list[int]:
    batching = Batching(max_batch=4)
    intakes = [Telemetry(platform, LicenseLookup(platform, batching), batching) for _ in range(4)]
    caller = ProductCaller(
        UUID(shop.owner.institution_id), UUID(shop.product["id"]), UUID(int=1), ProductSettings()
    )
    delivery = Delivery(None, None, [Happening("race", platform.clock(), {})])

    async def send(intake: Telemetry) -> int:
        try:
            await intake.take(caller, delivery, Origin())
        except Refused as refused:
            return STATUS[refused.code]
        return 202

    answers = await asyncio.gather(*(send(intakes[n % 4]) for n in range(senders)))
    for intake in intakes:
        await intake.aclose()
    return answers
