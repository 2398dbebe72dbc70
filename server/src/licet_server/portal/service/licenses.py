"""Licenses of a holder, with details from other features."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.catalog.reading import find_settings, release_versions
from licet_server.catalog.rules.model import Release, ReleaseFile
from licet_server.catalog.service.files import download_address, published_files
from licet_server.devices.service.releases import count_releases
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.appearance import find_renewal_pages
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service.holders import fetch_own_license
from licet_server.licenses.service.hooks import CurrentUsage, CurrentUsageReader
from licet_server.licenses.service.reading import LicenseDetails, fetch_details
from licet_server.validation.rules.verdict import is_covered_release


@dataclass(frozen=True, slots=True)
class OwnLicense:
    """A license with the details shown to its holder.

    `releases_per_year` is how many seats holders may release in 365 days, `releases` how many were
    released in the last 365 days.
    """

    described: LicenseDetails
    institution_name: str
    renew_url: str | None
    use: CurrentUsage
    releases_per_year: int
    releases: int


async def complete(
    db: Connection, read_usage: CurrentUsageReader, licenses: Sequence[License], now: datetime
) -> list[OwnLicense]:
    """Add the details of all licenses with a few statements."""
    described = await fetch_details(db, licenses)
    vendors = {item.institution_id for item in licenses}
    names = await institution_names(db, vendors)
    pages = await find_renewal_pages(db, vendors)
    used = await read_usage(db, licenses, now)
    products = {(item.institution_id, item.product_id) for item in licenses}
    settings = await find_settings(db, list(products))
    releases = await count_releases(db, licenses, now)
    return [
        OwnLicense(
            described=item,
            institution_name=names[item.license.institution_id],
            renew_url=item.license.renewed_at(pages.get(item.license.institution_id)),
            use=used[item.license.id],
            releases_per_year=settings[item.license.product_id].device_releases_per_year,
            releases=releases[item.license.id],
        )
        for item in described
    ]


RELEASES_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Download:
    """A published release, and its files with their download URLs."""

    release: Release
    files: Sequence[tuple[ReleaseFile, str]]


async def list_downloads(platform: Platform, user: Operator, license_id: UUID) -> list[Download]:
    """List the published releases with files that the license covers, newest first.

    Raises:
        Refused: `Forbidden` without a verified email address, `NotFound`; if the product's
            downloads need a license, `LicenseInvalid` and `LicenseExpired`.
    """
    now = platform.clock()
    async with platform.database.reading() as db:
        license_ = await fetch_own_license(db, user, license_id)
        product = (license_.institution_id, license_.product_id)
        settings = (await find_settings(db, [product]))[license_.product_id]
        if settings.downloads_need_license:
            require_active(license_, now)
        bound = (license_.institution_id, license_.software_release_id)
        line = (await release_versions(db, [bound])).get(license_.software_release_id)
        published = await published_files(db, *product, RELEASES_SHOWN)
    return [
        Download(
            release=release,
            files=[(file, download_address(platform, file, now)) for file in files],
        )
        for release, files in published
        if files and is_covered_release(license_, line, release.version, release, now)
    ]
