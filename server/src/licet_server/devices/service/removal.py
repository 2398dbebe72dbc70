"""Removal of devices."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from msgspec.structs import replace

from licet_server.devices.rules.model import Activation
from licet_server.devices.service.events import record_device_event
from licet_server.devices.service.seats import return_free_seats
from licet_server.devices.storage import counters
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.service.device_tokens import end_device_tokens
from licet_server.licenses.service.reading import add_blocked_devices


class DeviceHooks(Protocol):
    """Reactions to changes of devices, in the transaction of the change; wired in `app`.

    The license, its device counters and the device are locked.
    """

    async def device_blocked(self, work: UnitOfWork, device: Activation) -> None:
        """React to a block; also called where the device was blocked already."""
        ...

    async def devices_in_use(
        self, db: Connection, license_id: LicenseId, now: datetime
    ) -> Collection[str]:
        """Return the hardware IDs of the devices that use the license right now."""
        ...

    async def device_removed(self, work: UnitOfWork, device: Activation) -> None:
        """React to the removal of a device, given as it was before."""
        ...

    async def device_moved(self, work: UnitOfWork, device: Activation) -> None:
        """React to another hardware ID of a device, given as it was before."""
        ...

    async def seats_taken(
        self, work: UnitOfWork, licenses: Sequence[License]
    ) -> Mapping[UUID, int]:
        """End the sessions of devices that may hold none under these terms.

        Return how many were live, by the ID of the license.
        """
        ...


async def remove_device(
    work: UnitOfWork, hooks: DeviceHooks, device: Activation, *, removed_by: str
) -> Activation:
    """Remove a device, and record who removed it. Returns it as it is now.

    A device with a license file that has not ended keeps its seat until then, since the file works
    without the server. All others are deleted at once. A seat that is free is returned to a device
    over the limit, if there is one.

    The caller has locked its license, the license's counters and the device.
    """
    if device.works_until(work.now) is None:
        return await delete_device(work, hooks, device, removed_by=removed_by)
    released = replace(device, blocked_at=None, released_at=work.now)
    await ACTIVATIONS.save(work.db, released)
    await end_device_tokens(work.db, device.institution_id, device.id)
    if device.holds_seat:
        ids = (device.institution_id, device.license_id)
        await counters.move_seats(work.db, ids, waiting=1)
    await _unblock(work, device)
    await record_device_event(work, EventKind.ACTIVATION_DELETED, released, reason=removed_by)
    await hooks.device_removed(work, device)
    return released


async def delete_device(
    work: UnitOfWork,
    hooks: DeviceHooks,
    device: Activation,
    *,
    removed_by: str,
    kind: EventKind = EventKind.ACTIVATION_DELETED,
) -> Activation:
    """Remove a device whose seat is free at once, whatever license file it has.

    Returns it as it is now.
    """
    ids = (device.institution_id, device.license_id)
    await ACTIVATIONS.delete(work.db, device)
    counts = await counters.move_seats(
        work.db,
        ids,
        used=-device.holds_seat,
        waiting=-(device.holds_seat and device.released_at is not None),
        over_limit=-(device.over_limit_at is not None),
    )
    if device.created_at.date() == work.now.date():
        await counters.add_new_rows(work.db, ids, -1)
    await _unblock(work, device)
    removed = device.removed(work.now)
    await record_device_event(work, kind, removed, reason=removed_by)
    await hooks.device_removed(work, device)
    await return_free_seats(work, ids, counts)
    return removed


async def _unblock(work: UnitOfWork, device: Activation) -> None:
    if device.blocked_at is not None:
        await add_blocked_devices(work.db, (device.institution_id, device.license_id), -1)
