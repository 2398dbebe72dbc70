"""Telemetry events, for operators."""

from datetime import date
from uuid import UUID

from licet_server.catalog.service.lookup import find_product
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.visibility import Visibility
from licet_server.telemetry.rules import (
    NameUsage,
    TelemetryEvent,
    TelemetryFigures,
    TelemetryFilter,
    months_of,
)
from licet_server.telemetry.storage import events as storage
from licet_server.telemetry.storage import figures


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
