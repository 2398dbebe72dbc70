"""Devices that an application lists and releases, so that its user frees a seat there and then."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices import errors
from licet_server.devices.rules.admission import DeviceState, device_state_of
from licet_server.devices.rules.model import Activation
from licet_server.devices.rules.proofs import ShownProof, require_key
from licet_server.devices.rules.releases import (
    REFUSED_FOR,
    RELEASE_PERIOD,
    ReleasedBy,
    app_releases_left,
    require_release_allowed,
)
from licet_server.devices.service.removal import DeviceHooks, remove_device
from licet_server.devices.service.seats import lock_pool
from licet_server.devices.storage import activations, releases
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.kit import limits
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License, LicenseId, LicenseTerms
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service import reading

SHOWN = 100
"""How many devices an application is shown, those that were not seen for the longest time."""

REQUESTS_A_MINUTE = 30
"""Lists and releases for each license and device: both read all devices of the license."""


async def count_app_releases_left(
    db: Connection, settings: ProductSettings, license_: License | LicenseTerms, now: datetime
) -> int | None:
    """Count the devices that applications may still release; `None` if they never may."""
    if app_releases_left(settings, license_, ()) is None:
        return None
    ids, since = (license_.institution_id, license_.id), now - RELEASE_PERIOD
    released = await releases.fetch_releases(db, ids, ReleasedBy.APPLICATION, since)
    return app_releases_left(settings, license_, released)


@dataclass(frozen=True, slots=True)
class SeatedDevices:
    """The devices that hold seats of a license, and how many more applications may release."""

    devices: Sequence[Activation]
    releases_left: int


async def list_seated_devices(
    platform: Platform,
    settings: ProductSettings,
    license_: License,
    hardware_id: str,
    shown: ShownProof,
) -> SeatedDevices:
    """List the devices that hold seats, for a device that holds one or was just refused one.

    Raises:
        Refused: `LicenseInvalid`, `LicenseExpired`, `DeviceBlocked`, `DeviceProofRequired`,
            `HardwareMismatch`, `RateLimited`; `Conflict` where applications may not release
            devices, and for any other device.
    """
    now = platform.now()
    require_active(license_, now)
    ids = (license_.institution_id, license_.id)
    await _count(platform, license_, hardware_id)
    async with platform.database.reading() as db:
        left = await count_app_releases_left(db, settings, license_, now)
        if left is None:
            raise errors.app_releases_off()
        key = (*ids, hardware_id)
        facts = (await activations.fetch_facts(db, [key]))[key]
        require_key(license_.device_proof, facts.own.jkt if facts.own else None, shown)
        state = device_state_of(license_, facts)
        if state is DeviceState.BLOCKED:
            raise errors.blocked()
        is_refused = await releases.was_refused(db, ids, hardware_id, now - REFUSED_FOR)
        if state is not DeviceState.SEATED and not is_refused:
            raise errors.not_among_devices()
        return SeatedDevices(await activations.fetch_seated(db, ids, SHOWN), left)


async def release_for_device(
    platform: Platform,
    work: UnitOfWork,
    hooks: DeviceHooks,
    settings: ProductSettings,
    license_: License,
    *,
    hardware_id: str,
    activation_id: UUID,
    shown: ShownProof,
) -> tuple[Activation, int]:
    """Remove a device for one that was just refused a seat; its seat is free when its file ends.

    It counts against a limit of its own per 365 days. Returns the device as it is now, and how many
    more may be released.

    Raises:
        Refused: `LicenseNotFound`, `LicenseInvalid`, `LicenseExpired`, `ActivationNotFound`,
            `DeviceBlocked`, `RateLimited`; `Conflict` where applications may not release devices,
            beyond the limit, for a released device, and on a device that was not refused a seat in
            the last 10 minutes.
    """
    await _count(platform, license_, hardware_id)
    ids = (license_.institution_id, license_.id)
    terms = (await reading.lock_terms(work.db, [ids])).get(license_.id)
    if terms is None:
        raise license_errors.unknown_license_key()
    require_active(terms, work.now)
    await lock_pool(work, ids)
    if app_releases_left(settings, terms, ()) is None:
        raise errors.app_releases_off()
    own = (await activations.fetch_facts(work.db, [(*ids, hardware_id)]))[*ids, hardware_id]
    require_key(license_.device_proof, own.own.jkt if own.own else None, shown)
    if device_state_of(terms, own) is DeviceState.BLOCKED:
        raise errors.blocked()
    if not await releases.was_refused(work.db, ids, hardware_id, work.now - REFUSED_FOR):
        raise errors.not_refused_lately()
    device = await _lock_seated(work, ids, activation_id)
    since = work.now - RELEASE_PERIOD
    released = await releases.fetch_releases(work.db, ids, ReleasedBy.APPLICATION, since)
    require_release_allowed(released, settings.app_releases_per_year)
    await releases.insert_release(
        work.db, release_id=work.new_id(), license_id=ids, user_id=None, now=work.now
    )
    removed = await remove_device(work, hooks, device, removed_by="Application")
    return removed, settings.app_releases_per_year - len(released) - 1


async def _lock_seated(work: UnitOfWork, license_id: LicenseId, activation_id: UUID) -> Activation:
    device = await ACTIVATIONS.lock(work.db, [license_id[0]], activation_id)
    if device is None or device.license_id != license_id[1]:
        raise errors.holds_no_seat()
    if device.blocked_at is not None:
        raise errors.blocked()
    if device.seat_free_at is not None:
        raise errors.released_already(device.seat_free_at)
    if not device.holds_seat:
        raise errors.holds_no_seat()
    return device


async def _count(platform: Platform, license_: License, hardware_id: str) -> None:
    bucket = limits.device_bucket("app-releases", license_.id, hardware_id)
    await limits.take(platform.database, bucket, REQUESTS_A_MINUTE, platform.clock())
