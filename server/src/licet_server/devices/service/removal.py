"""A device leaves its license, by whoever's doing."""

from licet_server.devices.rules.model import Activation
from licet_server.devices.service.events import record_device_event
from licet_server.devices.storage import activations, tallies
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.unit_of_work import UnitOfWork


async def remove_device(work: UnitOfWork, current: Activation, by: str) -> Activation:
    """Remove a device, and tell by whom; answers what was removed.

    The caller holds its license, its tally and itself.
    """
    ids = (current.institution_id, current.license_id)
    await activations.delete_activation(work.db, current)
    if current.holds_seat:
        await tallies.give_back_seats(work.db, ids, 1)
    if current.created_at.date() == work.now.date():
        await tallies.count_new_rows(work.db, ids, -1)
    await record_device_event(work, EventKind.ACTIVATION_DELETED, current, reason=by)
    return current
