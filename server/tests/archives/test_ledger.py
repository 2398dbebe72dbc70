"""A ledger whose oldest entries are in archives is the same ledger."""

import asyncio
import gzip
import hashlib
import json
from typing import Any
from uuid import UUID

import pytest
from archives.history import archive, archives_of, change, in_archives, years_later
from metering.factories import new_key
from metering.ledger_checks import rows_of
from testkit import FakeClock, Owner
from world import World

from licet_server.archives.rules import ArchiveKind
from licet_server.kit.platform import Platform
from licet_server.metering.rules.reconciling import LedgerProblem
from licet_server.metering.service.archiving import LEDGER, reconcile_archives
from licet_server.metering.service.usage import roll_up
from licet_server.metering.storage import archiving as storage
from licet_server.metering.tables import (
    meter_feature_days,
    meter_license_days,
    meter_license_months,
    meter_openings,
    meter_product_days,
    meter_wallets,
)

Past = dict[str, dict[str, Any]]
TOTALS = (meter_license_days, meter_feature_days, meter_license_months, meter_product_days)
PATH = "/api/meter/reconcile"


async def totals(platform: Platform, owner: Owner) -> list[list[dict[str, Any]]]:
    return [await rows_of(platform, item, institution_id=owner.institution_id) for item in TOTALS]


async def mine(platform: Platform, owner: Owner) -> list[tuple[LedgerProblem, ...]]:
    found = await reconcile_archives(platform)
    return [item.problems for item in found if str(item.institution_id) == owner.institution_id]


@pytest.fixture
async def archived(owner: Owner, past: Past, platform: Platform, clock: FakeClock) -> Past:
    await years_later(platform, clock)
    assert await archive(platform, [LEDGER], rows=3) > 10
    await owner.sign_in()
    return past


async def test_wallet_and_ledger_agree_after_archiving_and_further_charges(
    world: World, archived: Past
) -> None:
    metered = archived["metered"]
    found = await world.owner.ok("POST", PATH)
    assert (found["checked"], found["mismatches"]) == (2, [])
    assert await mine(world.platform, world.owner) == []
    balance = await world.balance(metered)
    await world.consumed(metered, quantity=1)
    assert await world.balance(metered) == balance - 1
    assert (await world.owner.ok("POST", PATH))["mismatches"] == []
    part = await world.owner.ok(
        "POST", PATH, {"institutionId": world.owner.institution_id, "limit": 1}
    )
    assert (part["checked"], part["mismatches"]) == (1, [])


async def test_the_list_shows_what_the_table_has(world: World, archived: Past) -> None:
    metered = archived["metered"]
    await world.consumed(metered)
    path = f"/api/licenses/{metered['id']}/ledger"
    found = await world.owner.ok("GET", path, params={"pageSize": 1})
    [wallet] = await rows_of(world.platform, meter_wallets, license_id=metered["id"])
    [opening] = await rows_of(world.platform, meter_openings, license_id=metered["id"])
    assert found["items"][0]["sequence"] == wallet["version"]
    assert found["totalCount"] == wallet["version"] - opening["sequence"] == 2
    shown = await world.ledger(metered)
    assert [item["sequence"] for item in shown] == [wallet["version"] - 1, wallet["version"]]


async def test_a_key_is_remembered_for_400_days(world: World) -> None:
    metered = await world.issue("MeteredCount", initialMeterBalance=20)
    key = new_key()
    await world.consumed(metered, quantity=3, idempotencyKey=key)
    refused = await world.consume(metered, quantity=90, idempotencyKey="too-much")
    await world.consumed(metered)
    await years_later(world.platform, world.clock, days=400)
    await archive(world.platform, [LEDGER], rows=1)
    assert await archives_of(world.platform, world.owner.institution_id) == []
    assert (await world.consumed(metered, quantity=3, idempotencyKey=key))["replayed"] is True
    again = await world.consume(metered, quantity=90, idempotencyKey="too-much")
    assert (again.status_code, again.json()["balance"]) == (402, refused.json()["balance"])
    world.clock.advance(days=1)
    await archive(world.platform, [LEDGER], rows=1)
    assert (
        len(await in_archives(world.platform, world.owner.institution_id, ArchiveKind.LEDGER)) == 3
    )


