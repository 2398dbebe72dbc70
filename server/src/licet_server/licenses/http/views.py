"""Views of licenses, with their names, status and use."""

from collections.abc import Sequence
from datetime import datetime

from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.schemas import LicenseView, license_view
from licet_server.licenses.service.hooks import UseReader
from licet_server.licenses.service.reading import describe


async def views_of(
    db: Connection, read_use: UseReader, licenses: Sequence[License], now: datetime
) -> list[LicenseView]:
    """The views of many licenses in their order, with a few statements for all."""
    described = await describe(db, licenses)
    used = await read_use(db, licenses, now)
    return [license_view(item, used[item.license.id], now) for item in described]


async def show(work: UnitOfWork, read_use: UseReader, license_: License) -> LicenseView:
    """The view of a license that this request has just changed."""
    [view] = await views_of(work.db, read_use, [license_], work.now)
    return view
