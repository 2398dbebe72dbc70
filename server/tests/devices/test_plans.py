"""Devices, seats and requests are found by indexes, however many there are."""

from datetime import date, timedelta
from uuid import UUID

import pytest
from plans import explain, plan_of, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import Vendor, open_vendor

from licet_server.app import Application
from licet_server.devices.rules.requests import MAX_ROWS
from licet_server.devices.service.lookup import find_seated_facts
from licet_server.devices.storage import requests
from licet_server.kit.platform import Platform

DEVICES = 20_000


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """The application on a database of its own, whose tables are counted when a test says so."""
    return fresh_application


_FILL = """
INSERT INTO activations (institution_id, id, license_id, product_id, hardware_id, holds_seat, bound,
    created_at, activated_at, last_seen_at, file_ends_at, released_at)
SELECT :institution, uuidv7(), :license, :product, 'machine-' || n, true, false, :now, :now, :now,
    :ends, CASE WHEN n % 1000 = 0 THEN CAST(:now AS timestamptz) END
FROM generate_series(1, :devices) AS n
"""
_COUNT = """
INSERT INTO device_counters (institution_id, license_id, day, seats_used, seats_waiting)
VALUES (:institution, :license, :now, :devices, :devices / 1000)
"""


async def test_the_seats_of_a_large_pool_are_read_by_index(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    vendor: Vendor = await open_vendor(owner)
    license_ = await vendor.issue(
        "Concurrent", activationMode="Offline", maxActiveUsersCount=DEVICES
    )
    given = {
        "institution": UUID(owner.institution_id),
        "license": UUID(license_["id"]),
        "product": UUID(vendor.product["id"]),
        "now": clock.now,
        "ends": clock.now + timedelta(days=1),
        "devices": DEVICES,
    }
    async with platform.database.transaction() as db:
        await db.execute(text(_FILL), given)
        await db.execute(text(_COUNT), given)
        await db.execute(text("ANALYZE activations"))
    key = (given["institution"], given["license"], "machine-7")
    for days, used in ((0, DEVICES), (1, DEVICES - DEVICES // 1000)):
        with taken_down("device_counters") as taken:
            async with platform.database.keyed() as db:
                found = await find_seated_facts(db, [key], clock.now + timedelta(days=days))  # type: ignore[list-item]
        assert found[key].seats_used == used  # type: ignore[index]
        [question] = taken
        explained = await explain(platform, question)
        assert explained.scanned <= {
            "device_counters_pkey",
            "activations_device_key",
            "activations_bound_key",
            "activations_released_idx",
        }, explained
        assert explained.pages <= 60, explained


_MORE_LICENSES = """
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, max_active_users_count, activation_mode, created_at, updated_at)
SELECT institution_id, gen_random_uuid(), product_id, software_release_id, type, 'FILL-' || n,
    'FILL-' || n, license_name, 1, activation_mode, created_at, updated_at
FROM licenses, generate_series(1, 20) AS n WHERE id = :license
"""
_REQUESTS = """
INSERT INTO license_requests (institution_id, id, license_id, hardware_id, route, status,
    ip_address, request_count, first_seen_at, last_seen_at, last_day)
SELECT institution_id, uuidv7(), id, 'machine-' || n, '/api/licenses/validate', 'Valid',
    '192.0.2.1', 1, now(), now(), '2020-01-01'
FROM licenses, generate_series(1, :number) AS n WHERE institution_id = :institution
"""
_DROP_KEY = "ALTER TABLE license_requests DROP CONSTRAINT license_requests_pkey"


async def test_requests_are_deleted_by_their_keys_whichever_index_the_planner_takes(
    owner: Owner, platform: Platform
) -> None:
    """Each key is enough. While it took a table for small, it took the one that the row was not
    named by, and read all rows of the institution for each."""
    license_ = await (await open_vendor(owner)).issue()
    ids = (UUID(license_["institutionId"]), UUID(license_["id"]))
    given, beyond = {"institution": ids[0], "license": ids[1]}, 20
    async with platform.database.transaction() as db:
        await db.execute(text(_MORE_LICENSES), given)
        await db.execute(text(_REQUESTS), {**given, "number": MAX_ROWS + beyond})
    with taken_down("license_requests", "DELETE") as taken:
        async with platform.database.relaxed() as db:
            assert await requests.delete_beyond(db, [ids]) == beyond
        async with platform.database.reading() as db:
            assert await requests.delete_before(db, date(2020, 1, 2), beyond) == beyond
    deletions = [item for item in taken if item.statement.startswith("DELETE")]
    assert len(deletions) == 2
    for question in deletions:
        async with platform.database.keyed_transaction() as db:
            await db.execute(text(_DROP_KEY))
            plan = await plan_of(db, question, "ANALYZE, BUFFERS")
            await db.rollback()
        pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
        assert pages <= 30 * beyond, (question.statement, plan)