async def test_figures_of_archived_days_stay(world: World, past: Past) -> None:
    async def usage(since: str, until: str) -> dict[str, Any]:
        query = {"from": since, "to": until}
        found = await world.owner.ok("GET", "/api/statistics/meter-usage", params=query)
        return {
            name: found[name] for name in ("from", "to", "consumption", "grants", "topFeatures")
        }

    await years_later(world.platform, world.clock)
    await world.owner.sign_in()
    whole = await usage("2030-01-15", "2030-01-17")
    partly = await usage("2030-01-15T13:00:00Z", "2030-01-16T23:00:00Z")
    await archive(world.platform, [LEDGER], rows=3)
    assert await usage("2030-01-15", "2030-01-17") == whole
    assert whole["consumption"] == 18
    # Of archived days, only whole ones can be counted, before and after.
    assert partly["from"] == "2030-01-15T00:00:00Z"
    assert partly["to"] == "2030-01-17T00:00:00Z"
    assert await usage("2030-01-15T13:00:00Z", "2030-01-16T23:00:00Z") == partly


@pytest.mark.parametrize("counted", [False, True])
async def test_a_lost_wallet_is_rebuilt_with_its_archives(
    world: World, archived: Past, counted: bool
) -> None:
    metered = archived["metered"]
    await world.consumed(metered, "print", quantity=2)
    await world.grant(metered, 4)
    await world.adjust(metered, -1)
    if counted:
        await roll_up(world.platform)
    before = await rows_of(world.platform, meter_wallets, license_id=metered["id"])
    await change(
        world.platform, "DELETE FROM meter_wallets WHERE license_id = :id", id=metered["id"]
    )
    body = {"licenseId": metered["id"], "repair": True}
    assert (await world.owner.ok("POST", PATH, body))["repaired"] is True
    assert await rows_of(world.platform, meter_wallets, license_id=metered["id"]) == before
    repaired = await totals(world.platform, world.owner)
    await roll_up(world.platform)
    assert await totals(world.platform, world.owner) == repaired
    [since, until] = ["2030-01-01", "2031-12-31"]
    found = await world.owner.ok(
        "GET", "/api/statistics/meter-usage", params={"from": since, "to": until}
    )
    assert (found["consumption"], found["grants"]) == (18 + 2, 40 + 9 + 4)
    await world.consumed(metered)
    assert (await world.owner.ok("POST", PATH))["mismatches"] == []


async def test_charges_and_archiving_at_once(world: World, past: Past) -> None:
    """Charges do not wait, and a reconciliation meanwhile finds nothing."""
    metered = past["metered"]
    await world.grant(metered, 1000)
    await years_later(world.platform, world.clock)
    await world.owner.sign_in()
    charging = [world.consumed(metered, quantity=1) for _ in range(60)]
    checking = [world.owner.ok("POST", PATH) for _ in range(6)]
    results = await asyncio.gather(
        *charging, *checking, *(archive(world.platform, [LEDGER], rows=2) for _ in range(3))
    )
    assert all(item["mismatches"] == [] for item in results[60:66])
    assert sum(results[66:]) > 0
    assert (await world.owner.ok("POST", PATH))["mismatches"] == []
    assert await mine(world.platform, world.owner) == []


async def test_entries_that_the_totals_lack_stay(world: World, past: Past) -> None:
    """No process counted them for 400 days."""
    world.clock.advance(days=500)
    await archive(world.platform, [LEDGER], rows=1)
    assert await archives_of(world.platform, world.owner.institution_id) == []
    await roll_up(world.platform)
    await archive(world.platform, [LEDGER], rows=1)
    assert await archives_of(world.platform, world.owner.institution_id) != []


