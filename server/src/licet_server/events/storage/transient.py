"""Events that are not permanent: counted, and deleted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, select

from licet_server.events.tables import events
from licet_server.kit.database import Connection


async def count_by_hour(db: Connection, since: datetime, until: datetime) -> Sequence[Row[Any]]:
    """Count these events by institution, license, hour and kind, in this order."""
    hour = func.date_trunc("hour", events.c.occurred_at, "UTC").label("hour")
    key = (events.c.institution_id, events.c.license_id, hour, events.c.kind)
    statement = (
        select(*key, func.count().label("number"))
        .where(~events.c.permanent, events.c.occurred_at >= since, events.c.occurred_at < until)
        .group_by(*key)
        .order_by(*key)
    )
    return (await db.execute(statement)).all()


async def delete_before(db: Connection, instant: datetime) -> int:
    """Delete these events if they are older; returns how many."""
    old = delete(events).where(~events.c.permanent, events.c.occurred_at < instant)
    return (await db.execute(old)).rowcount
