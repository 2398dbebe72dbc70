"""Tells the world of terms that end soon, and of those that have ended, once each.

A license remembers for which end of its term which reminder was the last; so a renewed one starts
anew, and neither downtime nor a clock that is set back repeats anything.
"""

from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.storage.recording import record_many
from licet_server.institutions.service.audience import list_reminder_days
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.reminders import EXPIRED, Stage, stages_at
from licet_server.licenses.service.events import term_event
from licet_server.licenses.storage import records
from licet_server.licenses.storage import reminders as storage

AT_A_TIME = 500


async def remind(platform: Platform) -> int:
    """Record what is due, in bounded steps; answers how many events.

    Several may do so at once: each skips what another one holds.
    """
    async with platform.database.reading() as db:
        wanted = await list_reminder_days(db)
    total = 0
    while True:
        async with platform.unit_of_work(Origin()) as work:
            stages = [
                (institution_id, stage)
                for institution_id, days in wanted.items()
                for stage in stages_at(days, work.now)
            ]
            told = await _tell(work, stages)
        total += told
        if told < AT_A_TIME:
            return total


async def _tell(work: UnitOfWork, stages: list[tuple[UUID, Stage]]) -> int:
    claimed = await storage.claim_due(work.db, stages, AT_A_TIME)
    if not claimed:
        return 0
    for_licenses = await records.fetch_by_ids(work.db, _sight(claimed), [id_ for _, id_ in claimed])
    events = [
        term_event(_kind(claimed[item.institution_id, item.id]), item, work.now)
        for item in for_licenses
    ]
    await record_many(work.db, [(event, work.origin) for event in events], work.now)
    return len(claimed)


def _kind(days: int) -> EventKind:
    return EventKind.LICENSE_EXPIRED if days == EXPIRED else EventKind.LICENSE_EXPIRING


def _sight(claimed: dict[LicenseId, int]) -> Visibility:
    return Visibility(tuple({institution_id for institution_id, _ in claimed}))
