"""Machines that match one row at once, with real commits, and the look-up among many devices."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from uuid import UUID

import pytest
from applications import AnotherServer
from devices.books import assert_counters_match
from devices.test_components import NAMES, THREE_OF_FIVE, parts
from devices.unlocked import remove_locks
from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import Vendor, open_vendor, through

from licet_server.devices.storage import recognition as storage
from licet_server.kit.platform import Platform

MACHINES = 12
ROUNDS = 8
DEVICES = 10_000


@pytest.fixture
async def servers(owner: Owner, another_server: AnotherServer) -> AsyncIterator[Sequence[Vendor]]:
    """A product, used through two servers."""
    here = await open_vendor(owner)
    async with through(await another_server(), here) as there:
        yield here, there


async def rush(servers: Sequence[Vendor], platform: Platform) -> int:
    """Activate machines with the parts of one device at once; return how many have its row."""
    license_ = await servers[0].issue("Concurrent", maxActiveUsersCount=1, **THREE_OF_FIVE)
    await servers[0].activate(license_, "machine", components=parts())
    answers = await asyncio.gather(
        *(
            servers[n % 2].activate(license_, f"machine-{n}", components=parts(osInstall=1))
            for n in range(MACHINES)
        )
    )
    assert {answer.status_code for answer in answers} <= {200, 409}
    [device] = await servers[0].devices(license_)
    assert device["hardwareId"] != "machine"
    await assert_counters_match(platform, license_)
    return sum(answer.status_code == 200 for answer in answers)


async def test_of_machines_that_match_one_device_one_gets_its_row(
    servers: Sequence[Vendor], platform: Platform
) -> None:
    for _ in range(2):
        assert await rush(servers, platform) == 1


async def test_control_without_locks_several_machines_get_one_row(
    servers: Sequence[Vendor], platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_locks(monkeypatch)
    for _ in range(ROUNDS):
        if await rush(servers, platform) > 1:
            return
    pytest.fail("the control proves nothing: one machine got the row without locks")


_DEVICES = """
INSERT INTO activations (institution_id, id, license_id, product_id, hardware_id, holds_seat, bound,
    created_at, activated_at, last_seen_at, jkt, components_mark)
SELECT :institution, uuidv7(), :license, :product, 'machine-' || n, true, false, :now, :now, :now,
    'key-' || n, 'mark'
FROM generate_series(1, :devices) AS n
"""
_COMPONENTS = """
INSERT INTO device_components
    (institution_id, activation_id, name, license_id, value, original, bound_at, changed_at)
SELECT institution_id, id, name, license_id, value, value, :now, '[]'
FROM activations, unnest(CAST(:names AS text[])) AS name,
    LATERAL (SELECT CASE name WHEN 'cpu' THEN 'of all' ELSE hardware_id END AS value)
WHERE license_id = :license
"""


async def test_a_machine_is_found_among_ten_thousand_devices_by_index(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    vendor = await open_vendor(owner)
    license_ = await vendor.issue("Concurrent", maxActiveUsersCount=DEVICES, **THREE_OF_FIVE)
    ids = (UUID(owner.institution_id), UUID(license_["id"]))
    given = {
        "institution": ids[0],
        "license": ids[1],
        "product": UUID(vendor.product["id"]),
        "now": clock.now,
        "devices": DEVICES,
        "names": list(NAMES),
    }
    async with platform.database.transaction() as db:
        await db.execute(text(_DEVICES), given)
        await db.execute(text(_COMPONENTS), given)
        await db.execute(text("ANALYZE activations"))
        await db.execute(text("ANALYZE device_components"))
    shown = {**dict.fromkeys(NAMES, "machine-7"), "cpu": "of all"}
    with taken_down("activations") as taken:
        async with platform.database.keyed() as db:
            found = await storage.fetch_candidates(db, ids, shown, 3, "key-8")
    assert {item.activation.hardware_id for item in found} == {"machine-7", "machine-8"}
    assert all(len(item.components) == len(NAMES) for item in found)
    pages = [0, 0]
    for at, question in enumerate(taken):
        explained = await explain(platform, question)
        pages[at] = explained.pages
        assert explained.scanned <= {
            "activations_license_idx",
            "activations_pkey",
            "activations_known_key_idx",
            "device_components_value_idx",
        }, explained
    assert pages[1] <= 10, pages
    assert pages[0] <= 400, "all devices have this processor"
