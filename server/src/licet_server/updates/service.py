"""Finds updates, and the download URLs of their files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from licet_server.catalog.reading import (
    files_for,
    find_release,
    published_versions,
    release_versions,
    releases_with_files,
)
from licet_server.catalog.rules.model import ProductCaller, Release, ReleaseFile
from licet_server.catalog.rules.releases import PublishedVersion, installable, is_update, newest
from licet_server.catalog.service.files import download_address
from licet_server.catalog.service.signing import SigningKeys, sign
from licet_server.devices.service.lookup import require_not_blocked
from licet_server.institutions.service.appearance import find_renewal_pages
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode, Refused, bad_field
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.keys import signed_hash
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import NO_CREDENTIALS, Credentials, require_active
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.validation.rules.verdict import is_covered_release, is_release_allowed

ANSWER_TYPE = "update+jwt"


@dataclass(frozen=True, slots=True)
class UpdateQuery:
    """A request of an application for an update; what it omits is `None`."""

    channel: str
    current_version: str | None = None
    platform: str | None = None
    license_key: str | None = None
    hardware_id: str | None = None
    credentials: Credentials = NO_CREDENTIALS


@dataclass(frozen=True, slots=True)
class AvailableUpdate:
    """The newest release the application may use, with files and URLs if it is newer."""

    release: Release
    is_newer: bool
    files: Sequence[tuple[ReleaseFile, str]]


@dataclass(frozen=True, slots=True)
class Uncovered:
    """The newest release, where the license does not cover it because its maintenance ended."""

    version: str
    renew_url: str | None


@dataclass(frozen=True, slots=True)
class FoundUpdate:
    """What is offered, and what would be with a maintenance that lasts longer."""

    update: AvailableUpdate | None = None
    newer: Uncovered | None = None


async def find_update(
    platform: Platform,
    lookup: LicenseLookup,
    caller: ProductCaller,
    query: UpdateQuery,
    *,
    origin: Origin,
) -> FoundUpdate:
    """Find the newest release that the application can install, and what a renewal would add.

    Raises:
        Refused: `LicenseNotFound`, `InvalidCredentials`, `InvalidRequest`, `DeviceBlocked`; if the
            product's downloads need a license, `InvalidRequest` without one, `LicenseInvalid` and
            `LicenseExpired`.
    """
    license_ = await _find_license(platform, lookup, caller, query, origin)
    now = platform.now()
    async with platform.database.reading() as db:
        if license_ is not None:
            await require_not_blocked(db, license_, query.hardware_id)
        place = (caller.institution_id, caller.product_id)
        known = [item for item in await published_versions(db, *place) if item.is_in(query.channel)]
        offered, lapsed = await _covered(db, license_, known, now)
        if query.platform is not None:
            has_file = await releases_with_files(db, *place, query.platform)
            offered, lapsed = installable(offered, has_file), installable(lapsed, has_file)
        newer = await _uncovered(db, license_, query, known, offered, lapsed)
        found = newest(offered)
        release = None
        if found is not None:
            release = await find_release(db, *place, found.id)
        if found is None or release is None:
            return FoundUpdate(None, newer)
        if not is_update(found, query.current_version, known):
            return FoundUpdate(AvailableUpdate(release, is_newer=False, files=()), newer)
        files = await files_for(db, release, query.platform)
    with_urls = [(file, download_address(platform, file, platform.clock())) for file in files]
    return FoundUpdate(AvailableUpdate(release, is_newer=True, files=with_urls), newer)


async def sign_answer(
    platform: Platform,
    signing_keys: SigningKeys,
    caller: ProductCaller,
    query: UpdateQuery,
    nonce: str,
    found: FoundUpdate,
) -> str | None:
    """Sign the answer to a query for its nonce, so that no earlier one can be replayed.

    `None` if the product has no signing key yet.
    """
    async with platform.database.reading() as db:
        try:
            key = await signing_keys.fetch(db, caller.institution_id, caller.product_id)
        except Refused as refused:
            if refused.code is not ErrorCode.KEYS_NOT_GENERATED:
                raise
            return None
    claims = _answer_claims(caller, query, nonce, found, platform.clock())
    return await sign(key, ANSWER_TYPE, claims)


def _answer_claims(
    caller: ProductCaller,
    query: UpdateQuery,
    nonce: str,
    found: FoundUpdate,
    now: datetime,
) -> dict[str, Any]:
    update = found.update
    key = query.license_key
    return {
        "aud": str(caller.product_id),
        "iat": int(now.timestamp()),
        "nonce": nonce,
        "channel": query.channel if update is None else update.release.channel,
        "currentVersion": query.current_version,
        "platform": query.platform,
        "licenseKeyHash": None if key is None else signed_hash(key),
        "updateAvailable": update is not None and update.is_newer,
        "version": None if update is None else update.release.version,
        **_newer_claims(found.newer),
    }


def _newer_claims(newer: Uncovered | None) -> dict[str, Any]:
    if newer is None:
        return {}
    return {"newerVersion": newer.version, "renewUrl": newer.renew_url}


async def _find_license(
    platform: Platform,
    lookup: LicenseLookup,
    caller: ProductCaller,
    query: UpdateQuery,
    origin: Origin,
) -> License | None:
    is_needed = caller.settings.downloads_need_license
    if query.license_key is None:
        if is_needed:
            raise bad_field("licenseKey", "is required: downloads of this product need a license.")
        return None
    found = await lookup.find(
        caller,
        query.license_key,
        query.hardware_id,
        origin.ip_address or "",
        query.credentials,
    )
    if is_needed:
        require_active(found, platform.now())
    return found


async def _covered(
    db: Connection, license_: License | None, known: Sequence[PublishedVersion], now: datetime
) -> tuple[Sequence[PublishedVersion], Sequence[PublishedVersion]]:
    """Return the versions that the license covers, since an update must not end in a refusal.

    And those that it would cover with a maintenance that lasts longer.
    """
    if license_ is None:
        return known, ()
    key = (license_.institution_id, license_.software_release_id)
    line = (await release_versions(db, [key])).get(license_.software_release_id)
    covered, lapsed = [], []
    for item in known:
        if is_covered_release(license_, line, item.version, item, now):
            covered.append(item)
        elif license_.updates_until is not None or is_release_allowed(line, item.version):
            lapsed.append(item)
    return covered, lapsed


async def _uncovered(
    db: Connection,
    license_: License | None,
    query: UpdateQuery,
    known: Sequence[PublishedVersion],
    offered: Sequence[PublishedVersion],
    lapsed: Sequence[PublishedVersion],
) -> Uncovered | None:
    """Return the newest release, if only a maintenance that lasts longer would cover it."""
    found = newest([*offered, *lapsed])
    if license_ is None or found is None or found in offered:
        return None
    if not is_update(found, query.current_version, known):
        return None
    vendor = license_.institution_id
    pages = await find_renewal_pages(db, [vendor])
    return Uncovered(found.version, license_.renewed_at(pages.get(vendor)))
