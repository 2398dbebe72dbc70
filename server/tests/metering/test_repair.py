"""A lost wallet is found, and made anew from its ledger, exactly and once."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from interleaving import lock_nothing, meet_after
from metering.factories import new_key, refused
from metering.ledger_checks import assert_ledger_matches, rows_of
from sqlalchemy import text
from testkit import Owner
from world import Vendor, World

from licet_server.cli.metering import _repair
from licet_server.events.rules.model import INSTANCE
from licet_server.events.tables import events
from licet_server.identity.rules.memberships import Role
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.metering.service import reconciling
from licet_server.metering.service.reconciling import reconcile_all
from licet_server.metering.service.usage import roll_up
from licet_server.metering.tables import (
    meter_feature_days,
    meter_license_days,
    meter_license_months,
    meter_product_days,
    meter_wallets,
)

TOTALS = (meter_license_days, meter_feature_days, meter_license_months, meter_product_days)
PATH = "/api/meter/reconcile"


async def lose(platform: Platform, made: dict[str, Any]) -> None:
    async with platform.database.transaction() as db:
        await db.execute(
            text("DELETE FROM meter_wallets WHERE license_id = :id"), {"id": made["id"]}
        )


async def busy(vendor: Vendor, model: str = "MeteredToken") -> dict[str, Any]:
    made = await vendor.issue(model, initialMeterBalance=20)
    await vendor.consumed(made, quantity=2)
    await vendor.grant(made, 7)
    await vendor.consumed(made, "EXPORT")
    await vendor.adjust(made, -1)
    return made


async def usage(vendor: Vendor) -> dict[str, Any]:
    found = await vendor.owner.ok("GET", "/api/statistics/meter-usage")
    return {name: found[name] for name in ("consumption", "grants", "topFeatures", "totalBalance")}


async def totals(platform: Platform, vendor: Vendor) -> list[list[dict[str, Any]]]:
    owner = vendor.owner.institution_id
    return [await rows_of(platform, table, institution_id=owner) for table in TOTALS]


@pytest.mark.specification("mission-bug-lost-wallet")
@pytest.mark.parametrize("model", ["MeteredToken", "MeteredCount"])
async def test_a_lost_wallet_is_found_and_rebuilt(world: World, model: str) -> None:
    await world.priced()
    made, other = [await busy(world, model) for _ in range(2)]
    before = await rows_of(world.platform, meter_wallets, license_id=made["id"])
    balance = await world.balance(made)
    await lose(world.platform, made)
    answer = await world.consume(made, idempotencyKey=new_key())
    assert refused(answer) == (400, "WalletNotFound")
    assert "reconcile --repair" in answer.json()["detail"]
    mismatch = {
        "licenseId": made["id"],
        "problems": ["WalletMissing"],
        "balance": None,
        "ledgerBalance": balance,
        "firstBadSequence": None,
        "detail": (
            "The license has lost its wallet, and charges are refused. An Owner can rebuild it "
            "from its ledger with `repair`."
        ),
    }
    for body, checked in (({}, 2), ({"licenseId": made["id"]}, 1)):
        found = await world.owner.ok("POST", PATH, body)
        assert (found["checked"], found["mismatches"]) == (checked, [mismatch])
    everywhere = await reconcile_all(world.platform.database, None, lambda *_: None)
    assert made["id"] in {str(item.license_id) for item in everywhere.mismatches}
    repaired = await world.owner.ok("POST", PATH, {"licenseId": made["id"], "repair": True})
    assert (repaired["checked"], repaired["mismatches"], repaired["repaired"]) == (1, [], True)
    assert await rows_of(world.platform, meter_wallets, license_id=made["id"]) == before
    await world.consumed(made)
    await assert_ledger_matches(world.platform, made)
    again = await world.owner.ok("POST", PATH, {"licenseId": made["id"], "repair": True})
    assert again == {"checked": 1, "mismatches": []}
    told = await rows_of(
        world.platform, events, subject_id=made["id"], kind="meter.wallet_restored"
    )
    [event] = told
    assert event["changes"] == {"balance": [None, balance]}
    assert (event["actor_kind"], str(event["actor_id"])) == ("User", world.owner.user_id)
    assert await world.balance(other) == balance


@pytest.mark.parametrize("counted", [0, 1, 2])
async def test_the_figures_are_those_of_a_wallet_that_was_never_lost(
    world: World, counted: int
) -> None:
    """Whether none, some or all of the ledger was in the daily totals when the wallet was lost."""
    made = await world.issue("MeteredCount")
    other = await busy(world, "MeteredCount")
    await world.consumed(made, "scan", quantity=3)
    await world.adjust(made, 5)
    if counted:
        await roll_up(world.platform)
    await world.adjust(made, -5)
    world.clock.advance(minutes=13)
    await world.consumed(made, "print", quantity=4)
    await world.grant(made, 2)
    if counted == 2:
        await roll_up(world.platform)
    expected = await usage(world)
    await lose(world.platform, made)
    await world.owner.ok("POST", PATH, {"licenseId": made["id"], "repair": True})
    assert await usage(world) == expected
    await world.consumed(made, "print")
    await roll_up(world.platform)
    after_repair = await totals(world.platform, world)
    assert (await usage(world))["consumption"] == expected["consumption"] + 1
    async with world.platform.database.transaction() as db:  # count everything anew
        given = {"id": world.owner.institution_id}
        for table in TOTALS:
            await db.execute(text(f"DELETE FROM {table.name} WHERE institution_id = :id"), given)
        await db.execute(
            text("UPDATE meter_counts SET counted = 0 WHERE institution_id = :id"), given
        )
    await roll_up(world.platform)
    assert await totals(world.platform, world) == after_repair
    assert await world.balance(other) == 23


async def test_only_an_owner_repairs(world: World, stranger: Owner) -> None:
    made = await busy(world, "MeteredCount")
    await lose(world.platform, made)
    body = {"licenseId": made["id"], "repair": True}
    await world.join(stranger, Role.ADMIN)
    assert refused(await stranger.send("POST", PATH, body)) == (403, "Forbidden")
    found = await stranger.ok("POST", PATH, {"licenseId": made["id"]})
    assert [item["problems"] for item in found["mismatches"]] == [["WalletMissing"]]
    assert refused(await world.owner.send("POST", PATH, {"repair": True})) == (
        400,
        "InvalidRequest",
    )
    plain = await world.issue("Perpetual")
    answer = await world.owner.send("POST", PATH, {"licenseId": plain["id"], "repair": True})
    assert refused(answer) == (400, "NotMeteredLicense")
    await world.owner.ok("POST", PATH, body)


async def test_the_console_repairs_what_can_be_repaired(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    good, empty = [await busy(world, "MeteredCount") for _ in range(2)]
    for made in (good, empty):
        await lose(world.platform, made)
    async with world.platform.database.transaction() as db:
        await db.execute(
            text("DELETE FROM meter_entries WHERE license_id = :id"), {"id": empty["id"]}
        )
    found = await world.owner.ok("POST", PATH)
    assert len(found["mismatches"]) == 2
    everything = await reconcile_all(world.platform.database, None, lambda *_: None)
    mine = [
        item for item in everything.mismatches if str(item.license_id) in (good["id"], empty["id"])
    ]
    left = await _repair(world.platform, replace(everything, mismatches=mine))
    assert [str(item.license_id) for item in left.mismatches] == [empty["id"]]
    said = capsys.readouterr().err
    assert f"Repaired the wallet of {good['id']}" in said
    assert f"{empty['id']}: The ledger of the license is empty" in said
    assert await world.balance(good) == 23
    restored = await rows_of(
        world.platform, events, subject_id=good["id"], kind="meter.wallet_restored"
    )
    # One for the institution, and a copy for the instance, since the console did it.
    assert {event["institution_id"] for event in restored} == {
        UUID(world.owner.institution_id),
        INSTANCE,
    }
    assert {event["actor_kind"] for event in restored} == {"Console"}


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM meter_entries WHERE license_id = :id",
        "DELETE FROM meter_entries WHERE license_id = :id AND sequence = 2",
        "UPDATE meter_entries SET balance_after = 1 WHERE license_id = :id AND sequence = 3",
        "UPDATE meter_entries SET quantity = 9 WHERE license_id = :id AND sequence = 2",
    ],
)
async def test_a_damaged_ledger_makes_no_wallet(world: World, damage: str) -> None:
    made = await busy(world, "MeteredCount")
    await lose(world.platform, made)
    async with world.platform.database.transaction() as db:
        await db.execute(text(damage), {"id": made["id"]})
    answer = await world.owner.send("POST", PATH, {"licenseId": made["id"], "repair": True})
    assert refused(answer) == (409, "Conflict")
    assert await rows_of(world.platform, meter_wallets, license_id=made["id"]) == []


async def test_a_revoked_license_gets_its_wallet_back_and_stays_revoked(world: World) -> None:
    made = await busy(world, "MeteredCount")
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
    await lose(world.platform, made)
    await world.owner.ok("POST", PATH, {"licenseId": made["id"], "repair": True})
    assert await world.balance(made) == 23
    answer = await world.consume(made, idempotencyKey=new_key())
    assert refused(answer) == (400, "LicenseInvalid")


async def test_repairs_and_charges_at_once_agree(world: World) -> None:
    """Each charge is refused, or is in the ledger once and in the balance; one repair counts."""
    for _ in range(4):
        made = await busy(world, "MeteredCount")
        await lose(world.platform, made)
        body = {"licenseId": made["id"], "repair": True}
        charges = [world.consume(made, idempotencyKey=new_key()) for _ in range(12)]
        repairs = [world.owner.send("POST", PATH, body) for _ in range(3)]
        answers = await asyncio.gather(*charges[:6], *repairs, *charges[6:])
        assert sum("repaired" in answer.json() for answer in answers) == 1
        charged = sum("ledgerEntryId" in answer.json() for answer in answers)
        assert await assert_ledger_matches(world.platform, made) == 23 - charged
        told = await rows_of(
            world.platform, events, subject_id=made["id"], kind="meter.wallet_restored"
        )
        assert len(told) == 1


async def test_without_the_lock_of_the_license_two_repairs_collide(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control."""
    made = await busy(world, "MeteredCount")
    await lose(world.platform, made)
    monkeypatch.setattr(reconciling.reading, "lock_terms", lock_nothing)
    meet_after(monkeypatch, reconciling.storage, "fetch_lost", asyncio.Barrier(2))
    [wallet_of] = await rows_of(
        world.platform, events, subject_id=made["id"], kind="license.created"
    )

    async def restore() -> bool:
        async with world.platform.unit_of_work(Origin()) as work:
            return await reconciling.restore_wallet(
                work, (wallet_of["institution_id"], wallet_of["subject_id"])
            )

    results = await asyncio.gather(restore(), restore(), return_exceptions=True)
    assert sum(result is True for result in results) == 1
    assert sum(isinstance(result, Exception) for result in results) == 1


