"""Counts of devices for lists and statistics, and what needs an operator's attention."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.devices.rules.model import (
    Activation,
    ActivationStatus,
    DeviceCounters,
    UnreviewedAttempts,
    VersionDevices,
)
from licet_server.devices.storage import activations, attempts, counters, versions
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId


async def find_counters(
    db: Connection, ids: Sequence[LicenseId], now: datetime
) -> dict[UUID, DeviceCounters]:
    """Find device counters by license ID in one statement, with the seats in use at `now`.

    Licenses that never had a device are omitted.
    """
    return await counters.fetch_counters(db, ids, now) if ids else {}


async def count_devices(
    db: Connection, visibility: Visibility, now: datetime
) -> dict[ActivationStatus, int]:
    """Count the visible devices at `now` by status."""
    return await activations.count_by_status(db, visibility, now)


async def count_by_version(
    db: Connection, visibility: Visibility, since: datetime, now: datetime
) -> list[VersionDevices]:
    """Count the visible active devices by product and version, and those seen after `since`."""
    return await versions.count_by_version(db, visibility, since, now)


async def count_devices_of(
    db: Connection, license_id: LicenseId, now: datetime
) -> dict[ActivationStatus, int]:
    """Count the devices of a license at `now` by status."""
    return await activations.count_of_license(db, license_id, now)


async def count_attempts_of(db: Connection, license_id: LicenseId) -> int:
    """Count the listed access attempts of a license, reviewed or not."""
    return await attempts.count_of_license(db, license_id)


async def count_unreviewed_attempts(db: Connection, visibility: Visibility) -> int:
    """Count the visible access attempts that are not reviewed yet."""
    return await attempts.count_unreviewed(db, visibility)


async def find_most_activated(
    db: Connection, visibility: Visibility, limit: int, now: datetime
) -> list[tuple[UUID, int]]:
    """Find the licenses with the most devices that hold a seat at `now`, with the numbers."""
    return await activations.fetch_most_seats(db, visibility, limit, now)


async def count_pending(db: Connection, visibility: Visibility) -> int:
    """Count the visible devices that are pending approval."""
    return await activations.count_pending(db, visibility)


async def find_pending(db: Connection, visibility: Visibility, limit: int) -> list[Activation]:
    """Find the devices pending approval, oldest first."""
    return await activations.fetch_pending(db, visibility, limit)


async def find_unreviewed_attempts(
    db: Connection, visibility: Visibility, limit: int
) -> list[UnreviewedAttempts]:
    """Find the licenses with unreviewed access attempts, latest attempt first."""
    return await attempts.fetch_unreviewed(db, visibility, limit)
