"""The doctor finds rows that no rule lets in, repairs what is safe, and leaves what is sound."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from applications import ApplicationWith, emptied
from audit.test_evidence import log_of_instance
from sqlalchemy import literal, select, text
from sqlalchemy.dialects.postgresql import JSONB
from testkit import FakeClock, Owner
from world import World

from licet_server.app import Application
from licet_server.doctor import storage
from licet_server.doctor.rules import CHECKS, CheckName, CheckState, Finding, exit_code
from licet_server.doctor.service import examine, repair
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform

MACHINES = [f"6f1c2a9d-4b7e-4c53-9a10-0d5e8b3f7a2{digit}" for digit in range(5)]


@pytest.fixture
async def application(application_with: ApplicationWith, clock: FakeClock) -> Application:
    """The application on a database of its own, since the checks read all tenants."""
    return await emptied(await application_with("doctor"))


async def break_rows(platform: Platform, *statements: str, **given: Any) -> None:
    async with platform.database.transaction() as db:
        for statement in statements:
            used = {name: value for name, value in given.items() if f":{name}" in statement}
            assert (await db.execute(text(statement), used)).rowcount


async def found_by(platform: Platform) -> dict[CheckName, Finding]:
    findings = {item.name: item for item in await examine(platform)}
    assert findings.keys() == CHECKS.keys()
    assert [item for item in findings.values() if item.state is CheckState.UNKNOWN] == []
    # The clock of the tests is years ahead of the database's.
    assert findings.pop(CheckName.CLOCK).count == 1
    return {name: item for name, item in findings.items() if item.state is CheckState.FOUND}


BROKEN: dict[CheckName, str] = {
    CheckName.UNREADABLE_VALUES: "UPDATE licenses SET metadata = '7' WHERE id = :id",
    CheckName.IMPOSSIBLE_DATES: (
        "UPDATE licenses SET expiration_date = '-infinity' WHERE id = :subscription"
    ),
    CheckName.DEVICE_SEATS: "UPDATE device_counters SET seats_used = 5 WHERE license_id = :id",
    CheckName.BLOCKED_DEVICES: "UPDATE licenses SET blocked_devices = 3 WHERE id = :id",
    CheckName.LICENSE_COUNTS: "UPDATE products SET license_count = 99",
    CheckName.WALLETS: "UPDATE meter_wallets SET balance = balance + 1 WHERE license_id = :metered",
    CheckName.ORPHANED_WALLETS: (
        "INSERT INTO meter_wallets (institution_id, license_id, product_id, mode, balance, version)"
        " SELECT institution_id, product_id, product_id, 'Count', 0, 0 FROM licenses LIMIT 1"
    ),
    CheckName.SIGNING_KEYS: "UPDATE rsa_keys SET retired_at = created_at",
    CheckName.FAILING_WEBHOOKS: (
        "UPDATE webhooks SET failing_since = now() - interval '100 years'"
    ),
}


async def furnished(world: World) -> dict[str, Any]:
    """Issue licenses that each check has something to look at, and return their ids."""
    await world.priced()
    device = await world.issue("NodeLocked")
    await world.activate(device, MACHINES[0])
    hook = {"url": "https://hooks.example.com/", "eventTypes": ["license.created"]}
    await world.owner.ok("POST", "/api/webhooks", hook)
    return {
        "id": device["id"],
        "subscription": (await world.issue("Subscription"))["id"],
        "metered": (await world.issue("MeteredToken", initialMeterBalance=20))["id"],
    }


@pytest.mark.parametrize("name", list(BROKEN))
async def test_a_broken_row_is_found_and_repaired(
    world: World, admin: Owner, name: CheckName
) -> None:
    ids = await furnished(world)
    assert await found_by(world.platform) == {}
    await break_rows(world.platform, BROKEN[name], **ids)
    found = await found_by(world.platform)
    assert found.keys() == {name}
    assert found[name].count == len(found[name].examples) == 1
    [finding] = [item for item in await repair(world.platform, CONSOLE) if item.name is name]
    is_repaired = CHECKS[name].repairs and name is not CheckName.WALLETS
    assert finding.repaired == int(is_repaired)
    assert exit_code([finding]) == int(not is_repaired)
    assert (await found_by(world.platform)).keys() == (set() if is_repaired else {name})
    log = await log_of_instance(admin, kind="instance.repaired")
    assert [item["data"]["check"] for item in log] == [name.value] * is_repaired


async def test_a_lost_wallet_is_rebuilt(world: World) -> None:
    ids = await furnished(world)
    await break_rows(world.platform, "DELETE FROM meter_wallets WHERE license_id = :metered", **ids)
    [finding] = [item for item in await repair(world.platform, CONSOLE) if item.repaired]
    assert (finding.name, finding.repaired) == (CheckName.WALLETS, 1)
    assert await found_by(world.platform) == {}


@pytest.mark.parametrize(
    ("column", "stored", "shown"),
    [
        ("metadata", '{"a": {"b": 1}, "c": "d"}', {"a": '{"b":1}', "c": "d"}),
        ("metadata", "[1]", {}),
        ("feature_values", '{"seats": [1], "export": true}', {"export": True}),
    ],
)
async def test_what_is_repaired_is_stored_as_it_was_shown(
    world: World, column: str, stored: str, shown: object
) -> None:
    license_ = await world.issue()
    statement = f"UPDATE licenses SET {column} = '{stored}'"
    await break_rows(world.platform, statement)
    field = {"feature_values": "featureValues"}.get(column, column)
    assert (await world.read(license_))[field] == shown
    if column == "metadata":
        await repair(world.platform, CONSOLE)
        assert await found_by(world.platform) == {}
    assert (await world.read(license_))[field] == shown


FITTING: dict[Any, tuple[list[Any], list[Any]]] = {
    dict[str, str]: ([{}, {"a": "b"}], [[], "a", {"a": 1}]),
    dict[str, dict[str, str]]: ([{}, {"de": {"subject": "Hallo"}}], [[], {"de": "Hallo"}]),
    dict[str, str | list[str]]: ([{"a": "b", "c": ["d"]}], [["a"]]),
    list[str]: ([[], ["a"]], [{}, [1]]),
    list[str] | None: ([["a"]], [{}, [1]]),
    list[dict[str, Any]]: ([[], [{"product": "aurora"}]], [{}, ["aurora"]]),
}


@pytest.mark.parametrize("shape", list(FITTING), ids=str)
async def test_values_of_the_shape_of_a_column_are_readable(world: World, shape: Any) -> None:
    async with world.platform.database.reading() as db:
        for values, are_wrong in zip(FITTING[shape], (False, True), strict=True):
            for value in values:
                judged = select(storage.does_not_fit(literal(value, JSONB), shape))
                assert (await db.execute(judged)).scalar_one() is are_wrong, value


async def test_seats_are_counted_exactly_while_devices_come_and_go(world: World) -> None:
    license_ = await world.issue("Trial", maxActiveUsersCount=None)
    await world.activate(license_, MACHINES[0])
    broken = "UPDATE device_counters SET seats_used = 70 WHERE license_id = :id"
    for _ in range(3):
        await break_rows(world.platform, broken, id=license_["id"])
        await asyncio.gather(
            repair(world.platform, CONSOLE),
            *(world.activate(license_, machine) for machine in MACHINES),
            repair(world.platform, CONSOLE),
            *(world.deactivate(license_, machine) for machine in MACHINES),
        )
        assert await found_by(world.platform) == {}


async def test_system_admins_look_and_repair(world: World, admin: Owner) -> None:
    await world.issue()
    await break_rows(world.platform, "UPDATE products SET license_count = 99")
    for method, path in (("GET", "/api/doctor"), ("POST", "/api/doctor/repair")):
        assert (await world.owner.send(method, path)).status_code == 403
    for method, path, repaired in (
        ("GET", "/api/doctor", 0),
        ("POST", "/api/doctor/repair", 1),
    ):
        shown = {item["name"]: item for item in (await admin.ok(method, path))["findings"]}
        assert (shown["LicenseCounts"]["count"], shown["LicenseCounts"]["repaired"]) == (
            1,
            repaired,
        )
    shown = {item["name"]: item for item in (await admin.ok("GET", "/api/doctor"))["findings"]}
    assert shown["LicenseCounts"]["state"] == "Sound"


async def test_a_check_that_cannot_look_does_not_stop_the_others(world: World) -> None:
    missing = replace(world.platform.settings, data_dir=Path("/nowhere/at/all"))
    findings = await examine(replace(world.platform, settings=missing))
    assert [item.name for item in findings if item.state is CheckState.UNKNOWN] == [CheckName.DISK]
    assert exit_code(findings) == 2
