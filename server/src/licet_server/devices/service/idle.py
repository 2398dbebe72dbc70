"""Devices whose seats new ones may take, because they were not seen for long."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.catalog.reading import find_settings
from licet_server.devices.rules.admission import is_reclaimable, seats_total
from licet_server.devices.rules.model import Activation
from licet_server.devices.service.removal import DeviceHooks
from licet_server.kit.database import Connection
from licet_server.licenses.service import reading


async def find_reclaimable(
    db: Connection, hooks: DeviceHooks, devices: Sequence[Activation], now: datetime
) -> set[UUID]:
    """Find those of these devices whose seats a new device would get if no other were free."""
    settings = await find_settings(db, [(it.institution_id, it.product_id) for it in devices])
    idle = [
        item
        for item in devices
        if item.product_id in settings
        and is_reclaimable(item, settings[item.product_id].device_idle_days, now)
    ]
    terms = await reading.find_terms(db, [(item.institution_id, item.license_id) for item in idle])
    capped = {item.id: item for item in terms.values() if seats_total(item) is not None}
    in_use = {
        item.id: await hooks.devices_in_use(db, (item.institution_id, item.id), now)
        for item in capped.values()
    }
    return {
        item.id
        for item in idle
        if item.license_id in capped and item.hardware_id not in in_use[item.license_id]
    }
