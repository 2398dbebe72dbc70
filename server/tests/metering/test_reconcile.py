"""Wallets against their ledgers: what agrees, and every way not to."""

from typing import Any

import pytest
from metering.factories import refused
from sqlalchemy import text
from testkit import Owner
from world import Vendor, World

from licet_server.metering.service.reconciling import reconcile_all

PATH = "/api/meter/reconcile"


async def reconcile(owner: Owner, license_: dict[str, Any] | None = None) -> dict[str, Any]:
    body = {"licenseId": license_["id"]} if license_ is not None else {}
    return dict(await owner.ok("POST", PATH, body))


async def busy_license(vendor: Vendor, model: str = "MeteredToken") -> dict[str, Any]:
    """Six entries: a grant with the license, three charges, one refusal, a grant, an adjustment."""
    made = await vendor.issue(model, initialMeterBalance=20)
    for _ in range(3):
        await vendor.consumed(made, quantity=2)
    assert (await vendor.consume(made, quantity=50, idempotencyKey="much")).status_code == 402
    await vendor.grant(made, 7)
    await vendor.adjust(made, -1)
    return made


@pytest.mark.parametrize("stretch", [1, 2, 50_000])
async def test_intact_ledgers_agree(
    world: World, monkeypatch: pytest.MonkeyPatch, stretch: int
) -> None:
    monkeypatch.setattr("licet_server.metering.service.reconciling.ENTRIES_PER_STEP", stretch)
    monkeypatch.setattr("licet_server.metering.service.reconciling.WALLETS_PER_STEP", 2)
    await world.priced()
    made = [await busy_license(world, model) for model in ("MeteredToken", "MeteredCount") * 2]
    await world.issue("Perpetual")
    assert await reconcile(world.owner) == {"checked": 4, "mismatches": []}
    assert await reconcile(world.owner, made[0]) == {"checked": 1, "mismatches": []}
    await world.owner.ok("DELETE", f"/api/licenses/{made[0]['id']}")
    assert await reconcile(world.owner) == {"checked": 4, "mismatches": []}


ENTRY = "UPDATE meter_entries SET {} WHERE license_id = :id AND sequence = 3"
WALLET = "UPDATE meter_wallets SET {} WHERE license_id = :id"
COPY = (
    "INSERT INTO meter_entries (institution_id, license_id, id, sequence, created_at, type, amount,"
    " balance_after) SELECT institution_id, license_id, gen_random_uuid(), {}, created_at,"
    " 'AdminGrant', 1, balance_after + 1 FROM meter_entries"
    " WHERE license_id = :id AND sequence = {}"
)
TAMPERINGS = {
    "amount": (ENTRY.format("amount = -4"), ["EntryChanged"], 3),
    "balance after": (ENTRY.format("balance_after = 11"), ["EntryChanged"], 3),
    "quantity": (ENTRY.format("quantity = 1"), ["EntryChanged"], 3),
    "price": (ENTRY.format("unit_price = 1"), ["EntryChanged"], 3),
    "no price": (ENTRY.format("unit_price = NULL"), ["EntryChanged"], 3),
    "type": (
        ENTRY.format("type = 'Adjust', feature_name = NULL").replace(
            "sequence = 3", "sequence = 1"
        ),
        ["EntryChanged"],
        1,
    ),
    "number": (ENTRY.format("sequence = 300"), ["EntryMissing", "EntryAdded", "EntryChanged"], 4),
    "deleted": (
        "DELETE FROM meter_entries WHERE license_id = :id AND sequence = 3",
        ["EntryMissing", "EntryChanged"],
        4,
    ),
    "last deleted": (
        "DELETE FROM meter_entries WHERE license_id = :id AND sequence = 6",
        ["EntryMissing", "BalanceDiffers"],
        None,
    ),
    "first deleted": (
        "DELETE FROM meter_entries WHERE license_id = :id AND sequence = 1",
        ["EntryMissing", "EntryChanged"],
        2,
    ),
    "all deleted": (
        "DELETE FROM meter_entries WHERE license_id = :id",
        ["EntryMissing", "BalanceDiffers"],
        None,
    ),
    "one more": (COPY.format(7, 6), ["EntryAdded"], None),
    "balance": (WALLET.format("balance = balance + 1"), ["BalanceDiffers"], None),
    "version down": (WALLET.format("version = 5"), ["EntryAdded", "BalanceDiffers"], None),
    "version up": (WALLET.format("version = 7"), ["EntryMissing", "BalanceDiffers"], None),
    "version nil": (WALLET.format("version = 0"), ["EntryAdded", "BalanceDiffers"], None),
}


@pytest.mark.specification("meter.reconcile")
@pytest.mark.parametrize("name", TAMPERINGS)
async def test_tampering_is_found(world: World, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    await world.priced()
    good, bad = await busy_license(world), await busy_license(world)
    statement, problems, place = TAMPERINGS[name]
    async with world.platform.database.transaction() as db:
        await db.execute(text(statement), {"id": bad["id"]})
    found = await reconcile(world.owner)
    assert found["checked"] == 2
    [mismatch] = found["mismatches"]
    assert mismatch["licenseId"] == bad["id"]
    assert set(mismatch["problems"]) == set(problems)
    assert mismatch["firstBadSequence"] == place
    assert "Compare the ledger with what was sold" in mismatch["detail"]
    for stretch in (1, 2, 5):
        monkeypatch.setattr("licet_server.metering.service.reconciling.ENTRIES_PER_STEP", stretch)
        assert (await reconcile(world.owner, bad))["mismatches"] == [mismatch]
    assert (await reconcile(world.owner, good))["mismatches"] == []
    heard: list[tuple[int, int]] = []
    from_outside = await reconcile_all(
        world.platform.database, None, lambda done, total: heard.append((done, total))
    )
    assert bad["id"] in {str(item.license_id) for item in from_outside.mismatches}
    async with world.platform.database.transaction() as db:  # other tests share the database
        for table in ("meter_entries", "meter_counts", "meter_wallets"):
            await db.execute(
                text(f"DELETE FROM {table} WHERE license_id = :id"),
                {"id": bad["id"]},
            )
    assert heard == sorted(heard)


async def test_only_own_wallets_are_reconciled(world: World, stranger: Owner) -> None:
    await busy_license(world, "MeteredCount")
    assert await reconcile(stranger) == {"checked": 0, "mismatches": []}
    plain = await world.issue("Perpetual")
    answer = await world.owner.send("POST", PATH, {"licenseId": plain["id"]})
    assert refused(answer) == (400, "NotMeteredLicense")
    assert (await world.owner.send("POST", PATH)).json()["checked"] == 1


async def test_too_many_entries_for_one_request_are_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await busy_license(world, "MeteredCount")
    monkeypatch.setattr("licet_server.metering.service.reconciling.ENTRIES_PER_REQUEST", 5)
    answer = await world.owner.send("POST", PATH, {})
    assert refused(answer) == (409, "Conflict")
    assert "licet-server reconcile" in answer.json()["detail"]
