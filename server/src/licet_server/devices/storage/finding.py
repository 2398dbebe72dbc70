"""Search for a few devices, with queries that stop after a few rows."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select, union_all

from licet_server.devices.rules.model import Activation
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.devices.storage.seats import has_not_lapsed
from licet_server.devices.tables import activations
from licet_server.kit.database import Connection
from licet_server.kit.filters import visible_to
from licet_server.kit.visibility import Visibility


async def fetch_device(
    db: Connection, visibility: Visibility, activation_id: UUID, now: datetime
) -> list[Activation]:
    """Fetch the device with this activation."""
    statement = _visible(visibility, now).where(activations.c.id == activation_id)
    return await ACTIVATIONS.all(db, statement)


async def fetch_matching(
    db: Connection, visibility: Visibility, text: str, limit: int, now: datetime
) -> list[Activation]:
    """Fetch devices whose name or hardware ID begins with the text, up to `limit` of each kind."""
    visible = _visible(visibility, now)
    hardware_id, name = func.lower(activations.c.hardware_id), func.lower(activations.c.device_name)
    start = text.lower()
    parts = [
        visible.where(hardware_id == start),
        visible.where(name == start),
        visible.where(hardware_id.startswith(start, autoescape=True)),
        visible.where(name.startswith(start, autoescape=True)),
    ]
    statement = union_all(*(select(part.limit(limit).subquery()) for part in parts))
    return [ACTIVATIONS.item(row) for row in await db.execute(statement)]


def _visible(visibility: Visibility, now: datetime) -> Select[Any]:
    return ACTIVATIONS.select(
        visible_to(visibility, activations.c.institution_id, activations.c.product_id),
        has_not_lapsed(now),
    )
