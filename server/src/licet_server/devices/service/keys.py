"""Keys of devices: recorded when they are first proven, and other devices that show another."""

from datetime import timedelta

from licet_server.devices.rules.model import Activation, Device
from licet_server.devices.rules.proofs import (
    ProofFault,
    ShownProof,
    is_clone,
    refusal_of,
    require_key,
)
from licet_server.devices.service.events import record_device_event
from licet_server.devices.service.lookup import find_devices
from licet_server.devices.service.seats import lock_pool
from licet_server.devices.storage import keys as storage
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import claim_topics
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import DeviceProof, License
from licet_server.licenses.service import reading

CLONE_EVENT_INTERVAL = timedelta(days=1)


async def check_key(
    platform: Platform, license_: License, own: Activation, device: Device, origin: Origin
) -> Activation:
    """Check that a device may use its row; one without a key gets the key that is proven.

    Where the license asks for no proof, a device that shows another key is only recorded. A request
    that shows none costs nothing then. Returns the row as it is now.

    Raises:
        Refused: `DeviceProofRequired`, `HardwareMismatch`.
    """
    if is_clone(own.jkt, device.shown):
        async with platform.unit_of_work(origin) as work:
            await record_clone(work, own)
    require_key(license_.device_proof, own.jkt, device.shown)
    keyed = own.with_key(device, platform.now())
    if keyed is own:
        return own
    ids = (own.institution_id, own.license_id)
    async with platform.unit_of_work(origin) as work:
        # In order, since what is stored of a device without these locks is overwritten.
        if await reading.lock_terms(work.db, [ids]):
            await lock_pool(work, ids)
        if await storage.record_key(work.db, keyed):
            return keyed
        key = (*ids, own.hardware_id)
        found = (await find_devices(work.db, [key])).get(key)
    if found is None or found.jkt is None:
        return own  # removed meanwhile, which whatever needs the device finds out
    require_key(license_.device_proof, found.jkt, device.shown)
    return found


async def record_clone(work: UnitOfWork, own: Activation) -> None:
    """Record that a device showed another key than the one of its row, once a day."""
    topic = (own.institution_id, f"clone:{own.id}")
    if topic in await claim_topics(work.db, [topic], CLONE_EVENT_INTERVAL, work.recorded_at):
        await record_device_event(work, EventKind.ACTIVATION_CLONE_DETECTED, own)


async def claim_proof(
    platform: Platform, license_: License, hardware_id: str, shown: ShownProof
) -> None:
    """Check that a proof, where the license asks for them, was not used to activate the device.

    Raises:
        Refused: `DeviceProofRequired`.
    """
    if license_.device_proof is DeviceProof.OFF:
        return
    proof = shown.proof
    if proof is None:
        return
    key = (license_.institution_id, license_.id, hardware_id)
    async with platform.database.transaction() as db:
        if not await storage.claim_proof(db, key, proof):
            raise refusal_of(ProofFault.REPLAYED)