async def test_entries_of_one_moment_leave_in_the_order_of_their_numbers(world: World) -> None:
    """Clocks of two machines differ: a later entry has an earlier time."""
    metered = await world.issue("MeteredCount", initialMeterBalance=20)
    world.clock.advance(hours=11, minutes=59, seconds=59)
    await world.consumed(metered)
    world.clock.advance(seconds=2)
    await world.consumed(metered)
    world.clock.advance(seconds=-2)
    await world.consumed(metered)
    await world.consumed(metered)
    await years_later(world.platform, world.clock, days=0)
    world.clock.now = world.clock.now.replace(year=2031, month=2, day=20, hour=12)
    await archive(world.platform, [LEDGER], rows=2)
    rows = await in_archives(world.platform, world.owner.institution_id, ArchiveKind.LEDGER)
    assert [row["sequence"] for row in rows] == [1, 2]
    assert await mine(world.platform, world.owner) == []


DAMAGES: dict[str, tuple[str, LedgerProblem]] = {
    "amount": ("amount", LedgerProblem.ENTRY_CHANGED),
    "balance": ("balance_after", LedgerProblem.ENTRY_CHANGED),
    "gone": ("", LedgerProblem.ENTRY_MISSING),
}


@pytest.mark.parametrize("name", list(DAMAGES))
async def test_a_changed_archive_does_not_reconcile(
    owner: Owner, archived: Past, platform: Platform, name: str
) -> None:
    """Even if somebody changed its hash, too."""
    field, problem = DAMAGES[name]
    items = await archives_of(platform, owner.institution_id)
    last = [item for item in items if item.kind is ArchiveKind.LEDGER][-1]
    folder = platform.settings.data_dir / "files" / "archives" / str(last.institution_id)
    path = folder / f"{last.id}.000000"
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    if field:
        rows[-1][field] += 1
    else:
        rows.pop()
    content = gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())
    path.write_bytes(content)
    await change(
        platform,
        "UPDATE archives SET sha256 = :hash, size = :size WHERE institution_id = :i AND id = :id",
        hash=hashlib.sha256(content).digest(),
        size=len(content),
        i=last.institution_id,
        id=last.id,
    )
    assert any(problem in problems for problems in await mine(platform, owner))


async def test_an_entry_that_is_put_back_does_not_reconcile(
    owner: Owner, archived: Past, platform: Platform
) -> None:
    [row, *_] = await in_archives(platform, owner.institution_id, ArchiveKind.LEDGER)
    await change(
        platform,
        "INSERT INTO meter_entries SELECT * FROM "
        "json_populate_record(NULL::meter_entries, CAST(:line AS json))",
        line=json.dumps(row),
    )
    found = await owner.ok("POST", PATH, {"licenseId": row["license_id"]})
    assert [item["problems"] for item in found["mismatches"]] == [["EntryAdded"]]


async def test_a_changed_opening_does_not_reconcile(
    owner: Owner, archived: Past, platform: Platform
) -> None:
    await change(
        platform,
        "UPDATE meter_openings SET balance = balance + 1 WHERE license_id = :id",
        id=archived["metered"]["id"],
    )
    found = await owner.ok("POST", PATH)
    assert [item["problems"] for item in found["mismatches"]] == [["EntryChanged"]]
    assert await mine(platform, owner) == [(LedgerProblem.BALANCE_DIFFERS,)]


async def test_a_long_ledger_does_not_keep_others_waiting(world: World, past: Past) -> None:
    """A ledger with a gap cannot be archived beyond it; the next one can."""
    first, second = sorted(past[name]["id"] for name in ("metered", "second"))
    await change(
        world.platform,
        "DELETE FROM meter_entries WHERE license_id = :id AND sequence = 1",
        id=first,
    )
    await years_later(world.platform, world.clock)
    await archive(world.platform, [LEDGER], rows=2)
    async with world.platform.database.reading() as db:
        opened = await storage.fetch_openings(db, UUID(world.owner.institution_id))
    assert set(map(str, opened)) == {second}
