"""Removes devices, for every caller."""

from licet_server.devices.rules.model import Activation
from licet_server.devices.service.events import record_device_event
from licet_server.devices.service.hooks import DeviceHooks
from licet_server.devices.storage import activations, counters
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.unit_of_work import UnitOfWork


async def remove_device(
    work: UnitOfWork, hooks: DeviceHooks, device: Activation, *, removed_by: str
) -> None:
    """Remove a device, release its seat, and record who removed it.

    The caller has locked its license, the license's counters and the device.
    """
    ids = (device.institution_id, device.license_id)
    await activations.delete_activation(work.db, device)
    if device.holds_seat:
        await counters.decrement_seats(work.db, ids, 1)
    if device.created_at.date() == work.now.date():
        await counters.add_new_rows(work.db, ids, -1)
    await record_device_event(work, EventKind.ACTIVATION_DELETED, device, reason=removed_by)
    await hooks.device_removed(work, device)
