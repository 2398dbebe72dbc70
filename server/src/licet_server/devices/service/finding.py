"""Search for a few devices."""

from datetime import datetime

from licet_server.devices.rules.model import Activation
from licet_server.devices.storage.finding import fetch_device, fetch_matching
from licet_server.kit.database import Connection
from licet_server.kit.ids import id_in
from licet_server.kit.visibility import Visibility


async def search_devices(
    db: Connection, visibility: Visibility, text: str, limit: int, now: datetime
) -> list[Activation]:
    """Find devices by ID, or by the beginning of a hardware ID or name: a few, in no order."""
    identifier = id_in(text)
    found = await fetch_matching(db, visibility, text, limit, now)
    if identifier is not None:
        found += await fetch_device(db, visibility, identifier, now)
    return list({item.id: item for item in found}.values())
