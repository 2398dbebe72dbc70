"""What end users do with the devices of licenses that are issued to them: see, free, get a file."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.catalog.service.keys import SigningKeys
from licet_server.catalog.service.products import product_settings
from licet_server.devices import errors
from licet_server.devices.rules.model import Activation, ActivationStatus
from licet_server.devices.rules.releases import RELEASE_PERIOD, require_release_left
from licet_server.devices.service.removal import remove_device
from licet_server.devices.storage import activations, releases, tallies
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.service import files
from licet_server.licenses.service.receivers import fetch_own_license, lock_own_license


async def list_own_devices(
    db: Connection,
    person: Operator,
    license_id: UUID,
    status: ActivationStatus | None,
    paging: Paging,
) -> Listing[Activation]:
    """The devices of a license that is issued to a person, newest first.

    Raises:
        Refused: `Forbidden` without a verified address, `NotFound`.
    """
    license_ = await fetch_own_license(db, person, license_id)
    return await activations.list_activations(
        db, license_.institution_id, license_.id, status, paging
    )


async def count_releases(
    db: Connection, ids: Sequence[LicenseId], now: datetime
) -> dict[UUID, int]:
    """How many seats of each license end users freed in the last 365 days; each is there."""
    return await releases.count_releases(db, ids, now - RELEASE_PERIOD) if ids else {}


async def free_own_device(
    work: UnitOfWork, person: Operator, license_id: UUID, activation_id: UUID
) -> Activation:
    """Remove a device that the person has no more; its seat is free at once.

    A seat counts against the product's limit for each 365 days; a device that waits for approval
    holds none. Suspended and expired licenses may be tidied, since they may come back. Answers
    what was removed.

    Raises:
        Refused: `Forbidden` without a verified address, `NotFound`, `DeviceBlocked`, `Conflict`
            beyond the limit and for a revoked license.
    """
    license_ = await lock_own_license(work.db, person, license_id)
    ids = (license_.institution_id, license_.id)
    await tallies.hold_tallies(work.db, [ids], work.now.date())
    current = await activations.lock_activation(work.db, [license_.institution_id], activation_id)
    if current is None or current.license_id != license_.id:
        raise not_found("activation")
    if license_.revoked_at is not None:
        raise errors.nothing_to_free()
    if current.blocked_at is not None:
        raise errors.blocked()
    if current.holds_seat:
        await _count_release(work, license_, person.user_id)
    return await remove_device(work, current, "EndUser")


async def _count_release(work: UnitOfWork, license_: License, user_id: UUID) -> None:
    ids = (license_.institution_id, license_.id)
    settings = await product_settings(work.db, license_.institution_id, license_.product_id)
    released = await releases.fetch_releases(work.db, ids, work.now - RELEASE_PERIOD)
    require_release_left(released, settings.device_releases_per_year)
    await releases.insert_release(work.db, work.new_id(), ids, user_id, work.now)


async def make_own_file(
    db: Connection,
    signing_keys: SigningKeys,
    person: Operator,
    license_id: UUID,
    *,
    hardware_id: str | None,
    protected: bool,
    issuer: str,
    now: datetime,
) -> files.LicenseFile:
    """license.bin for the person whom the license is issued to.

    It binds nothing: that of a node-locked license is for the machine that it is bound to.

    Raises:
        Refused: `Forbidden` without a verified address, `NotFound`, `KeysNotGenerated`,
            `DeviceBlocked`, `Conflict` for a license that is not active or whose key is too short,
            and for a node-locked one that has no machine yet, or another one.
    """
    license_ = await fetch_own_license(db, person, license_id)
    machine = await _own_machine(db, license_, hardware_id)
    return await files.make_file(
        db,
        signing_keys,
        license_,
        issuer=issuer,
        hardware_ids=[machine] if machine is not None else [],
        protected=protected,
        now=now,
    )


async def _own_machine(db: Connection, license_: License, hardware_id: str | None) -> str | None:
    key = (license_.institution_id, license_.id, hardware_id or "")
    facts = (await activations.fetch_facts(db, [key]))[key]
    device = facts.bound_other if hardware_id is None else facts.own
    if device is not None and device.blocked_at is not None:
        raise errors.blocked()
    if not license_.traits.is_node_locked:
        return hardware_id
    if device is not None and device.bound:
        return device.hardware_id
    if facts.bound_other is not None:
        raise errors.free_other_machine_first()
    raise errors.activate_first()
