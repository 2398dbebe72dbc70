"""Counts of a license, which are all that some roles see of its devices and sessions."""

from datetime import datetime
from uuid import UUID

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.storage import activations, attempts
from licet_server.devices.storage.counters import fetch_counters
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.licenses.service.reading import fetch_license
from licet_server.sessions.storage.counts import count_live
from licet_server.statistics.schemas.figures import LicenseCounts


async def license_counts(
    db: Connection, operator: Operator, license_id: UUID, now: datetime
) -> LicenseCounts:
    """Count the devices, live sessions and access attempts of a license.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await fetch_license(db, operator, license_id)
    key = (license_.institution_id, license_.id)
    devices = await activations.count_of_license(db, key, now)
    counters = (await fetch_counters(db, [key], now)).get(license_.id)
    return LicenseCounts(
        license_id=license_.id,
        active_devices=devices[ActivationStatus.ACTIVE],
        pending_devices=devices[ActivationStatus.PENDING],
        blocked_devices=devices[ActivationStatus.BLOCKED],
        live_sessions=(await count_live(db, [key], now))[license_.id],
        access_attempts=await attempts.count_of_license(db, key),
        unreviewed_access_attempts=counters.unreviewed_attempts if counters is not None else 0,
    )
