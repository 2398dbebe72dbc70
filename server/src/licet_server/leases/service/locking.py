"""Leases that are changed by their devices: locked, once the key is proven."""

from collections.abc import Sequence
from uuid import UUID

from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.rules.proofs import Proof, ProofFault, ShownProof, refusal_of, require_key
from licet_server.devices.service.lookup import find_devices
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.leases import errors
from licet_server.leases.rules.model import Lease, forked
from licet_server.leases.service.events import record_lease
from licet_server.leases.storage.leases import LEASES
from licet_server.licenses.rules.model import DeviceProof, License, LicenseId
from licet_server.licenses.service import reading
from licet_server.licenses.service.noting import current_note


def proven(shown: ShownProof) -> Proof:
    """Return the proof of a request, which must have one whatever its license asks for.

    Raises:
        Refused: `DeviceProofRequired`.
    """
    found = shown.read()
    if isinstance(found, ProofFault):
        raise refusal_of(found)
    return found


async def require_device_key(
    db: Connection, license_: License, hardware_id: str, shown: ShownProof
) -> None:
    """Check that a request proves the key of its device, if the license knows that device.

    Raises:
        Refused: `DeviceProofRequired`, `HardwareMismatch`.
    """
    device = (*id_of(license_), hardware_id)
    known = (await find_devices(db, [device])).get(device)
    require_key(DeviceProof.REQUIRED, None if known is None else known.jkt, shown)


def id_of(license_: License) -> LicenseId:
    """Return the institution and the license."""
    return (license_.institution_id, license_.id)


async def lock_lease(
    work: UnitOfWork, caller: ProductCaller, lease_id: UUID, shown: ShownProof
) -> tuple[License, Lease]:
    """Lock a lease of the caller's product and of the proven key, and its license first.

    Raises:
        Refused: `DeviceProofRequired`, `LeaseNotFound`.
    """
    institutions: Sequence[UUID] = [caller.institution_id]
    found = await LEASES.fetch(work.db, institutions, lease_id)
    if found is None or found.product_id != caller.product_id:
        raise errors.unknown()
    if proven(shown).jkt != found.jkt:
        raise errors.unknown()
    current_note().is_of(found.institution_id, found.license_id, found.hardware_id)
    license_ = await reading.lock_by_id(work.db, (found.institution_id, found.license_id))
    lease = await LEASES.lock(work.db, institutions, lease_id)
    if license_ is None or lease is None:
        raise errors.unknown()
    return license_, lease


async def record_fork(work: UnitOfWork, lease: Lease) -> Lease:
    """Store that a lease is used from two states of its device."""
    after = forked(lease, work.now)
    await LEASES.save(work.db, after)
    await record_lease(work, EventKind.LEASE_FORKED, after)
    return after
