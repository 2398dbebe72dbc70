"""The device and the seats of a validation are found by indexes, however many devices there are."""

from datetime import timedelta
from uuid import UUID

from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import Vendor, open_vendor

from licet_server.devices.service.lookup import find_seated_facts
from licet_server.kit.platform import Platform

DEVICES = 20_000

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
