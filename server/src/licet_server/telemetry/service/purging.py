"""Forgets events when their time is over, and what was counted of them.

Events are kept for as long as their institution says, from the moment at which they came in. The
sums begin with the same day, but by the day on which things happened. Of a deleted product nothing
is kept.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

from licet_server.catalog.service.products import product_names
from licet_server.institutions.service.institutions import telemetry_retention_days
from licet_server.kit.database import Connection
from licet_server.kit.ids import least_id
from licet_server.kit.platform import Platform
from licet_server.telemetry.rules.intake import FURTHEST_AHEAD
from licet_server.telemetry.rules.model import ProductId
from licet_server.telemetry.rules.sums import bits_from
from licet_server.telemetry.storage import figures
from licet_server.telemetry.storage.forgetting import STEPS, End, Step

AT_A_TIME = 1_000
_ROUNDS = 200


async def forget_old_events(platform: Platform) -> int:
    """Delete what is older than institutions keep it, a bounded number a run; answers how many.

    Several may do so at once: each skips what another one holds.
    """
    async with platform.database.reading() as db:
        ends = await _find_ends(db, platform.clock())
    if not ends:
        return 0
    total = 0
    for step in STEPS:
        count, all_done = await _in_batches(platform, step, ends)
        total += count
        if not all_done:
            break
    return total


async def _find_ends(db: Connection, now: datetime) -> list[End]:
    products = await figures.fetch_products(db)
    days = await telemetry_retention_days(db, {item[0] for item in products})
    there = await product_names(db, products)
    return [
        _end(item, now - timedelta(days=days[item[0]]))
        if item[0] in days and item[1] in there
        else _of_deleted(item)
        for item in products
    ]


def _end(product: ProductId, begin: datetime) -> End:
    day = begin.date()
    month = day.replace(day=1)
    return End(*product, least_id(begin), day, month, bits_from(day), day - FURTHEST_AHEAD)


def _of_deleted(product: ProductId) -> End:
    return End(*product, UUID(int=(1 << 128) - 1), date.max, date.max.replace(day=1), 0, date.max)


async def _in_batches(platform: Platform, step: Step, ends: Sequence[End]) -> tuple[int, bool]:
    """How many rows it was about, and whether that was all."""
    count = 0
    for _ in range(_ROUNDS):
        async with platform.database.relaxed() as db:
            done = await step(db, ends, AT_A_TIME)
        count += done
        if done < AT_A_TIME:
            return count, True
    return count, False
