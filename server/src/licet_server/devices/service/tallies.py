"""Counts of devices, for lists and statistics."""

from collections.abc import Sequence
from uuid import UUID

from licet_server.devices.rules.model import ActivationStatus, Tally
from licet_server.devices.storage import activations, tallies
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import LicenseId


async def find_tallies(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, Tally]:
    """Seats used and unreviewed attempts by license id, in one statement.

    A license that never had a device is absent.
    """
    return await tallies.fetch_tallies(db, ids) if ids else {}


async def count_devices(
    db: Connection, institution_ids: list[UUID], product_id: UUID | None
) -> dict[ActivationStatus, int]:
    """How many devices there are of each status, of one product or of all."""
    return await activations.count_by_status(db, institution_ids, product_id)
