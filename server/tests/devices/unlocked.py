"""What locks rows in the service, without the lock: for controls."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from licet_server.devices.rules.model import DeviceCounters
from licet_server.devices.storage import counters
from licet_server.devices.tables import device_counters
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import LicenseId


async def read_counters(
    db: Connection, ids: Sequence[LicenseId], today: date
) -> dict[UUID, DeviceCounters]:
    """`lock_counters` without a lock."""
    rows = [{"institution_id": owner, "license_id": item, "day": today} for owner, item in ids]
    await db.execute(insert(device_counters).values(rows).on_conflict_do_nothing())
    return await counters.fetch_counters(db, ids, datetime.combine(today, time(), UTC))
