"""Queries of the devices that wait for approval, but for those of licenses that do not work.

They wait again once their license is reinstated, restored or extended.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, func, select
from sqlalchemy.sql.selectable import Join

from licet_server.devices.rules.model import Activation, ActivationStatus
from licet_server.devices.storage.activations import ACTIVATIONS, has_status
from licet_server.devices.tables import activations
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept
from licet_server.kit.statements import visible_to
from licet_server.kit.visibility import Visibility
from licet_server.licenses.storage.lists import works_at
from licet_server.licenses.tables import licenses


async def count_waiting(db: Connection, visibility: Visibility, now: datetime) -> int:
    """Count the devices that wait for approval."""
    return int((await db.execute(*_count(visibility, now))).scalar_one())


@kept
def _count(visibility: Visibility, now: datetime) -> Select[Any]:
    return _waiting(select(func.count()), visibility, now)


async def fetch_waiting(
    db: Connection, visibility: Visibility, limit: int, now: datetime
) -> list[Activation]:
    """Fetch the devices that wait for approval, oldest first."""
    return await ACTIVATIONS.all(db, *_first(visibility, limit, now))


@kept
def _first(visibility: Visibility, limit: int, now: datetime) -> Select[Any]:
    found = _waiting(ACTIVATIONS.select(), visibility, now)
    return found.order_by(activations.c.id).limit(limit)


def _waiting(selected: Select[Any], visibility: Visibility, now: datetime) -> Select[Any]:
    return selected.select_from(_OF_LICENSES).where(
        visible_to(visibility, activations.c.institution_id, activations.c.product_id),
        has_status(ActivationStatus.PENDING),
        works_at(now),
    )


_OF_LICENSES: Join = activations.join(
    licenses,
    and_(
        licenses.c.institution_id == activations.c.institution_id,
        licenses.c.id == activations.c.license_id,
    ),
)
