"""Look-ups of devices, for features whose decisions depend on them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.catalog.reading import find_settings, release_versions
from licet_server.devices import errors
from licet_server.devices.rules.admission import (
    device_state_of,
    is_reclaimable,
    may_connect,
    seats_total,
)
from licet_server.devices.rules.components import KnownComponents
from licet_server.devices.rules.model import (
    Activation,
    DeviceFacts,
    DeviceKey,
    DeviceNames,
    LicensedDevice,
    NamedDevices,
    SeatedFacts,
)
from licet_server.devices.rules.proofs import ShownProof, require_key
from licet_server.devices.rules.recognition import may_have_own_seat, own_seat_id, takes_own_seat
from licet_server.devices.service.seats import DeviceHooks
from licet_server.devices.storage import activations as storage
from licet_server.devices.storage import licensed
from licet_server.devices.storage.activations import fetch_device, fetch_matching
from licet_server.devices.storage.recognition import fetch_components
from licet_server.kit.database import Connection
from licet_server.kit.ids import id_in
from licet_server.kit.together import Found, Query
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import DeviceProof, License, LicenseKeyOf, LicenseTerms
from licet_server.licenses.rules.tokens import DeviceTokenOf
from licet_server.licenses.service import reading

Sought = tuple[LicenseKeyOf | DeviceTokenOf, str | None]
"""What identifies the license of a request, and the hardware ID of its device, if it has one."""


async def find_facts(db: Connection, keys: Sequence[DeviceKey]) -> dict[DeviceKey, DeviceFacts]:
    """Find the facts about these devices in one statement; every key is included."""
    return await storage.fetch_facts(db, list(dict.fromkeys(keys))) if keys else {}


async def find_seated_facts(
    db: Connection, keys: Sequence[DeviceKey], now: datetime
) -> dict[DeviceKey, SeatedFacts]:
    """Find the facts about these devices, and the seats in use at `now`, in one statement."""
    return await storage.fetch_seated_facts(db, list(dict.fromkeys(keys)), now) if keys else {}


async def find_licensed(
    db: Connection, wanted: Sequence[Sought], now: datetime
) -> list[LicensedDevice | None]:
    """Find licenses by their keys with the facts about a device, by position, in one statement.

    A further one for each kind of fact finds what answers to a former key or a device token.
    """
    found: dict[Sought, LicensedDevice | None] = dict.fromkeys(wanted)
    keys = [(key, machine or "") for key, machine in found if not isinstance(key, DeviceTokenOf)]
    by_keys = await licensed.fetch_by_keys(db, keys, now) if keys else []
    with_keys = [item for item in found if not isinstance(item[0], DeviceTokenOf)]
    found.update(zip(with_keys, by_keys, strict=True))
    others = [item for item, device in found.items() if device is None]
    if others:
        licenses = await reading.find_by_other_keys(db, [key for key, _ in others], now)
        known = [item for item in others if item[0] in licenses]
        facts = await find_about_devices(db, [(licenses[key], it) for key, it in known], now)
        found.update(zip(known, facts, strict=True))
    return [found[item] for item in wanted]


async def find_about_devices(
    db: Connection, devices: Sequence[tuple[License, str | None]], now: datetime
) -> list[LicensedDevice]:
    """Find the facts about a device of each license by its hardware ID, by position.

    Without one, they are the seats in use and what the license is bound to.
    """
    releases = {(item.institution_id, item.software_release_id) for item, _ in devices}
    versions = await release_versions(db, list(releases))
    keys = [(item.institution_id, item.id, hardware_id or "") for item, hardware_id in devices]
    facts = await find_seated_facts(db, keys, now)
    return [
        LicensedDevice(item, versions.get(item.software_release_id), facts[key])
        for (item, _), key in zip(devices, keys, strict=True)
    ]


async def find_devices(db: Connection, keys: Sequence[DeviceKey]) -> dict[DeviceKey, Activation]:
    """Find the activations of these devices; devices without one are omitted."""
    facts = await find_facts(db, keys)
    return {key: item.own for key, item in facts.items() if item.own is not None}


async def find_named(db: Connection, names: Sequence[DeviceNames]) -> list[NamedDevices]:
    """Find the devices that each item refers to, by position; at most one statement."""
    requested = dict.fromkeys(item for item in names if item[2] is not None or item[3] is not None)
    found = await storage.fetch_named(db, list(requested)) if requested else {}
    return [found.get(item, NamedDevices()) for item in names]


def locking_for_share(devices: Sequence[tuple[LicenseTerms, str]]) -> Query:
    """Return what locks devices (license, hardware ID) `FOR SHARE`, for `admitted_among`.

    A block or deactivation waits until the transaction ends.
    """
    return storage.locking_own_for_share(list(dict.fromkeys(map(_key_of, devices))))


def admitted_among(devices: Sequence[tuple[LicenseTerms, str]], locked: Found) -> list[bool]:
    """Return whether each of these devices may hold a session, by position."""
    own = storage.devices_in(locked)
    # Whether another device is bound does not matter: a device that is not bound itself may connect
    # only if the license is not node-locked.
    return [
        may_connect(item[0], device_state_of(item[0], DeviceFacts(own.get(_key_of(item)))))
        for item in devices
    ]


def _key_of(device: tuple[LicenseTerms, str]) -> DeviceKey:
    license_, hardware_id = device
    return (license_.institution_id, license_.id, hardware_id)


def require_named(license_: License, hardware_id: str | None) -> None:
    """Check that a request names its device, if a device of the license is blocked.

    Raises:
        Refused: `InvalidRequest`.
    """
    if license_.blocked_devices > 0 and hardware_id is None:
        raise errors.hardware_id_required()


async def require_not_blocked(db: Connection, license_: License, hardware_id: str | None) -> None:
    """Check that the device of a request is not blocked; a statement only if one is.

    Raises:
        Refused: `InvalidRequest`, `DeviceBlocked`.
    """
    require_named(license_, hardware_id)
    if license_.blocked_devices == 0 or hardware_id is None:
        return
    device = (await storage.fetch_facts_of(db, license_, hardware_id)).own
    if device is not None and device.blocked_at is not None:
        raise errors.blocked()


async def require_proven(
    db: Connection, license_: License, hardware_id: str | None, shown: ShownProof
) -> None:
    """Check the proof of a request where its license asks for one; a statement only then.

    Raises:
        Refused: `DeviceProofRequired`, `HardwareMismatch`.
    """
    if license_.device_proof is DeviceProof.OFF:
        return
    device = (await storage.fetch_facts_of(db, license_, hardware_id or "")).own
    require_key(license_.device_proof, None if device is None else device.jkt, shown)


async def find_own(
    db: Connection, license_: License, hardware_id: str, shown: ShownProof
) -> tuple[str, DeviceFacts]:
    """Find a device that has proven what it must, and the hardware ID of its row.

    That of a clone with a seat of its own is another one.

    Raises:
        Refused: `DeviceProofRequired`, `HardwareMismatch`.
    """
    facts = await storage.fetch_facts_of(db, license_, hardware_id)
    if may_have_own_seat(license_, hardware_id, facts, shown):
        clone_id = own_seat_id(hardware_id, shown)
        clone = await storage.fetch_facts_of(db, license_, clone_id)
        if clone.own is not None or takes_own_seat(license_, facts.own, shown):
            hardware_id, facts = clone_id, clone
    require_key(license_.device_proof, None if facts.own is None else facts.own.jkt, shown)
    return hardware_id, facts


async def find_components(
    db: Connection, devices: Sequence[Activation]
) -> dict[UUID, KnownComponents]:
    """Find the components of devices by their IDs; a statement only where one has any."""
    return await fetch_components(db, devices)


async def search_devices(
    db: Connection, visibility: Visibility, text: str, limit: int, now: datetime
) -> list[Activation]:
    """Find devices by ID, or by the beginning of a hardware ID or name: a few, in no order."""
    identifier = id_in(text)
    found = await fetch_matching(db, visibility, text, limit, now)
    if identifier is not None:
        found += await fetch_device(db, visibility, identifier, now)
    return list({item.id: item for item in found}.values())


async def count_reclaimable(
    db: Connection, hooks: DeviceHooks, license_: License, now: datetime
) -> int:
    """Count the devices of a license that `find_reclaimable` would find among all of them."""
    product = (license_.institution_id, license_.product_id)
    settings = (await find_settings(db, [product])).get(license_.product_id)
    idle_days = settings.device_idle_days if settings is not None else None
    if idle_days is None or seats_total(license_) is None:
        return 0
    ids = (license_.institution_id, license_.id)
    in_use = await hooks.devices_in_use(db, ids, now)
    before = now - timedelta(days=idle_days)
    return await storage.count_idle(db, ids, before=before, now=now, in_use=in_use)


async def find_reclaimable(
    db: Connection, hooks: DeviceHooks, devices: Sequence[Activation], now: datetime
) -> set[UUID]:
    """Find those of these devices whose seats a new device would get if no other were free.

    Each goes by the clock of its product, if that has one.
    """
    settings = await find_settings(db, [(it.institution_id, it.product_id) for it in devices])
    days = {product_id: found.device_idle_days for product_id, found in settings.items()}
    asked = [item for item in devices if days.get(item.product_id) is not None]
    if not asked:
        return set()
    visible = Visibility(tuple({item.institution_id for item in asked}))
    licenses = await reading.find_by_ids(db, visible, list({item.license_id for item in asked}))
    reclaimable: set[UUID] = set()
    for license_ in licenses.values():
        ids, instant = (license_.institution_id, license_.id), license_.instant(now)
        idle = [
            item
            for item in asked
            if item.license_id == license_.id
            and is_reclaimable(item, days[item.product_id], instant)
        ]
        if idle and seats_total(license_) is not None:
            in_use = await hooks.devices_in_use(db, ids, instant)
            reclaimable |= {item.id for item in idle if item.hardware_id not in in_use}
    return reclaimable


async def last_seen_of_licenses(
    db: Connection, licenses: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, datetime]:
    """Return when a device of each license was last seen, by institution and license.

    Those without any device are omitted.
    """
    return await licensed.last_seen_by_license(db, licenses)


async def last_seen_of_customers(
    db: Connection, customers: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, datetime]:
    """Return when a device of each customer was last seen, by institution and customer.

    Those without any device are omitted.
    """
    return await licensed.last_seen_by_customer(db, customers)