# --- slices ----------------------------------------------------------------------------------


async def walk(owner: Owner, limit: int) -> tuple[int, list[str], list[int]]:
    """Checked, mismatches and the sizes of the slices."""
    checked, found, sizes = 0, [], []
    after = None
    while True:
        body = {"institutionId": owner.institution_id, "limit": limit, "after": after}
        part = await owner.ok("POST", PATH, body)
        checked += part["checked"]
        sizes.append(part["checked"])
        found += [item["licenseId"] for item in part["mismatches"]]
        after = part.get("nextAfter")
        if after is None:
            return checked, found, sizes


async def test_slices_cover_every_wallet_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [await world.issue("MeteredCount") for _ in range(7)]
    assert await walk(world.owner, 3) == (7, [], [3, 3, 1])
    assert await walk(world.owner, 7) == (7, [], [7, 0])
    for index in (0, 3, 6):
        await lose(world.platform, made[index])
    lost = [made[index]["id"] for index in (0, 3, 6)]
    for limit in (1, 2, 3, 4, 500):
        checked, found, _ = await walk(world.owner, limit)
        assert (checked, found) == (7, lost)
    part = await world.owner.ok("POST", PATH, {"institutionId": world.owner.institution_id})
    assert part["total"] == 4
    assert "nextAfter" not in part
    await world.consumed(made[1])
    monkeypatch.setattr("licet_server.metering.service.reconciling.ENTRIES_PER_SLICE", 2)
    assert await walk(world.owner, 500) == (7, lost, [2, 3, 2])


async def test_bad_slices_are_refused(owner: Owner) -> None:
    body: dict[str, Any] = {"institutionId": owner.institution_id}
    for fields in (
        {"limit": 5},
        {"after": owner.institution_id},
        {**body, "limit": 0},
        {**body, "limit": 501},
        {**body, "after": "x"},
        {**body, "licenseId": owner.institution_id},
        {**body, "repair": True},
        {"licenseId": owner.institution_id, "repair": "yes"},
    ):
        assert refused(await owner.send("POST", PATH, fields)) == (400, "InvalidRequest")
