"""The licenses of a person, with what goes with them, put together from those who know."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.catalog.service.products import find_settings
from licet_server.devices.service.end_users import count_releases
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.hooks import CurrentUsage, CurrentUsageReader
from licet_server.licenses.service.reading import LicenseDetails, fetch_details
from licet_server.licenses.service.receivers import fetch_own_license, list_own_licenses


@dataclass(frozen=True, slots=True)
class OwnLicense:
    """A license as its receiver sees it.

    `releases_per_year` is how often he may free a seat in 365 days, `releases` how often that
    happened in the last ones.
    """

    described: LicenseDetails
    institution_name: str
    use: CurrentUsage
    releases_per_year: int
    releases: int


async def list_licenses(
    db: Connection, person: Operator, read_usage: CurrentUsageReader, paging: Paging, now: datetime
) -> Listing[OwnLicense]:
    """The licenses that are issued to a person.

    Raises:
        Refused: `Forbidden` without a verified address.
    """
    listing = await list_own_licenses(db, person, paging)
    return listing.holding(await _complete(db, read_usage, listing.items, now))


async def show_license(
    db: Connection,
    person: Operator,
    read_usage: CurrentUsageReader,
    license_id: UUID,
    now: datetime,
) -> OwnLicense:
    """One license that is issued to a person.

    Raises:
        Refused: `Forbidden` without a verified address, `NotFound`.
    """
    license_ = await fetch_own_license(db, person, license_id)
    [own] = await _complete(db, read_usage, [license_], now)
    return own


async def _complete(
    db: Connection, read_usage: CurrentUsageReader, licenses: Sequence[License], now: datetime
) -> list[OwnLicense]:
    """A few statements for all."""
    described = await fetch_details(db, licenses)
    names = await institution_names(db, {item.institution_id for item in licenses})
    used = await read_usage(db, licenses, now)
    products = {(item.institution_id, item.product_id) for item in licenses}
    settings = await find_settings(db, list(products))
    ids = [(item.institution_id, item.id) for item in licenses]
    releases = await count_releases(db, ids, now)
    return [
        OwnLicense(
            item,
            names[item.license.institution_id],
            used[item.license.id],
            settings[item.license.product_id].device_releases_per_year,
            releases[item.license.id],
        )
        for item in described
    ]
