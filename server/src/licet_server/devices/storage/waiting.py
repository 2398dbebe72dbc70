"""Queries of the devices that wait for approval, but for those of licenses that were stopped.

They wait again once their license is reinstated or restored.
"""

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
from licet_server.licenses.tables import licenses


async def count_waiting(db: Connection, visibility: Visibility) -> int:
    """Count the devices that wait for approval."""
    return int((await db.execute(*_count(visibility))).scalar_one())


@kept
def _count(visibility: Visibility) -> Select[Any]:
    return _waiting(select(func.count()), visibility)


async def fetch_waiting(db: Connection, visibility: Visibility, limit: int) -> list[Activation]:
    """Fetch the devices that wait for approval, oldest first."""
    return await ACTIVATIONS.all(db, *_first(visibility, limit))


@kept
def _first(visibility: Visibility, limit: int) -> Select[Any]:
    return _waiting(ACTIVATIONS.select(), visibility).order_by(activations.c.id).limit(limit)


def _waiting(selected: Select[Any], visibility: Visibility) -> Select[Any]:
    return selected.select_from(_OF_LICENSES).where(
        visible_to(visibility, activations.c.institution_id, activations.c.product_id),
        has_status(ActivationStatus.PENDING),
        licenses.c.revoked_at.is_(None),
        licenses.c.suspended_at.is_(None),
    )


_OF_LICENSES: Join = activations.join(
    licenses,
    and_(
        licenses.c.institution_id == activations.c.institution_id,
        licenses.c.id == activations.c.license_id,
    ),
)
