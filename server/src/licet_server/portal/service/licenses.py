"""Licenses of a holder, with details from other features."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from licet_server.catalog.reading import find_settings
from licet_server.devices.service.end_users import count_releases
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.hooks import CurrentUsage, CurrentUsageReader
from licet_server.licenses.service.reading import LicenseDetails, fetch_details


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
