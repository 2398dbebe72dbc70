"""Carries the devices of imported licenses over, many at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from licet_server.devices.rules.model import Activation, Device
from licet_server.devices.service.events import created_device_event
from licet_server.devices.storage import activations, counters
from licet_server.events.service.recording import record_events
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License


@dataclass(frozen=True, slots=True)
class CarriedDevice:
    """A device of a license that was just inserted, and when it began to use it."""

    license: License
    device: Device
    since: datetime | None


async def carry_devices(work: UnitOfWork, carried: Sequence[CarriedDevice]) -> None:
    """Give each device its seat; a node-locked license, of one device, is bound to it.

    The caller has made sure that there are no more devices than seats.
    """
    if not carried:
        return
    made = [_activation(work, item) for item in carried]
    used = Counter((item.institution_id, item.license_id) for item in made)
    await counters.insert_counters(work.db, used, work.now.date())
    await activations.insert_activations(work.db, made)
    await record_events(work, [created_device_event(item) for item in made])


def _activation(work: UnitOfWork, carried: CarriedDevice) -> Activation:
    license_, device = carried.license, carried.device
    since = min(carried.since or work.now, work.now)
    return Activation(
        institution_id=license_.institution_id,
        id=work.new_id(),
        license_id=license_.id,
        product_id=license_.product_id,
        hardware_id=device.hardware_id,
        device_name=device.name,
        os=device.os,
        app_version=device.app_version,
        metadata=device.metadata,
        holds_seat=True,
        bound=license_.traits.is_node_locked,
        blocked_at=None,
        created_at=since,
        activated_at=since,
        last_seen_at=since,
    )
