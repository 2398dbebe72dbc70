"""Counts of licenses for statistics, and the licenses that expire soon."""

from datetime import datetime
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseGroup
from licet_server.licenses.storage import statistics as storage


async def count_groups(db: Connection, visibility: Visibility, now: datetime) -> list[LicenseGroup]:
    """The number of licenses by product, model and status at `now`."""
    return await storage.count_groups(db, visibility, now)


async def count_expiring(
    db: Connection,
    visibility: Visibility,
    *,
    now: datetime,
    until: datetime,
) -> int:
    """How many active licenses expire after `now` and no later than `until`."""
    return await storage.count_expiring(db, visibility, now=now, until=until)


async def find_expiring(
    db: Connection,
    visibility: Visibility,
    *,
    now: datetime,
    until: datetime,
    limit: int,
) -> list[UUID]:
    """The active licenses that expire after `now` and by `until`, by id, soonest first."""
    return await storage.find_expiring(db, visibility, now=now, until=until, limit=limit)
