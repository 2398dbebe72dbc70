"""The licenses of a holder, with details from the features that keep them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.catalog.reading import find_settings
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
    """A license with the details shown to its holder.

    `releases_per_year` is how many seats holders may release in 365 days, `releases` how many were
    released in the last 365 days.
    """

    described: LicenseDetails
    institution_name: str
    use: CurrentUsage
    releases_per_year: int
    releases: int


async def list_licenses(
    db: Connection, user: Operator, read_usage: CurrentUsageReader, paging: Paging, now: datetime
) -> Listing[OwnLicense]:
    """List the licenses issued to the user.

    Raises:
        Refused: `Forbidden` without a verified e-mail address.
    """
    listing = await list_own_licenses(db, user, paging)
    return listing.with_items(await complete(db, read_usage, listing.items, now))


async def show_license(
    db: Connection, user: Operator, read_usage: CurrentUsageReader, license_id: UUID, now: datetime
) -> OwnLicense:
    """Fetch a license issued to the user.

    Raises:
        Refused: `Forbidden` without a verified e-mail address, `NotFound`.
    """
    license_ = await fetch_own_license(db, user, license_id)
    [own] = await complete(db, read_usage, [license_], now)
    return own


async def complete(
    db: Connection, read_usage: CurrentUsageReader, licenses: Sequence[License], now: datetime
) -> list[OwnLicense]:
    """Add the details of all licenses with a few statements."""
    described = await fetch_details(db, licenses)
    names = await institution_names(db, {item.institution_id for item in licenses})
    used = await read_usage(db, licenses, now)
    products = {(item.institution_id, item.product_id) for item in licenses}
    settings = await find_settings(db, list(products))
    ids = [(item.institution_id, item.id) for item in licenses]
    releases = await count_releases(db, ids, now)
    return [
        OwnLicense(
            described=item,
            institution_name=names[item.license.institution_id],
            use=used[item.license.id],
            releases_per_year=settings[item.license.product_id].device_releases_per_year,
            releases=releases[item.license.id],
        )
        for item in described
    ]
