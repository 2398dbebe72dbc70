"""The lock on the seats of a license, which serializes transactions that take or release them."""

from licet_server.devices.rules.model import DeviceCounters
from licet_server.devices.storage import activations, counters
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import LicenseId


async def lock_pool(work: UnitOfWork, license_id: LicenseId) -> DeviceCounters:
    """Lock the counters of a license and return them; its terms must be locked.

    Released devices whose license files have ended are deleted first, so that none is seen or
    counted from here on.
    """
    counts = (await counters.lock_counters(work.db, [license_id], work.now.date()))[license_id[1]]
    if counts.seats_waiting == 0:
        return counts
    lapsed = await activations.delete_lapsed(work.db, license_id, work.now)
    if lapsed == 0:
        return counts
    return await counters.remove_waiting(work.db, license_id, lapsed)
