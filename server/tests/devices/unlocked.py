"""What locks rows in the service, without the lock: for controls."""

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, time
from uuid import UUID

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.devices.rules.model import Activation, DeviceCounters
from licet_server.devices.storage import seats as stored_seats
from licet_server.devices.storage.activations import ACTIVATIONS, is_idle
from licet_server.devices.tables import activations, device_counters
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading


async def read_counters(
    db: Connection, ids: Sequence[LicenseId], today: date
) -> dict[UUID, DeviceCounters]:
    """`lock_counters` without a lock."""
    rows = [{"institution_id": owner, "license_id": item, "day": today} for owner, item in ids]
    await db.execute(insert(device_counters).values(rows).on_conflict_do_nothing())
    return await stored_seats.fetch_counters(db, ids, datetime.combine(today, time(), UTC))


async def count_then_take(db: Connection, license_id: LicenseId, cap: int | None) -> int | None:
    """Count the seats, then add one, without regard to concurrent transactions."""
    holders = select(func.count()).where(
        activations.c.institution_id == license_id[0],
        activations.c.license_id == license_id[1],
        activations.c.holds_seat,
    )
    used = int((await db.execute(holders)).scalar_one())
    if cap is not None and used >= cap:
        return None
    await db.execute(
        update(device_counters)
        .where(
            device_counters.c.institution_id == license_id[0],
            device_counters.c.license_id == license_id[1],
        )
        .values(seats_used=device_counters.c.seats_used + 1)
    )
    return used + 1


async def find_idle(
    db: Connection,
    license_id: LicenseId,
    limit: int,
    *,
    before: datetime,
    now: datetime,
    in_use: Collection[str],
) -> list[Activation]:
    """`lock_idle` without a lock."""
    statement = ACTIVATIONS.select(
        activations.c.institution_id == license_id[0],
        activations.c.license_id == license_id[1],
        activations.c.hardware_id.not_in(in_use),
        is_idle(before, now),
    ).order_by(activations.c.last_seen_at)
    return await ACTIVATIONS.all(db, statement.limit(limit))


def remove_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lock neither the license nor its stored_seats."""
    monkeypatch.setattr(stored_seats, "lock_counters", read_counters)
    monkeypatch.setattr(reading, "lock_terms", reading.find_terms)
