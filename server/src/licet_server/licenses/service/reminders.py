"""Records events about terms that end soon, end with a grace or have ended for good, once each.

Each license stores its last reminder with the end of the term it was about. So a renewed license
starts over, and neither downtime nor a clock that is set back repeats a reminder.
"""

from datetime import datetime

from licet_server.catalog.reading import clocked_institutions
from licet_server.catalog.rules.clocks import Clocked
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.institutions.service.operators import list_reminder_days
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId, LicenseStatus
from licet_server.licenses.rules.reminders import EXPIRED, stages_at
from licet_server.licenses.service.events import term_event
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.storage import records
from licet_server.licenses.storage import reminders as storage

BATCH_SIZE = 500


async def remind_of_expiry(
    platform: Platform, hooks: LicenseHooks, clocked: Clocked | None = None
) -> int:
    """Record the reminders that are due, in bounded steps; return how many.

    Those of a product that goes by its clock, or of all that go by the present. Licenses whose term
    has ended are reported to `hooks` in the same transaction. Several processes may run at once:
    each skips the rows that another one has locked.
    """
    async with platform.database.reading() as db:
        wanted = await list_reminder_days(db)
        others = await clocked_institutions(db)
    if clocked is not None:
        wanted = {clocked.institution_id: wanted.get(clocked.institution_id, ())}
    total = 0
    while True:
        async with platform.unit_of_work(Origin()) as work:
            stages = [
                (institution_id, stage)
                for institution_id, days in wanted.items()
                for stage in stages_at(days, work.now)
            ]
            product_id = None if clocked is None else clocked.product_id
            claimed = await storage.claim_due(work.db, stages, BATCH_SIZE, others, product_id)
            await _record(work, claimed, hooks)
        total += len(claimed)
        if len(claimed) < BATCH_SIZE:
            return total


async def next_reminder(db: Connection, clocked: Clocked) -> datetime | None:
    """Return when a reminder of the product is due next, or the end of a term or its grace."""
    wanted = await list_reminder_days(db)
    return await storage.fetch_next_due(db, clocked, wanted.get(clocked.institution_id, ()))


async def _record(work: UnitOfWork, claimed: dict[LicenseId, int], hooks: LicenseHooks) -> None:
    if not claimed:
        return
    found = await records.fetch_by_ids(
        work.db, _visibility_of(claimed), [id_ for _, id_ in claimed]
    )
    # A license in its fallback has not expired, and goes on.
    due = [item for item in found.values() if not item.in_fallback(work.now)]
    events = [
        term_event(_kind(claimed[item.institution_id, item.id]), item, work.now) for item in due
    ]
    await record_events(work, events)
    expired = [item for item in due if claimed[item.institution_id, item.id] == EXPIRED]
    await hooks.licenses_ended(work, expired, LicenseStatus.EXPIRED)


def _kind(days: int) -> EventKind:
    return EventKind.LICENSE_EXPIRED if days == EXPIRED else EventKind.LICENSE_EXPIRING


def _visibility_of(claimed: dict[LicenseId, int]) -> Visibility:
    return Visibility(tuple({institution_id for institution_id, _ in claimed}))
