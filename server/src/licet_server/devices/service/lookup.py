"""What is known of machines, for features that decide by it."""

from collections.abc import Sequence

from licet_server.devices.rules.model import (
    Activation,
    DeviceFacts,
    DeviceKey,
    DeviceNames,
    NamedDevices,
)
from licet_server.devices.rules.standing import may_connect, standing_of
from licet_server.devices.storage import activations as storage
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import LicenseTerms


async def find_facts(db: Connection, keys: Sequence[DeviceKey]) -> dict[DeviceKey, DeviceFacts]:
    """What is known of these machines on their licenses, in one statement; each key is there."""
    return await storage.fetch_facts(db, list(dict.fromkeys(keys))) if keys else {}


async def find_devices(db: Connection, keys: Sequence[DeviceKey]) -> dict[DeviceKey, Activation]:
    """The rows of these machines; those without one are absent."""
    facts = await find_facts(db, keys)
    return {key: item.own for key, item in facts.items() if item.own is not None}


async def find_named(db: Connection, names: Sequence[DeviceNames]) -> list[NamedDevices]:
    """The devices that each of these names, by position, in one statement where any is named."""
    asked = dict.fromkeys(item for item in names if item[2] is not None or item[3] is not None)
    found = await storage.fetch_named(db, list(asked)) if asked else {}
    return [found.get(item, NamedDevices()) for item in names]


async def lock_admitted(db: Connection, machines: Sequence[tuple[LicenseTerms, str]]) -> list[bool]:
    """Whether each machine (license, hardware id) may hold a session, by position.

    Their rows are held until the transaction ends: a block or a deactivation waits for it.
    """
    keys = [(item.institution_id, item.id, hardware_id) for item, hardware_id in machines]
    if not keys:
        return []
    own = await storage.hold_own(db, list(dict.fromkeys(keys)))
    # A machine whose row is not bound needs no look at the others: it may connect only if the
    # license is not node-locked.
    return [
        may_connect(license_, standing_of(license_, DeviceFacts(own.get(key))))
        for (license_, _), key in zip(machines, keys, strict=True)
    ]
