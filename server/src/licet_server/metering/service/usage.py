"""Usage in figures, for statistics."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.metering.rules.usage import LowBalance, Usage
from licet_server.metering.storage import usage as storage

_DAY = timedelta(days=1)


async def sum_usage(
    db: Connection,
    institution_ids: Sequence[UUID],
    product_id: UUID | None,
    since: datetime,
    until: datetime,
    limit: int,
) -> Usage:
    """What was used from `since` to before `until`, and what is left now, to the last unit.

    `limit` is how many licenses and features of each mode are named. `db` is a snapshot, so that
    the figures agree.
    """
    asked = _asked(institution_ids, product_id, since, until)
    return Usage(
        balances=await storage.sum_balances(db, institution_ids, product_id),
        days=await storage.sum_days(db, asked),
        licenses=await storage.rank_licenses(db, asked, limit),
        features=await storage.rank_features(db, asked, limit),
    )


async def find_low(
    db: Connection, institution_ids: Sequence[UUID], product_id: UUID | None, limit: int
) -> list[LowBalance]:
    """Wallets at their threshold or below, and empty ones, the emptiest first."""
    return await storage.find_low(db, institution_ids, product_id, limit)


def _asked(
    institution_ids: Sequence[UUID], product_id: UUID | None, since: datetime, until: datetime
) -> storage.Asked:
    """Whole days are in the sums; what is left of the period at its ends is not."""
    first = _midnight(since) + (_DAY if since > _midnight(since) else timedelta())
    end = _midnight(until)
    if first > end:
        edges = [(since, until)]
    else:
        edges = [(a, b) for a, b in ((since, first), (end, until)) if a < b]
    return storage.Asked(
        institution_ids,
        product_id,
        since,
        until,
        first.date(),
        (end - _DAY).date(),
        edges,
    )


def _midnight(instant: datetime) -> datetime:
    return datetime.combine(instant.date(), time(), UTC)
