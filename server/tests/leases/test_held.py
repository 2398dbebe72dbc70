"""What reservations hold, as reconciliation, repairs, usage, archives and test clocks see it."""

from decimal import Decimal
from typing import Any

import pytest
from archives.history import archive, years_later
from devices.proving import KeyOfDevice
from leases.reserver import TOKENS, Reserver, assert_c1, held_of
from licenses.clocks import Clocked
from metering.ledger_checks import rows_of
from metering.test_repair import lose, totals
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import World

from licet_server.kit.platform import Platform
from licet_server.leases.service.ending import end_over_leases
from licet_server.metering.service.archiving import LEDGER, reconcile_archives
from licet_server.metering.service.usage import roll_up
from licet_server.metering.tables import meter_openings, meter_wallets

PATH = "/api/meter/reconcile"


async def mismatches(world: World) -> list[dict[str, Any]]:
    return list((await world.owner.ok("POST", PATH))["mismatches"])


async def change(platform: Platform, statement: str, license_: dict[str, Any]) -> None:
    async with platform.database.transaction() as db:
        assert (await db.execute(text(statement), {"id": license_["id"]})).rowcount == 1


async def test_what_is_held_is_what_the_ledger_set_aside(world: World) -> None:
    license_ = await world.issue("MeteredCount", **TOKENS)
    device = Reserver.of(world)
    journal = await device.reserved(license_, 100)
    assert await mismatches(world) == []
    await change(
        world.platform, "UPDATE meter_wallets SET held = held - 1 WHERE license_id = :id", license_
    )
    [found] = await mismatches(world)
    assert found["problems"] == ["HeldDiffers"]
    assert "reserved" in found["detail"]
    await lose(world.platform, license_)
    world.clock.advance(days=40)
    await end_over_leases(world.platform)
    await world.owner.sign_in()
    [lease] = await device.leases(license_)
    assert (lease["state"], lease["endedAt"]) == ("Ended", "2030-02-21T12:00:00Z")
    assert lease["held"] == 0, "over, though no wallet could tell"
    body = {"licenseId": license_["id"], "repair": True}
    assert (await world.owner.ok("POST", PATH, body))["repaired"]
    assert await held_of(world, license_) == 100
    await end_over_leases(world.platform)
    assert await held_of(world, license_) == 0
    assert (await device.handed_in(journal))["balance"] == 900
    assert await mismatches(world) == []


async def test_holds_are_no_use_and_what_is_charged_at_the_end_is(world: World) -> None:
    await world.priced()
    license_ = await world.issue("MeteredToken", **TOKENS)
    device = Reserver.of(world)

    async def consumption() -> Any:
        found = await world.owner.ok("GET", "/api/statistics/meter-usage")
        return found["consumption"], found["grants"]

    journal = await device.reserved(license_, 100)
    assert await consumption() == (0, 1000)
    journal.spend(quantity=2)
    await device.reported(journal)
    assert await consumption() == (5, 1000)
    world.clock.advance(days=37)
    await end_over_leases(world.platform)
    await world.owner.sign_in()
    query = {"from": "2030-01-01T00:00:00Z", "to": "2030-03-01T00:00:00Z"}
    for _ in range(2):
        found = await world.owner.ok("GET", "/api/statistics/meter-usage", params=query)
        assert (found["consumption"], found["grants"]) == (100, 1000)
        assert [item["consumed"] for item in found["topFeatures"]] == [5], "of no feature"
        await roll_up(world.platform)
    before = await totals(world.platform, world)
    await lose(world.platform, license_)
    body = {"licenseId": license_["id"], "repair": True}
    assert (await world.owner.ok("POST", PATH, body))["repaired"]
    assert await totals(world.platform, world) == before


async def test_a_hold_outlives_the_archiving_of_its_entry(world: World) -> None:
    license_ = await world.issue("MeteredCount", **{**TOKENS, "maxBorrowDays": 366})
    device = Reserver.of(world)
    journal = await device.reserved(license_, 100, days=366)
    journal.spend(quantity=3, price="1")
    await device.reported(journal)
    await years_later(world.platform, world.clock, days=401)
    await world.owner.sign_in()
    await world.consumed(license_, "x")
    await years_later(world.platform, world.clock, days=1)
    await world.owner.sign_in()
    assert await archive(world.platform, [LEDGER], rows=1) >= 4
    [opening] = await rows_of(world.platform, meter_openings, license_id=license_["id"])
    assert (opening["held"], opening["consumed"]) == (97, 3)
    assert await mismatches(world) == []
    assert license_["id"] not in {
        str(item.license_id) for item in await reconcile_archives(world.platform)
    }
    await end_over_leases(world.platform)
    [wallet] = await rows_of(world.platform, meter_wallets, license_id=license_["id"])
    assert (wallet["held"], wallet["balance"]) == (0, Decimal(899))
    assert await mismatches(world) == []
    await lose(world.platform, license_)
    body = {"licenseId": license_["id"], "repair": True}
    assert (await world.owner.ok("POST", PATH, body))["repaired"]
    await change(
        world.platform, "UPDATE meter_openings SET held = 96 WHERE license_id = :id", license_
    )
    assert [item["problems"] for item in await mismatches(world)] == [["HeldDiffers"]]
    assert license_["id"] in {
        str(item.license_id) for item in await reconcile_archives(world.platform)
    }


@pytest.mark.parametrize("steps", [[40], [7, 29, 1, 3]])
async def test_reservations_end_by_the_test_clock_of_their_product(
    owner: Owner, platform: Platform, clock: FakeClock, steps: list[int]
) -> None:
    clocked = await Clocked.of(owner, platform, clock)
    license_ = await clocked.issue("MeteredCount", **TOKENS)
    device = Reserver(clocked.owner, clocked.product, clocked.key, clock, KeyOfDevice())
    journal = await device.reserved(license_, 100)
    for days in steps:
        await clocked.advance(days=days)
    ended = [at for at, kind in await clocked.told() if kind == "lease.ended"]
    assert ended == ["2030-02-21T12:00:00Z"]
    assert await clocked.balance(license_) == 900
    await assert_c1(platform, license_)
    [lease] = await device.leases(license_)
    assert (lease["state"], lease["endedAt"]) == ("Ended", "2030-02-21T12:00:00Z")
    assert (await device.reported(journal))["state"] == "Ended"
