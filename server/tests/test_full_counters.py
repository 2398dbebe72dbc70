"""A counter at the most that its column can hold refuses no request with a fault of the server."""

from typing import Any
from uuid import UUID

import pytest
from metering.factories import new_key
from sqlalchemy import text
from world import World

from licet_server.metering.service.reconciling import reconcile_all
from licet_server.metering.service.usage import roll_up

MOST = {"integer": 2**31 - 1, "bigint": 2**63 - 1}
MACHINES = ("machine-1", "machine-2")


async def fill(world: World, *columns: str) -> None:
    """Set these counters to their maximum in all rows of the product's institution."""
    async with world.platform.database.transaction() as db:
        for name in columns:
            table, column = name.split(".")
            of_type = "SELECT data_type FROM information_schema.columns WHERE table_name = :table"
            kind = (
                await db.execute(
                    text(f"{of_type} AND column_name = :column"),
                    {"table": table, "column": column},
                )
            ).scalar_one()
            given = {"most": MOST[kind], "own": world.owner.institution_id}
            statement = f"UPDATE {table} SET {column} = :most WHERE institution_id::text = :own"
            assert (await db.execute(text(statement), given)).rowcount


async def use_devices(world: World, license_: dict[str, Any]) -> list[Any]:
    """Activate, release, block and remove devices."""
    done = [await world.activate(license_, machine) for machine in MACHINES]
    device = (await world.devices(license_))[0]
    done += [await world.operate(device, action) for action in ("block", "unblock")]
    done += [await world.deactivate(license_, machine) for machine in MACHINES]
    for device in await world.devices(license_):
        done.append(await world.owner.send("DELETE", f"/api/activations/{device['id']}"))
    path = f"/api/licenses/{license_['id']}/requests"
    return [*done, await world.owner.send("GET", path)]


@pytest.mark.parametrize(
    "columns",
    [
        ["device_counters.seats_used"],
        ["device_counters.seats_used", "device_counters.seats_waiting"],
        ["device_counters.over_limit"],
        ["device_counters.unreviewed_attempts"],
        ["device_counters.new_rows", "device_counters.uncounted"],
        ["licenses.blocked_devices"],
        ["license_requests.request_count"],
    ],
)
@pytest.mark.parametrize("mode", ["Online", "Offline"])
async def test_devices_come_and_go(world: World, columns: list[str], mode: str) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, activationMode=mode)
    await use_devices(world, license_)
    await world.activate(license_, MACHINES[0])
    await fill(world, *columns)
    faults = [item.text for item in await use_devices(world, license_) if item.status_code >= 500]
    assert faults == []


async def test_denied_machines_are_counted(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    await world.validate(license_, MACHINES[0])
    await world.validate(license_, MACHINES[1])
    await fill(world, "access_attempts.attempt_count", "device_counters.uncounted")
    await world.validate(license_, MACHINES[1])
    [attempt] = await world.attempts(license_)
    assert attempt["attemptCount"] == MOST["bigint"]


async def test_licenses_are_issued_and_deleted(world: World) -> None:
    await world.issue()
    await fill(world, "products.license_count")
    license_ = await world.issue()
    await world.owner.ok("DELETE", f"/api/licenses/{license_['id']}")


async def test_a_ledger_without_numbers_refuses_changes(world: World) -> None:
    await world.priced()
    license_ = await world.issue("MeteredToken", initialMeterBalance=20)
    await fill(world, "meter_wallets.version")
    body = {"licenseId": license_["id"], "amount": 1, "reason": "Gift"}
    refused = [
        await world.consume(license_, idempotencyKey=new_key()),
        await world.owner.send("POST", "/api/meter/grant", body),
        await world.owner.send("POST", "/api/meter/adjust", body),
    ]
    assert [(item.status_code, item.json()["errorCode"]) for item in refused] == [
        (400, "WalletNotFound")
    ] * 3
    # Neither reads numbers that no entry has.
    await roll_up(world.platform)
    found = await reconcile_all(world.platform.database, UUID(license_["id"]), lambda *_: None)
    assert [str(item.license_id) for item in found.mismatches] == [license_["id"]]
    for asked in ({}, {"licenseId": license_["id"]}):
        answer = await world.owner.ok("POST", "/api/meter/reconcile", asked)
        [mismatch] = answer["mismatches"]
        assert mismatch["detail"].startswith("The wallet counts more entries than its ledger has")
    assert await world.balance(license_) == 20
