"""Whose row a device has: its key is checked, and a machine that has changed is found.

Machines are looked for among the devices of their license, under its locks.
"""

from collections.abc import Sequence
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices.rules.admission import RELEASE_PERIOD, ReleasedBy
from licet_server.devices.rules.components import (
    KnownComponents,
    accepted,
    bound,
    changed_names,
    drifted,
    is_recognizable,
    mark_of,
    parts_of,
)
from licet_server.devices.rules.model import Activation, Device, DeviceFacts
from licet_server.devices.rules.proofs import (
    ProofFault,
    ShownProof,
    is_clone,
    refusal_of,
    require_key,
)
from licet_server.devices.rules.recognition import (
    BlockedMachine,
    KnownMachine,
    SameMachine,
    as_clone,
    as_matched,
    is_sought,
    plain_id,
    recognized,
)
from licet_server.devices.service.events import record_device_event
from licet_server.devices.service.lookup import find_devices
from licet_server.devices.service.seats import DeviceHooks, lock_pool
from licet_server.devices.storage import recognition as storage
from licet_server.devices.storage import releases
from licet_server.devices.storage.activations import ACTIVATIONS, fetch_facts_of
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import claim_topics
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.file import FileDevice
from licet_server.licenses.rules.model import EXACT, AtLeast, DeviceProof, License, OnClone
from licet_server.licenses.service import reading
from licet_server.licenses.service.device_tokens import end_device_tokens

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


class Recognition(Struct, frozen=True):
    """What is known of a device after it was looked for.

    It `is_moved` if its hardware ID is a new one of its row. It `is_clone` if it proves the key of
    a device that it is not. It `is_blocked` if it is a blocked device with another hardware ID or
    key, whose row stays as it was.
    """

    facts: DeviceFacts
    is_moved: bool = False
    is_clone: bool = False
    is_blocked: bool = False


async def find_machine(
    platform: Platform,
    hooks: DeviceHooks,
    settings: ProductSettings,
    license_: License,
    device: Device,
    facts: DeviceFacts,
    origin: Origin,
) -> Recognition | None:
    """Look for a device that would be refused; return what is known of it now, if it is found.

    The locks are taken only where it is one of the devices of its license.
    """
    if not is_sought(license_, device, facts):
        return None
    async with platform.database.reading() as db:
        candidates = await _candidates(db, license_, as_matched(license_, device), facts)
    seen = recognized(license_, device, candidates, platform.now())
    if not isinstance(seen, SameMachine | BlockedMachine):
        return None
    ids = (license_.institution_id, license_.id)
    async with platform.unit_of_work(origin) as work:
        if not await reading.lock_terms(work.db, [ids]):
            return None
        await lock_pool(work, ids)
        locked = await fetch_facts_of(work.db, license_, device.hardware_id)
        found = await recognize(work, hooks, settings, license_, device, locked)
    return None if found.facts is locked else found


async def recognize(
    work: UnitOfWork,
    hooks: DeviceHooks,
    settings: ProductSettings,
    license_: License,
    device: Device,
    facts: DeviceFacts,
) -> Recognition:
    """Give a machine that has changed its row, if it is a device of the license.

    Its license and the license's counters are locked, so that of two machines that could have one
    row, one gets it. A key that was lost is replaced as often as a device may be released.
    """
    if not is_sought(license_, device, facts):
        return Recognition(facts)
    device = as_matched(license_, device)
    candidates = await _candidates(work.db, license_, device, facts)
    found = recognized(license_, device, candidates, work.now)
    if isinstance(found, KnownMachine):
        await record_clone(work, found.activation)
        return Recognition(facts, is_clone=True)
    if isinstance(found, BlockedMachine):
        return Recognition(DeviceFacts(found.known.activation), is_blocked=True)
    if found is None or (found.is_rekeyed and not await _count_key(work, settings, license_)):
        return Recognition(facts)
    before = found.known.activation
    is_shared = facts.own is not None and facts.own.id != before.id
    after = await _take_over(work, hooks, as_clone(device) if is_shared else device, found)
    other = facts.bound_other
    is_other = other is not None and other.id != after.id
    return Recognition(
        DeviceFacts(after, other if is_other else None),
        is_moved=after.hardware_id != before.hardware_id,
    )


