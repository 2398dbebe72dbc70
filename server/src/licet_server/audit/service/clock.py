"""Evidence from the audit log about the clock of this machine."""

from licet_server.events.storage.chains import fetch_times
from licet_server.kit.clock_trust import Confirmation, Evidence, write_confirmation
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform


async def read_evidence(db: Connection) -> Evidence:
    """Read the database's clock and the time of the last seal."""
    return Evidence(*await fetch_times(db))


async def confirm_clock(platform: Platform) -> Confirmation:
    """Take this machine's clock for right from now on, whatever the last seal says."""
    async with platform.database.reading() as db:
        evidence = await read_evidence(db)
    confirmation = Confirmation(platform.clock(), evidence.sealed_at)
    write_confirmation(platform.settings.data_dir, confirmation)
    return confirmation


async def check_clock(platform: Platform) -> int:
    """Check the clock of this process; returns how many faults it has."""
    trust = platform.clock_trust
    if trust is None:
        return 0
    async with platform.database.reading() as db:
        await trust.check(db)
    return 0 if trust.fault is None else 1
