"""Telemetry for operators: listed, counted, and deleted past its retention period.

An institution sets its retention period, which counts from the time an event was received. The
totals begin on the same day, but by the day on which events occurred. Nothing is kept of a deleted
product.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

from licet_server.catalog.reading import product_names
from licet_server.catalog.service.lookup import find_product
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import telemetry_retention_days
from licet_server.kit.database import Connection
from licet_server.kit.ids import least_id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.visibility import Visibility
from licet_server.telemetry.rules import (
    MAX_AHEAD,
    NameUsage,
    ProductId,
    TelemetryEvent,
    TelemetryFigures,
    TelemetryFilter,
    bits_from,
    months_of,
)
from licet_server.telemetry.storage import events as storage
from licet_server.telemetry.storage import figures
from licet_server.telemetry.storage.figures import PURGE_STEPS, Cutoff, PurgeStep


async def list_events(
    db: Connection, operator: Operator, product_id: UUID, filters: TelemetryFilter, paging: Paging
) -> Listing[TelemetryEvent]:
    """List the events of a product's applications, newest first.

    Events belong to the whole product: operators who see only single releases see none.
    """
    visibility = operator.visibility.of_whole_products()
    product = operator.found(await find_product(db, visibility, product_id), "product")
    return await storage.list_events(db, (product.institution_id, product.id), filters, paging)


async def telemetry_figures(
    db: Connection, visibility: Visibility, *, first: date, last: date, limit: int
) -> TelemetryFigures:
    """Compute the figures from the first to the last UTC day, both included.

    At most `limit` event names are listed. `db` must be a snapshot, so that the figures agree.
    """
    products = await figures.fetch_products(db, visibility)
    months = months_of(first, last)
    names = await figures.rank_names(db, products, first, last, limit)
    devices_of = await figures.count_devices_by_name(
        db, products, months, [name for name, _ in names]
    )
    devices, licenses = await figures.count_devices_and_licenses(db, products, months)
    return TelemetryFigures(
        devices=devices,
        licenses=licenses,
        dropped=await figures.count_dropped(db, products, first, last),
        events_by_day=await figures.count_by_day(db, products, first, last),
        devices_by_day=await figures.count_devices_by_day(db, products, months),
        names=[NameUsage(name, events, devices_of.get(name, 0)) for name, events in names],
    )


BATCH_ROWS = 1_000
_MAX_BATCHES = 200


async def purge_old_events(platform: Platform) -> int:
    """Delete a bounded number of rows past their retention period; return how many.

    Several processes may purge at once: each skips rows that another one has locked.
    """
    async with platform.database.reading() as db:
        cutoffs = await _find_cutoffs(db, platform.clock())
    if not cutoffs:
        return 0
    total = 0
    for step in PURGE_STEPS:
        count, all_done = await _in_batches(platform, step, cutoffs)
        total += count
        if not all_done:
            break
    return total


async def _find_cutoffs(db: Connection, now: datetime) -> list[Cutoff]:
    products = await figures.fetch_products(db)
    days = await telemetry_retention_days(db, {item[0] for item in products})
    existing = await product_names(db, products)
    return [
        _cutoff(item, now - timedelta(days=days[item[0]]))
        if item[0] in days and item[1] in existing
        else _cutoff_of_deleted(item)
        for item in products
    ]


def _cutoff(product: ProductId, begin: datetime) -> Cutoff:
    day = begin.date()
    return Cutoff(
        institution_id=product[0],
        product_id=product[1],
        id=least_id(begin),
        day=day,
        month=day.replace(day=1),
        days=bits_from(day),
        tally_day=day - MAX_AHEAD,
    )


def _cutoff_of_deleted(product: ProductId) -> Cutoff:
    return Cutoff(
        institution_id=product[0],
        product_id=product[1],
        id=UUID(int=(1 << 128) - 1),
        day=date.max,
        month=date.max.replace(day=1),
        days=0,
        tally_day=date.max,
    )


async def _in_batches(
    platform: Platform, step: PurgeStep, cutoffs: Sequence[Cutoff]
) -> tuple[int, bool]:
    """Run a step until it is done; return the number of rows, and whether it is done."""
    count = 0
    for _ in range(_MAX_BATCHES):
        async with platform.database.relaxed() as db:
            done = await step(db, cutoffs, BATCH_ROWS)
        count += done
        if done < BATCH_ROWS:
            return count, True
    return count, False
