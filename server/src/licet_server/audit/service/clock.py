"""Evidence from the audit log about the clock of this machine."""

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE
from licet_server.events.service.recording import record_for_instance
from licet_server.events.storage.chains import fetch_times
from licet_server.kit.clock_trust import Confirmation, Evidence, write_confirmation
from licet_server.kit.database import Connection
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform


async def read_evidence(db: Connection) -> Evidence:
    """Read the database's clock and the time of the last seal."""
    return Evidence(*await fetch_times(db))


async def confirm_clock(platform: Platform) -> Confirmation:
    """Take this machine's clock for right from now on, whatever the last seal says."""
    async with platform.unit_of_work(CONSOLE) as work:
        evidence = await read_evidence(work.db)
        confirmation = Confirmation(work.now, evidence.sealed_at)
        kind = EventKind.INSTANCE_CLOCK_CONFIRMED
        data = {"at": confirmation.at, "sealedAt": confirmation.sealed_at}
        await record_for_instance(work, kind, subject_id=INSTANCE, data=data)
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
