"""Views of licenses, with their names, status and use."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain, islice

from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.schemas.records import LicenseView, license_view, license_views
from licet_server.licenses.service.hooks import CurrentUsage, CurrentUsageReader
from licet_server.licenses.service.reading import LicenseDetails, fetch_details

_Read = Sequence[tuple[LicenseDetails, CurrentUsage]]


class LicenseViews:
    """Views of licenses that were found; those that are asked for together share statements."""

    def __init__(
        self, platform: Platform, read_usage: CurrentUsageReader, batching: Batching
    ) -> None:
        self._platform = platform
        self._read_usage = read_usage
        self._reads: Coalescing[Sequence[License], _Read] = batching.concurrent(
            "license_views", self._read, lambda licenses: licenses[0].institution_id
        )

    async def of(self, licenses: Sequence[License], now: datetime) -> list[LicenseView]:
        """Return the views of these licenses in their order, as they are at `now`."""
        read = await self._reads.submit(licenses) if licenses else ()
        return license_views(read, now)

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
