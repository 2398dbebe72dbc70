"""Import of devices with their licenses, many at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from licet_server.devices.rules.model import Activation, Device, new_activation
from licet_server.devices.service.events import created_device_event
from licet_server.devices.storage import counters
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.events.service.recording import record_events
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License


@dataclass(frozen=True, slots=True)
class ImportedDevice:
    """A device of a license that was just inserted, and when it began to use it."""

    license: License
    device: Device
    since: datetime | None


async def import_devices(work: UnitOfWork, imported: Sequence[ImportedDevice]) -> None:
    """Give each device its seat; a node-locked license, of one device, is bound to it.

    The caller has made sure that there are no more devices than seats.
    """
    if not imported:
        return
    made = [_activation(work, item) for item in imported]
    used = Counter((item.institution_id, item.license_id) for item in made)
    await counters.insert_counters(work.db, used, work.now.date())
    await ACTIVATIONS.insert_all(work.db, made)
    await record_events(work, [created_device_event(item) for item in made])


def _activation(work: UnitOfWork, imported: ImportedDevice) -> Activation:
    license_ = imported.license
    since = min(imported.since or work.now, work.now)
    made = new_activation(license_, imported.device, work.new_id(), since, holds_seat=True)
    return replace(made, bound=license_.traits.is_node_locked)
