"""The first Trial of each device, for products that allow a device no other."""

from collections.abc import Sequence
from datetime import datetime, time
from uuid import UUID

from licet_server.devices import errors
from licet_server.devices.rules.admission import (
    TrialKey,
    daily_limit,
    seconds_until_midnight,
    trial_key,
)
from licet_server.devices.storage import trials as storage
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading


async def find_first_trials(db: Connection, keys: Sequence[TrialKey]) -> dict[TrialKey, UUID]:
    """Find the license of the first Trial of each device; devices without one are omitted."""
    return await storage.fetch_first_trials(db, keys) if keys else {}


async def begin_trial(work: UnitOfWork, license_: License, hardware_id: str) -> UUID:
    """Store that the device uses this Trial, unless it had one. Returns the license of its first.

    A device that is activated on a Trial from before the product allowed one only has had that.

    Raises:
        Refused: `RateLimited` beyond the daily limit of new devices.
    """
    key = trial_key(license_, hardware_id)
    midnight = datetime.combine(work.now.date(), time(), work.now.tzinfo)
    ids = (license_.institution_id, license_.id)
    limit = daily_limit(license_)
    if await storage.count_trial_devices(work.db, ids, midnight) >= limit:
        raise errors.too_many_new_devices(limit, seconds_until_midnight(work.now))
    earlier = await _find_activated_trial(work, key)
    await storage.insert_first_trial(work.db, key, earlier or license_.id, work.now)
    return (await storage.fetch_first_trials(work.db, [key]))[key]


async def _find_activated_trial(work: UnitOfWork, key: TrialKey) -> UUID | None:
    found = await storage.fetch_licenses_of_device(work.db, key)
    terms = await reading.find_terms(work.db, [(key[0], item) for item in found])
    return next((item for item in found if item in terms and terms[item].traits.is_trial), None)
