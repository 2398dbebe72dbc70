"""Counts of licenses for statistics, and the licenses that expire soon."""

from datetime import date, datetime
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.entitlements import FeatureHolding
from licet_server.licenses.rules.model import LicenseGroup
from licet_server.licenses.storage import statistics
from licet_server.licenses.storage import statistics as storage


async def count_groups(db: Connection, visibility: Visibility, now: datetime) -> list[LicenseGroup]:
    """Return the number of licenses by product, model and status at `now`."""
    return await storage.count_groups(db, visibility, now)


async def count_expiring(
    db: Connection,
    visibility: Visibility,
    *,
    now: datetime,
    until: datetime,
) -> int:
    """Return how many active licenses have a term that ends by `until`, or are in their grace."""
    return await storage.count_expiring(db, visibility, now=now, until=until)


async def find_expiring(
    db: Connection,
    visibility: Visibility,
    *,
    now: datetime,
    until: datetime,
    limit: int,
) -> list[UUID]:
    """Return active licenses whose term ends by `until`, the earliest first."""
    return await storage.find_expiring(db, visibility, now=now, until=until, limit=limit)


async def count_holdings(
    db: Connection, visibility: Visibility, now: datetime, *, features: int, values: int
) -> list[FeatureHolding]:
    """Return the features that most active licenses have, each with its commonest values."""
    return await statistics.count_holdings(db, visibility, now, features=features, values=values)


async def count_unrestricted(
    db: Connection, visibility: Visibility, now: datetime
) -> dict[tuple[UUID, UUID], int]:
    """Return the active licenses that may use every feature, by institution and product."""
    return await storage.count_unrestricted(db, visibility, now)


async def count_seats(db: Connection, visibility: Visibility, now: datetime) -> int:
    """Return how many sessions the active licenses that cap them allow at once."""
    return await storage.count_seats(db, visibility, now)


async def count_lapsed_by_day(
    db: Connection, visibility: Visibility, *, since: datetime, until: datetime, now: datetime
) -> dict[date, int]:
    """Return the expired licenses by the UTC day of their end, from `since` to before `until`."""
    return await storage.count_lapsed_by_day(db, visibility, since=since, until=until, now=now)
