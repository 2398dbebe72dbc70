"""Does one of the `ACTIONS` with many licenses, in one transaction.

The rules and the events of each license are those of the routes for a single one. The statements
are for all licenses together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.events.service.recording import record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import time_zones
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors
from licet_server.licenses.rules.model import License, LicenseFilter, LicenseStatus
from licet_server.licenses.rules.transitions import BulkAction, term_is_over
from licet_server.licenses.service.bulk_actions import ACTIONS, Choice, Moment
from licet_server.licenses.service.customers import refuse_unassociated
from licet_server.licenses.service.events import license_event
from licet_server.licenses.service.hooks import LicenseHooks, TermsChange, report_changes
from licet_server.licenses.storage import bulk as storage
from licet_server.licenses.storage import records

MOST_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkChange:
    """What to do with which licenses: those with these ids, or those that match the filter."""

    action: BulkAction
    choice: Choice
    ids: tuple[UUID, ...] = ()
    filters: LicenseFilter | None = None
    institution_id: UUID | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class BulkRefusal:
    """A license that stays as it is, and why."""

    license_id: UUID
    refused: Refused


@dataclass(slots=True)
class BulkOutcome:
    """The licenses that are as asked for, changed or not, and those that were refused.

    `changed` pairs each license that changes with what it becomes.
    """

    done: int = 0
    refused: list[BulkRefusal] = field(default_factory=list)
    changed: list[tuple[License, License]] = field(default_factory=list)


async def preview(
    db: Connection, operator: Operator, change: BulkChange, now: datetime
) -> BulkOutcome:
    """Return what the change would do at `now`; nothing is changed.

    Raises:
        Refused: `InvalidRequest` for a filter that matches too many licenses, `NotFound`,
            `Forbidden`.
    """
    ids = await _wanted(db, operator, change, now)
    found = list((await records.fetch_by_ids(db, operator.visibility, ids)).values())
    zones = await time_zones(db, {item.institution_id for item in found})
    chosen = await ACTIONS[change.action].find(db, operator, change.choice, now)
    outcome = _decide(operator, change, chosen, ids, found, zones, now)
    await _refuse_unassociated(db, outcome, now)
    return outcome


async def apply(
    work: UnitOfWork, operator: Operator, change: BulkChange, *, hooks: LicenseHooks
) -> BulkOutcome:
    """Change the licenses that allow it; the others are refused, each with its reason.

    Raises:
        Refused: `InvalidRequest` for a filter that matches too many licenses, `NotFound`,
            `Forbidden`.
    """
    ids = await _wanted(work.db, operator, change, work.now)
    found = await storage.lock_licenses(work.db, operator.visibility, ids)
    zones = await time_zones(work.db, {item.institution_id for item in found})
    action = ACTIONS[change.action]
    chosen = await action.find(work.db, operator, change.choice, work.now)
    outcome = _decide(operator, change, chosen, ids, found, zones, work.now)
    await _refuse_unassociated(work.db, outcome, work.now)
    await _end_sessions(work, outcome, hooks)
    await storage.update_fields(work.db, [after for _, after in outcome.changed], action.saves)
    await record_events(
        work,
        [
            license_event(kind, after, work.now, before=before, reason=reason)
            for before, after in outcome.changed
            for kind, reason in [action.event_of(chosen, before, after, change.reason)]
        ],
    )
    await report_changes(work, hooks, [TermsChange(*pair) for pair in outcome.changed])
    return outcome


async def _wanted(
    db: Connection, operator: Operator, change: BulkChange, now: datetime
) -> Sequence[UUID]:
    """Return the ids as given, once each; or those of the licenses that match the filter."""
    operator.authorized(None)
    if change.filters is None:
        return list(dict.fromkeys(change.ids))
    visibility = operator.visibility_of(change.institution_id)
    found = await storage.find_matching(db, visibility, change.filters, now, limit=MOST_AT_ONCE)
    if found.total > MOST_AT_ONCE:
        raise errors.too_many_licenses(found.total, MOST_AT_ONCE)
    return found.ids


def _decide(
    operator: Operator,
    change: BulkChange,
    chosen: Any,
    ids: Sequence[UUID],
    found: Sequence[License],
    zones: Mapping[UUID, tzinfo],
    now: datetime,
) -> BulkOutcome:
    by_id = {item.id: item for item in found}
    outcome = BulkOutcome()
    for license_id in ids:
        try:
            before = operator.found(by_id.get(license_id), "license")
            moment = Moment(before.instant(now), zones[before.institution_id])
            after = ACTIONS[change.action].rule(before, chosen, moment)
        except Refused as refused:
            outcome.refused.append(BulkRefusal(license_id, refused))
            continue
        outcome.done += 1
        if after is not before:
            outcome.changed.append((before, replace(after, updated_at=moment.now)))
    return outcome


async def _refuse_unassociated(db: Connection, outcome: BulkOutcome, now: datetime) -> None:
    """Refuse what would live longer without the association of its customer."""
    refused = await refuse_unassociated(db, outcome.changed, now)
    outcome.done -= len(refused)
    outcome.refused += [BulkRefusal(license_id, item) for license_id, item in refused.items()]
    outcome.changed = [pair for pair in outcome.changed if pair[1].id not in refused]


async def _end_sessions(work: UnitOfWork, outcome: BulkOutcome, hooks: LicenseHooks) -> None:
    """Report the licenses that were revoked, and those whose term had ended, or has again."""
    revoked = [
        after
        for before, after in outcome.changed
        if before.revoked_at is None and after.revoked_at is not None
    ]
    if revoked:
        await hooks.licenses_ended(work, revoked, LicenseStatus.REVOKED)
    over = [
        before if term_is_over(before, work.now) else after
        for before, after in outcome.changed
        if term_is_over(before, work.now) != term_is_over(after, work.now)
    ]
    if over:
        await hooks.licenses_ended(work, over, LicenseStatus.EXPIRED)
