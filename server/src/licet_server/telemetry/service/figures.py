"""Telemetry in figures, for statistics."""

from datetime import date

from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.telemetry.rules.model import Figures, NameUse
from licet_server.telemetry.rules.sums import months_of
from licet_server.telemetry.storage import figures as storage


async def telemetry_figures(
    db: Connection, visibility: Visibility, first: date, last: date, limit: int
) -> Figures:
    """What happened from the first to the last UTC day, both included.

    `limit` is how many events are named. `db` is a snapshot, so that the figures agree.
    """
    products = await storage.fetch_products(db, visibility)
    months = months_of(first, last)
    names = await storage.rank_names(db, products, first, last, limit)
    devices_of = await storage.count_devices_by_name(
        db, products, months, [name for name, _ in names]
    )
    devices, licenses = await storage.count_devices_and_licenses(db, products, months)
    return Figures(
        devices=devices,
        licenses=licenses,
        events_by_day=await storage.count_by_day(db, products, first, last),
        devices_by_day=await storage.count_devices_by_day(db, products, months),
        names=[NameUse(name, events, devices_of.get(name, 0)) for name, events in names],
    )
