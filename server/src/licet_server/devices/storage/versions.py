"""Counts of devices by the version of the application that they reported last."""

from datetime import datetime

from sqlalchemy import func, select

from licet_server.devices.rules.model import VersionDevices
from licet_server.devices.storage.seats import has_not_lapsed
from licet_server.devices.tables import activations
from licet_server.kit.database import Connection
from licet_server.kit.filters import visible_to
from licet_server.kit.visibility import Visibility


async def count_by_version(
    db: Connection, visibility: Visibility, since: datetime, now: datetime
) -> list[VersionDevices]:
    """Count the visible devices that hold a seat and are not blocked."""
    shared = (activations.c.institution_id, activations.c.product_id, activations.c.app_version)
    statement = (
        select(
            *shared,
            func.count().label("devices"),
            func.count().filter(activations.c.last_seen_at >= since).label("seen"),
        )
        .where(
            visible_to(visibility, activations.c.institution_id, activations.c.product_id),
            activations.c.holds_seat,
            activations.c.blocked_at.is_(None),
            has_not_lapsed(now),
        )
        .group_by(*shared)
    )
    return [VersionDevices(**row._mapping) for row in await db.execute(statement)]
