"""Counts of licenses, for statistics."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import LicenseGroup
from licet_server.licenses.storage import statistics as storage


async def count_groups(
    db: Connection, institution_ids: Sequence[UUID], product_id: UUID | None, now: datetime
) -> list[LicenseGroup]:
    """How many licenses there are by product, model and status at `now`."""
    return await storage.count_groups(db, institution_ids, product_id, now)


async def count_expiring(
    db: Connection,
    institution_ids: Sequence[UUID],
    product_id: UUID | None,
    *,
    now: datetime,
    until: datetime,
) -> int:
    """How many active licenses end after `now` and no later than `until`."""
    return await storage.count_expiring(db, institution_ids, product_id, now=now, until=until)
