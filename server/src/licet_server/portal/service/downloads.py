"""Release files that end users may download with their licenses."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from licet_server.catalog.reading import find_settings, release_versions
from licet_server.catalog.rules.model import Release, ReleaseFile
from licet_server.catalog.service.downloads import download_address
from licet_server.catalog.service.files import published_files
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.standing import require_active
from licet_server.licenses.service.receivers import fetch_own_license
from licet_server.validation.rules.versions import is_release_allowed

RELEASES_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Download:
    """A published release, and its files with their download URLs."""

    release: Release
    files: Sequence[tuple[ReleaseFile, str]]


async def list_downloads(platform: Platform, user: Operator, license_id: UUID) -> list[Download]:
    """List the published releases with files that the license covers, newest first.

    Raises:
        Refused: `Forbidden` without a verified e-mail address, `NotFound`; if the product's
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
        if files and is_release_allowed(line, release.version)
    ]