async def _candidates(
    db: Connection, license_: License, device: Device, facts: DeviceFacts
) -> Sequence[KnownMachine]:
    own, match = facts.own, license_.machine_match
    if not isinstance(match, AtLeast):
        return ()
    if own is not None and license_.on_clone is OnClone.REFUSE:
        if own.released_at is not None:
            return ()
        return [KnownMachine(own, (await storage.fetch_components(db, [own]))[own.id])]
    proof, ids = device.shown.proof, (license_.institution_id, license_.id)
    jkt = None if proof is None else proof.jkt
    return await storage.fetch_candidates(db, ids, device.components, match.at_least, jkt)


async def _count_key(work: UnitOfWork, settings: ProductSettings, license_: License) -> bool:
    """Count a new key of a device among the releases, if one is left. Returns whether it was."""
    ids, since = (license_.institution_id, license_.id), work.now - RELEASE_PERIOD
    released = await releases.fetch_releases(work.db, ids, ReleasedBy.HOLDER, since)
    if len(released) >= settings.device_releases_per_year:
        return False
    await releases.insert_rekey(work.db, release_id=work.new_id(), license_id=ids, now=work.now)
    return True


async def _take_over(
    work: UnitOfWork, hooks: DeviceHooks, device: Device, found: SameMachine
) -> Activation:
    """Store what the machine is now in the row of the device that it was."""
    before, proof = found.known.activation, device.shown.proof
    after = replace(
        before,
        hardware_id=device.hardware_id,
        components_mark=mark_of(device.components),
        last_seen_at=work.now,
    )
    if found.is_rekeyed and proof is not None:
        after = replace(after, jkt=proof.jkt, key_level=device.key_level, key_since=work.now)
    after = after.with_key(device, work.now)
    await ACTIVATIONS.save(work.db, after)
    if before.hardware_id != after.hardware_id:
        await end_device_tokens(work.db, before.institution_id, before.id)
        await hooks.device_moved(work, before)
    await _save_drift(work, after, found.known.components, found.components)
    if found.is_rekeyed:
        await record_device_event(work, EventKind.ACTIVATION_REKEYED, after)
    return after


async def _save_drift(
    work: UnitOfWork, device: Activation, before: KnownComponents, after: KnownComponents
) -> None:
    names = changed_names(before, after)
    if names:
        await storage.replace_components(work.db, device, after)
        await record_device_event(work, EventKind.ACTIVATION_DRIFTED, device, changed=names)


def is_to_learn(license_: License, device: Device, own: Activation) -> bool:
    """Return whether a device shows other components than the last time."""
    components = as_matched(license_, device).components
    return bool(components) and own.components_mark != mark_of(components)


async def learn_components(
    work: UnitOfWork, license_: License, device: Device, own: Activation
) -> Activation:
    """Bind a device that is known by its hardware ID with its components, or store its changes.

    What has changed beyond what may is not stored, and recorded as a clone: the device stays what
    it is by its hardware ID. The caller has locked the license's counters.
    """
    match = license_.machine_match
    if not isinstance(match, AtLeast) or not is_to_learn(license_, device, own):
        return own
    components = as_matched(license_, device).components
    known = (await storage.fetch_components(work.db, [own]))[own.id]
    after: KnownComponents | None
    if is_recognizable(match, known):
        after = drifted(match, known, components, plain_id(own), work.now)
        if after is None:
            await record_clone(work, own)
            return own
        await _save_drift(work, own, known, after)
    else:
        after = bound(plain_id(own), components, work.now)
        await storage.replace_components(work.db, own, after)
    learned = replace(own, components_mark=mark_of(components))
    await ACTIVATIONS.update(work.db, learned, "components_mark")
    return learned


async def device_in_file(
    db: Connection, license_: License, hardware_id: str, device: Activation | None
) -> FileDevice:
    """Return what a license file says of its device; a statement only for one with components."""
    if device is None:
        return FileDevice(hardware_id)
    hardware_id = plain_id(device)
    if license_.machine_match == EXACT:
        return FileDevice(hardware_id, device.jkt)
    known = (await storage.fetch_components(db, [device]))[device.id]
    components = {name: item.value for name, item in parts_of(known).items()}
    return FileDevice(hardware_id, device.jkt, components)


async def accept_components(work: UnitOfWork, device: Activation) -> None:
    """Make the present components of a device those that it was bound with."""
    known = (await storage.fetch_components(work.db, [device]))[device.id]
    if known:
        await storage.replace_components(work.db, device, accepted(known, work.now))
