"""Stops licenses as they were before, where a reinstatement or a restoration is taken back.

Finds what an earlier request did to many licenses, so that it can be undone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.events.storage.reading import (
    fetch_latest,
    fetch_latest_before,
    fetch_of_request,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors
from licet_server.licenses.rules import transitions
from licet_server.licenses.rules.model import License, LicenseStatus
from licet_server.licenses.rules.undoing import UNDOABLE
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.service.lifecycle import save_change
from licet_server.licenses.service.reading import lock_license


@dataclass(frozen=True, slots=True)
class _Stop:
    """Since when a license was stopped, and why."""

    since: datetime
    reason: str | None


async def suspend_again(work: UnitOfWork, operator: Operator, license_id: UUID) -> License:
    """Take back that a license was reinstated; one that is suspended is unchanged.

    It is suspended since when it was, and for the reason that was given then.

    Raises:
        Refused: `Conflict` for a revoked license, and for one that was not reinstated within the
            last 24 hours.
    """
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    transitions.require_not_revoked(current)
    if current.suspended_at is not None:
        return current
    ended, kind = EventKind.LICENSE_REINSTATED, EventKind.LICENSE_SUSPENDED
    stop = await _stop_before(work, current, ended, kind, "suspendedAt")
    if stop is None:
        raise errors.not_reinstated_lately()
    changed = transitions.suspended(current, stop.since)
    return await save_change(work, kind, current, changed, stop.reason)


async def revoke_again(
    work: UnitOfWork, operator: Operator, license_id: UUID, *, hooks: LicenseHooks
) -> License:
    """Take back that a license was restored; one that is revoked is unchanged.

    It is revoked since when it was, so that it can be restored no longer than before, and for the
    reason that was given then.

    Raises:
        Refused: `Conflict` for a license that was not restored within the last 24 hours.
    """
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    if current.revoked_at is not None:
        return current
    ended, kind = EventKind.LICENSE_RESTORED, EventKind.LICENSE_REVOKED
    stop = await _stop_before(work, current, ended, kind, "revokedAt")
    if stop is None:
        raise errors.not_restored_lately()
    changed = transitions.revoked(current, stop.since)
    await hooks.licenses_ended(work, [changed], LicenseStatus.REVOKED)
    return await save_change(work, kind, current, changed, stop.reason)


@dataclass(frozen=True, slots=True)
class RequestDone:
    """What a request did to each license, and why those were stopped that it let work again."""

    events: Mapping[UUID, RecordedEvent]
    reasons: Mapping[UUID, str | None]


_STOPPED_BY = {
    EventKind.LICENSE_REINSTATED: EventKind.LICENSE_SUSPENDED,
    EventKind.LICENSE_RESTORED: EventKind.LICENSE_REVOKED,
}


async def find_done(
    db: Connection, operator: Operator, request_id: str, now: datetime
) -> RequestDone:
    """Find what a request of the last 24 hours did that can be undone.

    Raises:
        Refused: `InvalidRequest` if it did nothing of the kind to what the operator sees.
    """
    since = now - transitions.RESTORABLE_FOR
    found = await fetch_of_request(db, operator.visibility, request_id, UNDOABLE, since)
    if not found:
        raise bad_field("requestId", "names no change of the last 24 hours that can be undone.")
    ended = [(item, _STOPPED_BY[item.kind]) for item in found if item.kind in _STOPPED_BY]
    stops = await fetch_latest_before(db, ended) if ended else {}
    return RequestDone(
        {item.subject_id: item for item in found},
        {item.subject_id: stops[item.id].data.get("reason") for item in found if item.id in stops},
    )


async def _stop_before(
    work: UnitOfWork, license_: License, ended: EventKind, stopped: EventKind, field: str
) -> _Stop | None:
    """Find the stop that the latest event of the kind `ended` ended, unless that is long ago.

    `field` is what the two events changed.
    """
    ids = (license_.institution_id, license_.id)
    end = await fetch_latest(work.db, *ids, ended)
    if end is None or work.recorded_at - end.occurred_at > transitions.RESTORABLE_FOR:
        return None
    since, _ = (end.changes or {}).get(field) or (None, None)
    if since is None:
        return None
    stop = await fetch_latest(work.db, *ids, stopped, before=end.id)
    reason = None if stop is None else stop.data.get("reason")
    return _Stop(msgspec.convert(since, datetime), reason)
