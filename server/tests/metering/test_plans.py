"""A long ledger: what is asked of it reaches its rows by an index.

The statements are those that the service sends.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from plans import explain, taken_down
from sqlalchemy import text
from volumes import is_long
from world import World

from licet_server.kit.platform import Platform
from licet_server.metering.service.usage import roll_up

LENGTH = 200_000 if is_long() else 60_000

_FILL = f"""
INSERT INTO meter_entries (institution_id, license_id, id, sequence, created_at, type, amount,
    balance_after, feature_name, quantity, idempotency_key)
SELECT institution_id, license_id, uuidv7(), 1 + n, now(), 'Consume', -1, {LENGTH} - n, 'export', 1,
    'filled-' || n
FROM meter_wallets, generate_series(1, {LENGTH}) AS n WHERE license_id = :license
"""
_FILL_OTHERS = """
INSERT INTO meter_entries (institution_id, license_id, id, sequence, created_at, type, amount,
    balance_after, feature_name, quantity, idempotency_key)
SELECT institution_id, uuidv7(), uuidv7(), 1, now(), 'Consume', -1, 1, 'export', 1,
    'one-of-a-wallet-' || n
FROM meter_wallets, generate_series(1, 1000) AS n WHERE license_id = :license
"""
_COUNT_THEM = f"""
UPDATE meter_wallets SET version = 1 + {LENGTH}, balance = 100 WHERE license_id = :license
"""


async def run(platform: Platform, made: dict[str, Any], *statements: str) -> None:
    async with platform.database.transaction() as db:
        for statement in statements:
            await db.execute(text(statement), {"license": made["id"]})


@pytest.fixture
async def wallet(world: World) -> AsyncIterator[dict[str, Any]]:
    made = await world.issue("MeteredCount", initialMeterBalance=LENGTH)
    yield made
    await run(world.platform, made, "DELETE FROM meter_entries", "DELETE FROM meter_wallets")


@pytest.fixture
async def long(wallet: dict[str, Any], platform: Platform) -> dict[str, Any]:
    await run(platform, wallet, _FILL, _COUNT_THEM)
    return wallet


BY_NUMBER, BY_KEY, BY_ID = (
    "meter_entries_sequence_key",
    "meter_entries_idempotency_key",
    "meter_entries_pkey",
)
Question = tuple[dict[str, Any], str, int]
STEPS: list[Question] = [
    ({"after": "", "pageSize": 100}, BY_ID, 60),
    ({"after": "last", "pageSize": 100}, BY_ID, 60),
]
PAGES: list[Question] = [
    ({}, BY_NUMBER, 40),
    ({"sort": "sequence", "pageSize": 100}, BY_NUMBER, 60),
    ({"page": 100, "pageSize": 100}, BY_NUMBER, 1500),
    ({"page": 100, "pageSize": 100, "sort": "createdAt"}, BY_NUMBER, 1500),
]
"""Parts of the ledger, the index that leads to them, and how many pages of the disk they touch."""


async def test_a_long_ledger_is_reached_by_its_indexes(world: World, long: dict[str, Any]) -> None:
    path = f"/api/licenses/{long['id']}/ledger"
    [late] = await world.ledger(long, sort="-sequence", page=1, pageSize=1)
    await run(world.platform, long, "ANALYZE meter_entries")
    with taken_down("meter_entries") as taken:
        for key in ("filled-1", f"filled-{LENGTH}", "new"):
            answer = await world.consume(long, idempotencyKey=key)
            assert answer.json()["replayed"] is key.startswith("filled")
    assert len(taken) == 3
    with taken_down("meter_entries") as many:
        keys = [f"filled-{n}" for n in range(1, LENGTH, LENGTH // 60)]
        await asyncio.gather(*(world.consume(long, idempotencyKey=key) for key in keys))
    for question in taken + many:
        explained = await explain(world.platform, question)
        assert explained.scanned == {BY_KEY}
        assert explained.pages <= 10 * (1 if question in taken else len(keys))
    for query, index, most in STEPS + PAGES:
        asked = {**query, "after": late["id"]} if query.get("after") == "last" else query
        with taken_down("meter_entries") as taken:
            assert (await world.owner.ok("GET", path, params=asked))["items"]
        assert taken
        for question in taken:
            explained = await explain(world.platform, question)
            assert explained.scanned == {index}, (query, explained)
            assert explained.pages <= most


async def test_keys_are_found_when_the_table_was_counted_before_a_wallet_became_long(
    world: World, wallet: dict[str, Any]
) -> None:
    """A planner that takes a wallet for one row would read all of it for each key."""
    await run(world.platform, wallet, "TRUNCATE meter_entries", _FILL_OTHERS)
    await run(world.platform, wallet, "ANALYZE meter_entries", _FILL, _COUNT_THEM)
    with taken_down("meter_entries") as taken:
        for key in ("filled-1", f"filled-{LENGTH}", "new"):
            assert (await world.consume(wallet, idempotencyKey=key)).status_code == 200
    assert len(taken) == 3
    for question in taken:
        explained = await explain(world.platform, question)
        assert explained.scanned == {BY_KEY}
        assert explained.pages <= 10


async def test_statistics_read_no_more_of_a_ledger_than_the_sums_lack(
    world: World, long: dict[str, Any]
) -> None:
    """Control: without the sums, the very same statements read all of it."""
    pages: list[int] = []
    for counted in (0, 1 + LENGTH):
        async with world.platform.database.transaction() as db:
            await db.execute(
                text("UPDATE meter_counts SET counted = :counted WHERE license_id = :license"),
                {"counted": counted, "license": long["id"]},
            )
            await db.execute(text("ANALYZE meter_entries"))
        with taken_down("meter_entries") as taken:
            await world.owner.ok("GET", "/api/statistics/meter-usage")
        assert len(taken) == 3
        pages.append(max([(await explain(world.platform, question)).pages for question in taken]))
    all_of_it, none_of_it = pages
    assert all_of_it > LENGTH // 66
    assert none_of_it < 500


async def test_wallets_that_were_not_charged_cost_the_roll_up_little(
    world: World, wallet: dict[str, Any]
) -> None:
    """Charges of a few wallets among many are found in less than a page for each wallet."""
    many = 20_000
    await run(
        world.platform,
        wallet,
        "INSERT INTO meter_wallets (institution_id, license_id, product_id, mode, balance, version)"
        " SELECT institution_id, gen_random_uuid(), product_id, mode, 1, 1"
        f" FROM meter_wallets, generate_series(1, {many}) WHERE license_id = :license",
        "INSERT INTO meter_counts SELECT institution_id, license_id, 1 FROM meter_wallets"
        " ON CONFLICT DO NOTHING",
        "ANALYZE meter_wallets",
        "ANALYZE meter_counts",
    )
    await roll_up(world.platform)
    await world.consume(wallet)
    with taken_down("meter_counts") as taken:
        assert await roll_up(world.platform) == 1
    pages = 0
    async with world.platform.database.transaction() as db:
        back = "UPDATE meter_counts SET counted = counted - 1 WHERE license_id = :license"
        await db.execute(text(back), {"license": wallet["id"]})
    for question in taken:
        pages += (await explain(world.platform, question)).pages
    assert pages < many / 10
