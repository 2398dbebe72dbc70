"""Devices for the holders of licenses: listed, released, and their license files.

The same holds for end users and for the institutions of customers.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.catalog.reading import product_settings
from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices import errors
from licet_server.devices.rules.hardware import require_whole
from licet_server.devices.rules.model import Activation, ActivationStatus, DeviceFilter
from licet_server.devices.rules.releases import (
    RELEASE_PERIOD,
    ReleasedBy,
    require_release_allowed,
)
from licet_server.devices.service.admission import Rejected
from licet_server.devices.service.files import (
    make_base_file,
    make_chosen_device_file,
    require_hardware_id,
)
from licet_server.devices.service.recognition import device_in_file
from licet_server.devices.service.removal import DeviceHooks, remove_device
from licet_server.devices.service.seats import lock_pool
from licet_server.devices.storage import activations, releases
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.file import FileDevice
from licet_server.licenses.rules.model import License, by_instant
from licet_server.licenses.service import files
from licet_server.licenses.service.holders import LicenseHolder
from licet_server.licenses.service.lifecycle import begin_term


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


async def make_own_file(
    work: UnitOfWork,
    hooks: DeviceHooks,
    signing_keys: SigningKeys,
    holder: LicenseHolder,
    license_id: UUID,
    *,
    hardware_id: str | None,
    protected: bool,
    issuer: str,
) -> files.LicenseFile | Rejected:
    """Make license.bin for the holder of the license.

    For a Concurrent license for offline use, the device takes a seat. This never binds a license:
    the file of a node-locked license is for the machine it is bound to. A file is a use: it begins
    a term that starts with the first one.

    Raises:
        Refused: `Forbidden`, `NotFound`, `KeysNotGenerated`, `DeviceBlocked`, `InvalidRequest` for
            a file that takes a seat without a hardware ID, or a hardware ID that no machine
            has, `Conflict` for a license that is not active or whose key is too short, and for a
            node-locked one that is unbound or bound to another machine.
    """
    require_whole(hardware_id)
    license_ = await holder.fetch(work.db, license_id)
    work = work.at(license_.clock)
    if license_.file_takes_seat:
        return await make_chosen_device_file(
            work,
            hooks,
            signing_keys,
            await holder.lock(work.db, license_id),
            require_hardware_id(hardware_id),
            protected=protected,
            issuer=issuer,
        )
    if license_.pending_term is not None:
        license_ = await begin_term(work, await holder.lock(work.db, license_id))
    return await files.make_file(
        work.db,
        signing_keys,
        license_,
        issuer=issuer,
        device=await _device_for_file(work.db, license_, hardware_id),
        protected=protected,
        now=work.now,
    )


async def make_own_base_file(
    work: UnitOfWork,
    signing_keys: SigningKeys,
    holder: LicenseHolder,
    license_id: UUID,
    *,
    issuer: str,
) -> files.LicenseFile:
    """Make a base file, which is valid only with an answer code, for the holder of the license.

    Raises:
        Refused: `Forbidden`, `NotFound`; as `make_base_file`.
    """
    license_ = await holder.fetch(work.db, license_id)
    if license_.pending_term is not None:
        license_ = await holder.lock(work.db, license_id)
    work = work.at(license_.clock)
    return await make_base_file(work, signing_keys, license_, issuer=issuer)


async def _device_for_file(
    db: Connection, license_: License, hardware_id: str | None
) -> FileDevice | None:
    key = (license_.institution_id, license_.id, hardware_id or "")
    facts = (await activations.fetch_facts(db, [key]))[key]
    device = facts.bound_other if hardware_id is None else facts.own
    if device is not None and device.blocked_at is not None:
        raise errors.blocked()
    if not license_.traits.is_node_locked:
        if hardware_id is None:
            return None
        return await device_in_file(db, license_, hardware_id, device)
    if device is not None and device.bound:
        return await device_in_file(db, license_, device.hardware_id, device)
    if facts.bound_other is not None:
        raise errors.deactivate_bound_machine_first()
    raise errors.activate_first()
