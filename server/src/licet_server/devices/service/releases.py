"""Devices that holders of licenses and applications list and release, to free a seat."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.catalog.reading import product_settings
from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices import errors
from licet_server.devices.rules.admission import (
    REFUSED_FOR,
    RELEASE_PERIOD,
    DeviceState,
    ReleasedBy,
    app_releases_left,
    device_state_of,
    require_release_allowed,
)
from licet_server.devices.rules.model import Activation, ActivationStatus, DeviceFilter
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.service.lookup import find_own
from licet_server.devices.service.seats import DeviceHooks, lock_pool, remove_device
from licet_server.devices.storage import activations, releases
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.limits import KeyLimits, device_bucket
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License, LicenseId, LicenseTerms, by_instant
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service import reading
from licet_server.licenses.service.holders import LicenseHolder

SHOWN = 100
"""How many devices an application is shown, those that were not seen for the longest time."""

REFUSALS_A_MINUTE = 30
"""Refused lists and releases for each license and device. Others are not limited: all jobs of
a CI project are one device, and `appReleasesPerYear` limits what they release."""


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
    """The devices that hold seats of a license, and how many more applications may release.

    `asked_by` is the hardware ID of the row of the device that asked.
    """

    devices: Sequence[Activation]
    releases_left: int
    asked_by: str


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
            `HardwareMismatch`; `Conflict` where applications may not release devices, and for any
            other device.
    """
    now = platform.now()
    require_active(license_, now)
    ids = (license_.institution_id, license_.id)
    async with platform.database.reading() as db:
        left = await count_app_releases_left(db, settings, license_, now)
        if left is None:
            raise errors.app_releases_off()
        hardware_id, facts = await find_own(db, license_, hardware_id, shown)
        state = device_state_of(license_, facts)
        if state is DeviceState.BLOCKED:
            raise errors.blocked()
        is_refused = await releases.was_refused(db, ids, hardware_id, now - REFUSED_FOR)
        if state is not DeviceState.SEATED and not is_refused:
            raise errors.not_among_devices()
        seated = await activations.fetch_seated(db, ids, SHOWN)
        return SeatedDevices(seated, left, hardware_id)


async def release_for_device(
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
            `DeviceBlocked`; `Conflict` where applications may not release devices, beyond the
            limit, for a released device, and on a device that was not refused a seat in the last
            10 minutes.
    """
    ids = (license_.institution_id, license_.id)
    terms = (await reading.lock_terms(work.db, [ids])).get(license_.id)
    if terms is None:
        raise license_errors.unknown_license_key()
    require_active(terms, work.now)
    await lock_pool(work, ids)
    if app_releases_left(settings, terms, ()) is None:
        raise errors.app_releases_off()
    hardware_id, facts = await find_own(work.db, license_, hardware_id, shown)
    if device_state_of(terms, facts) is DeviceState.BLOCKED:
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


def limit_refusals(
    key_limits: KeyLimits, license_: License, hardware_id: str
) -> AbstractAsyncContextManager[None]:
    """Limit how often lists and releases are refused to a device.

    Raises:
        Refused: `RateLimited`.
    """
    bucket = device_bucket("app-releases", license_.id, hardware_id)
    return key_limits.limit_refusals(bucket, REFUSALS_A_MINUTE)


async def list_own_devices(
    db: Connection,
    holder: LicenseHolder,
    license_id: UUID,
    *,
    status: ActivationStatus | None,
    paging: Paging,
    now: datetime,
) -> Listing[Activation]:
    """List the devices of a license of the holder at `now`, newest first.

    Raises:
        Refused: `Forbidden`, `NotFound`.
    """
    license_ = await holder.fetch(db, license_id)
    ids, instant = (license_.institution_id, license_.id), license_.instant(now)
    filters = DeviceFilter(status)
    return await activations.list_activations(db, ids, filters, paging=paging, now=instant)


async def count_releases(
    db: Connection, licenses: Sequence[License], now: datetime
) -> dict[UUID, int]:
    """Count the seats that holders released in the last 365 days; every license is included."""
    found: dict[UUID, int] = {}
    for instant, going in by_instant(licenses, now).items():
        ids = [(item.institution_id, item.id) for item in going]
        found |= await releases.count_releases(db, ids, instant - RELEASE_PERIOD)
    return found


async def release_own_device(
    work: UnitOfWork,
    hooks: DeviceHooks,
    holder: LicenseHolder,
    *,
    license_id: UUID,
    activation_id: UUID,
) -> None:
    """Remove a device of a license of the holder; its seat is free when its file has ended.

    Releasing a seat counts against the product's limit per 365 days, whichever holder does it; a
    device pending approval holds no seat. Devices of suspended and expired licenses can be released
    too, since such a license may become active again.

    Raises:
        Refused: `Forbidden`, `NotFound`, `DeviceBlocked`, `Conflict` beyond the limit, for a
            revoked license and for a released device.
    """
    license_ = await holder.lock(work.db, license_id)
    work = work.at(license_.clock)
    ids = (license_.institution_id, license_.id)
    await lock_pool(work, ids)
    current = await ACTIVATIONS.lock(work.db, [license_.institution_id], activation_id)
    if current is None or current.license_id != license_.id:
        raise not_found("activation")
    if license_.revoked_at is not None:
        raise errors.license_revoked()
    if current.blocked_at is not None:
        raise errors.blocked()
    if current.seat_free_at is not None:
        raise errors.released_already(current.seat_free_at)
    if current.holds_seat or current.over_limit_at is not None:
        await _record_release(work, license_, holder.user_id)
    await remove_device(work, hooks, current, removed_by=holder.kind)


async def _record_release(work: UnitOfWork, license_: License, user_id: UUID) -> None:
    ids = (license_.institution_id, license_.id)
    settings = await product_settings(work.db, license_.institution_id, license_.product_id)
    since = work.now - RELEASE_PERIOD
    released = await releases.fetch_releases(work.db, ids, ReleasedBy.HOLDER, since)
    require_release_allowed(released, settings.device_releases_per_year)
    await releases.insert_release(
        work.db, release_id=work.new_id(), license_id=ids, user_id=user_id, now=work.now
    )
