"""Views of licenses, with their names, status and use."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Any
from uuid import UUID

from msgspec.structs import asdict

from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.schemas.records import (
    LicenseExtra,
    LicenseView,
    ListedLicenseView,
    license_view,
    license_views,
)
from licet_server.licenses.service.hooks import CurrentUsage, CurrentUsageReader, LicenseTraces
from licet_server.licenses.service.reading import LicenseDetails, fetch_details

_Read = Sequence[tuple[LicenseDetails, CurrentUsage]]


class LicenseViews:
    """Views of licenses that were found; those that are asked for together share statements."""

    def __init__(
        self,
        platform: Platform,
        read_usage: CurrentUsageReader,
        traces: LicenseTraces,
        batching: Batching,
    ) -> None:
        self._platform = platform
        self._read_usage = read_usage
        self._traces = traces
        self._reads: Coalescing[Sequence[License], _Read] = batching.concurrent(
            "license_views", self._read, lambda licenses: licenses[0].institution_id
        )

    async def of(self, licenses: Sequence[License], now: datetime) -> list[LicenseView]:
        """Return the views of these licenses in their order, as they are at `now`."""
        read = await self._reads.submit(licenses) if licenses else ()
        return license_views(read, now)

    async def with_extras(
        self,
        views: Sequence[LicenseView],
        extras: Collection[LicenseExtra],
        sellers: Collection[UUID],
    ) -> list[ListedLicenseView]:
        """Return views with what is asked for; orders are those of the institutions `sellers`."""
        keys = [(view.institution_id, view.id) for view in views]
        sold = [key for key in keys if key[0] in sellers]
        added: dict[UUID, dict[str, Any]] = {view.id: {} for view in views}
        async with self._platform.database.reading() as db:
            if LicenseExtra.LAST_SEEN in extras:
                seen = await self._traces.last_seen(db, keys)
                for id_, more in added.items():
                    more["last_seen_at"] = seen.get(id_)
            if LicenseExtra.ORDER in extras:
                orders = await self._traces.orders(db, sold) if sold else {}
                for id_, more in added.items():
                    order = orders.get(id_)
                    more["order_id"] = None if order is None else order.id
                    more["order_number"] = None if order is None else order.number
        return [ListedLicenseView(**asdict(view), **added[view.id]) for view in views]

    async def aclose(self) -> None:
        """Serve what is queued, then stop."""
        await self._reads.aclose()

    async def _read(self, asked: Sequence[Sequence[License]]) -> list[_Read]:
        async with self._platform.database.looking_up() as db:
            licenses = list(chain(*asked))
            read = iter(await _read(db, self._read_usage, licenses, self._platform.clock()))
        return [list(islice(read, len(each))) for each in asked]


async def show(work: UnitOfWork, read_usage: CurrentUsageReader, license_: License) -> LicenseView:
    """Return the view of a license that this request has just changed."""
    [(details, use)] = await _read(work.db, read_usage, [license_], work.now)
    return license_view(details, use, work.now)


async def _read(
    db: Connection, read_usage: CurrentUsageReader, licenses: Sequence[License], now: datetime
) -> _Read:
    """Read names and use of many licenses, with a few statements for all."""
    details = await fetch_details(db, licenses)
    usage = await read_usage(db, licenses, now)
    return [(item, usage[item.license.id]) for item in details]
