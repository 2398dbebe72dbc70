"""Views of licenses, with their names, status and use."""

from collections.abc import Sequence
from datetime import datetime

from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.schemas.records import LicenseView, license_view
from licet_server.licenses.service.hooks import CurrentUsageReader
from licet_server.licenses.service.reading import fetch_details


async def views_of(
    db: Connection, read_usage: CurrentUsageReader, licenses: Sequence[License], now: datetime
) -> list[LicenseView]:
    """Return the views of many licenses in their order, with a few statements for all."""
    details = await fetch_details(db, licenses)
    usage = await read_usage(db, licenses, now)
    return [license_view(item, usage[item.license.id], now) for item in details]


async def show(work: UnitOfWork, read_usage: CurrentUsageReader, license_: License) -> LicenseView:
    """Return the view of a license that this request has just changed."""
    [view] = await views_of(work.db, read_usage, [license_], work.now)
    return view
