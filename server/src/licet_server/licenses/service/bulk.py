"""Suspends, reinstates, revokes, restores, extends or tags many licenses in one transaction.

The rules and the events of each license are those of the routes for a single one. The statements
are for all licenses together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from uuid import UUID

from msgspec.structs import replace

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import time_zones
from licet_server.kit.database import Connection
from licet_server.kit.dates import instant_of
from licet_server.kit.errors import Refused
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors
from licet_server.licenses.rules import transitions
from licet_server.licenses.rules.model import License, LicenseFilter, LicenseStatus
from licet_server.licenses.rules.transitions import BulkAction
from licet_server.licenses.service.customers import refuse_unassociated
from licet_server.licenses.service.events import license_event
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.storage import bulk as storage
from licet_server.licenses.storage import records

MOST_AT_ONCE = 1_000

_KINDS: Mapping[BulkAction, EventKind] = {
    BulkAction.SUSPEND: EventKind.LICENSE_SUSPENDED,
    BulkAction.REINSTATE: EventKind.LICENSE_REINSTATED,
    BulkAction.REVOKE: EventKind.LICENSE_REVOKED,
    BulkAction.RESTORE: EventKind.LICENSE_RESTORED,
    BulkAction.EXTEND: EventKind.LICENSE_RENEWED,
    BulkAction.ADD_TAG: EventKind.LICENSE_UPDATED,
    BulkAction.REMOVE_TAG: EventKind.LICENSE_UPDATED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkChange:
    """What to do with which licenses: those with these ids, or those that match the filter.

    To extend takes either the new end of the term or a number of days.
    """

    action: BulkAction
    ids: tuple[UUID, ...] = ()
    filters: LicenseFilter | None = None
    institution_id: UUID | None = None
    reason: str | None = None
    expiration_date: date | None = None
    days: int | None = None
    tag: str = ""


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
    found = await records.fetch_by_ids(db, operator.visibility, list(ids))
    zones = await time_zones(db, {item.institution_id for item in found})
    outcome = _decide(operator, change, ids, found, zones, now)
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
    outcome = _decide(operator, change, ids, found, zones, work.now)
    await _refuse_unassociated(work.db, outcome, work.now)
    await _end_sessions(work, change.action, outcome, hooks)
    await storage.update_states(work.db, [after for _, after in outcome.changed])
    await record_events(work, [_event(change, *pair, work.now) for pair in outcome.changed])
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
            after = _after(change, before, zones, now)
        except Refused as refused:
            outcome.refused.append(BulkRefusal(license_id, refused))
            continue
        outcome.done += 1
        if after is not before:
            outcome.changed.append((before, replace(after, updated_at=now)))
    return outcome


async def _refuse_unassociated(db: Connection, outcome: BulkOutcome, now: datetime) -> None:
    """Refuse what would live longer without the association of its customer."""
    refused = await refuse_unassociated(db, outcome.changed, now)
    outcome.done -= len(refused)
    outcome.refused += [BulkRefusal(license_id, item) for license_id, item in refused.items()]
    outcome.changed = [pair for pair in outcome.changed if pair[1].id not in refused]


def _after(
    change: BulkChange, license_: License, zones: Mapping[UUID, tzinfo], now: datetime
) -> License:
    match change.action:
        case BulkAction.SUSPEND:
            return transitions.suspended(license_, now)
        case BulkAction.REINSTATE:
            return transitions.reinstated(license_)
        case BulkAction.REVOKE:
            return transitions.revoked(license_, now)
        case BulkAction.RESTORE:
            return transitions.restored(license_, now)
        case BulkAction.EXTEND:
            return _extended(change, license_, zones, now)
        case BulkAction.ADD_TAG | BulkAction.REMOVE_TAG:
            return _TAGGING[change.action](license_, change.tag)


_TAGGING: Mapping[BulkAction, Callable[[License, str], License]] = {
    BulkAction.ADD_TAG: transitions.tagged,
    BulkAction.REMOVE_TAG: transitions.untagged,
}


def _extended(
    change: BulkChange, license_: License, zones: Mapping[UUID, tzinfo], now: datetime
) -> License:
    if change.expiration_date is None:
        return transitions.extended_by(license_, change.days or 0, now)
    end = instant_of(change.expiration_date, zones[license_.institution_id])
    return transitions.extended_to(license_, end)


async def _end_sessions(
    work: UnitOfWork, action: BulkAction, outcome: BulkOutcome, hooks: LicenseHooks
) -> None:
    """Report the licenses that were revoked, and those whose term had ended and begins again."""
    if action is BulkAction.REVOKE:
        revoked = [after for _, after in outcome.changed]
        await hooks.licenses_ended(work, revoked, LicenseStatus.REVOKED)
    elif action is BulkAction.EXTEND:
        over = [item for item, _ in outcome.changed if transitions.term_is_over(item, work.now)]
        await hooks.licenses_ended(work, over, LicenseStatus.EXPIRED)


def _event(change: BulkChange, before: License, after: License, now: datetime) -> Event:
    return license_event(_KINDS[change.action], after, now, before=before, reason=change.reason)
