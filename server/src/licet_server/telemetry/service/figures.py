"""Figures of telemetry, for statistics."""

from datetime import date

from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.telemetry.rules.model import NameUsage, TelemetryFigures
from licet_server.telemetry.rules.totals import months_of
from licet_server.telemetry.storage import figures


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
