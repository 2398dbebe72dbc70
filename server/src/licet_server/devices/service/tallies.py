"""Counts of devices, for lists and statistics, and those that wait for somebody."""

from collections.abc import Sequence
from uuid import UUID

from licet_server.devices.rules.model import Activation, ActivationStatus, AttemptedAccess, Tally
from licet_server.devices.storage import activations, attempts, tallies
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId


async def find_tallies(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, Tally]:
    """Seats used and unreviewed attempts by license id, in one statement.

    A license that never had a device is absent.
    """
    return await tallies.fetch_tallies(db, ids) if ids else {}


async def count_devices(db: Connection, visibility: Visibility) -> dict[ActivationStatus, int]:
    """How many devices there are of each status, of one product or of all."""
    return await activations.count_by_status(db, visibility)


async def count_unreviewed_attempts(db: Connection, visibility: Visibility) -> int:
    """How many access attempts nobody has reviewed, of one product or of all."""
    return await attempts.count_unreviewed(db, visibility)


async def find_most_activated(
    db: Connection, visibility: Visibility, limit: int
) -> list[tuple[UUID, int]]:
    """The licenses on the most devices, with the number of these, most first."""
    return await activations.fetch_most_seats(db, visibility, limit)


async def count_pending(db: Connection, visibility: Visibility) -> int:
    """How many devices wait for approval."""
    return await activations.count_pending(db, visibility)


async def find_pending(db: Connection, visibility: Visibility, limit: int) -> list[Activation]:
    """The devices that wait for approval, those first that have waited longest."""
    return await activations.fetch_pending(db, visibility, limit)


async def find_attempted(
    db: Connection, visibility: Visibility, limit: int
) -> list[AttemptedAccess]:
    """The licenses that foreign machines tried which nobody has reviewed, latest first."""
    return await attempts.fetch_attempted(db, visibility, limit)
