"""Access attempts on node-locked licenses: recorded, and reviewed by operators.

Recording never affects a verdict, a message or a binding.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from licet_server.archives.rules import ArchivedRow, ArchiveKind, Erasure, LineEraser
from licet_server.archives.service.archiving import ArchiveSource, archive_rows
from licet_server.devices.rules.admission import MIN_NEW_ROWS_PER_DAY
from licet_server.devices.rules.attempts import AttemptChanges, Denial, merge_denials
from licet_server.devices.rules.model import AccessAttempt, DeviceKey
from licet_server.devices.service.events import attempt_event
from licet_server.devices.storage import attempts as storage
from licet_server.devices.storage import seats
from licet_server.devices.storage.attempts import (
    ACCESS_ATTEMPTS,
    LINES,
    delete_attempts,
    unseen_attempts,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_batch, record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading

_Report = tuple[Denial, Origin]


class AttemptRecorder:
    """Records denials; those that arrive together share one transaction."""

    def __init__(self, platform: Platform, batching: Batching) -> None:
        self._platform = platform
        self._reports: Coalescing[_Report, None] = batching.serial(
            "access_attempts", self._record, lambda report: report[0].institution_id
        )

    async def aclose(self) -> None:
        """Record what is queued, then stop."""
        await self._reports.aclose()

    async def record(self, denial: Denial, origin: Origin) -> None:
        """Record a denial. Returns once it is committed."""
        await self._reports.submit((denial, origin))

    async def _record(self, reports: Sequence[_Report]) -> list[None]:
        async with self._platform.database.transaction() as db:
            await _store(db, reports, self._platform.now(), self._platform.clock())
        return [None] * len(reports)


async def _store(
    db: Connection, reports: Sequence[_Report], now: datetime, present: datetime
) -> None:
    wanted = {(item.institution_id, item.license_id) for item, _ in reports}
    licenses = await reading.lock_terms(db, sorted(wanted))
    denials = [item for item, _ in reports if item.license_id in licenses]
    if not denials:
        return  # the licenses have been deleted
    ids = {item.id: (item.institution_id, item.id) for item in licenses.values()}
    counts = await seats.lock_counters(db, list(ids.values()), now.date())
    known = await storage.fetch_attempts(db, list({item.key for item in denials}))
    changes = merge_denials(
        denials,
        known=known,
        rows_left={key: MIN_NEW_ROWS_PER_DAY - item.new_rows for key, item in counts.items()},
        now=now,
        new_id=new_id,
    )
    await storage.update_attempts(db, changes.updated)
    await ACCESS_ATTEMPTS.insert_all(db, changes.new)
    await seats.add_attempts(db, _counts(changes, ids))
    detected = EventKind.ACCESS_ATTEMPT_DETECTED
    origins = {item.key: origin for item, origin in reports}
    await record_batch(
        db,
        [(attempt_event(detected, item), origins[_key(item)]) for item in changes.alerts],
        present,
    )


def _counts(
    changes: AttemptChanges, ids: Mapping[UUID, LicenseId]
) -> dict[LicenseId, tuple[int, int]]:
    new = [item.license_id for item in changes.new]
    return {
        ids[license_id]: (new.count(license_id), changes.uncounted[license_id])
        for license_id in sorted({*new, *changes.uncounted})
    }


def _key(item: AccessAttempt) -> DeviceKey:
    return (item.institution_id, item.license_id, item.attempted_hardware_id)


async def list_attempts(
    db: Connection, operator: Operator, license_id: UUID, paging: Paging
) -> Listing[AccessAttempt]:
    """List the access attempts of a license, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    return await ACCESS_ATTEMPTS.page(db, (license_.institution_id, license_.id), paging)


async def acknowledge_attempt(
    work: UnitOfWork, operator: Operator, license_id: UUID, attempt_id: UUID
) -> AccessAttempt:
    """Mark an attempt as reviewed. Idempotent.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    acknowledged = EventKind.ACCESS_ATTEMPT_ACKNOWLEDGED
    return await _mark(work, operator, license_id, attempt_id, acknowledged)


async def reopen_attempt(
    work: UnitOfWork, operator: Operator, license_id: UUID, attempt_id: UUID
) -> AccessAttempt:
    """Take back that an attempt was marked as reviewed. Idempotent.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    reopened = EventKind.ACCESS_ATTEMPT_REOPENED
    return await _mark(work, operator, license_id, attempt_id, reopened)


async def _mark(
    work: UnitOfWork, operator: Operator, license_id: UUID, attempt_id: UUID, kind: EventKind
) -> AccessAttempt:
    """Mark an attempt as the event says, and record the event if the mark is new."""
    license_ = await reading.lock_license(work.db, operator, license_id)
    ids = (license_.institution_id, license_.id)
    await seats.lock_counters(work.db, [ids], work.now.date())
    found = await ACCESS_ATTEMPTS.fetch(work.db, ids, attempt_id)
    if found is None:
        raise not_found("access attempt")
    is_reviewed = kind is EventKind.ACCESS_ATTEMPT_ACKNOWLEDGED
    if (found.reviewed_at is not None) is is_reviewed:
        return found
    marked = replace(found, reviewed_at=work.now if is_reviewed else None)
    await ACCESS_ATTEMPTS.save(work.db, marked)
    await seats.subtract_unreviewed(work.db, {ids: 1 if is_reviewed else -1})
    await record_events(work, [attempt_event(kind, marked)])
    return marked


async def _fetch(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivedRow]:
    found = await unseen_attempts.fetch(db, institution_id, before, limit)
    return [ArchivedRow((row.license_id, row.id), row.last_seen_at, row.line) for row in found]


async def _remove(db: Connection, institution_id: UUID, rows: Sequence[ArchivedRow]) -> list[str]:
    """Remove attempts under the lock of the counters, as recording and reviewing do."""
    license_ids = {(institution_id, row.key[0]) for row in rows}
    await seats.lock_existing(db, sorted(license_ids))
    gone = await delete_attempts(db, institution_id, [row.key[1] for row in rows])
    unreviewed = Counter(
        (institution_id, row.license_id) for row in gone if row.reviewed_at is None
    )
    await seats.subtract_unreviewed(db, unreviewed)
    return [row.line for row in gone]


def _eraser(erasure: Erasure, _secret: bytes) -> LineEraser:
    return LINES.eraser(erasure.traces.license_ids)


# Few at a time, since denials of the same licenses wait for the counters meanwhile.
ATTEMPTS = ArchiveSource(
    ArchiveKind.ACCESS_ATTEMPTS, 1_000, unseen_attempts.find_due, _fetch, _remove, _eraser
)


async def archive_attempts(platform: Platform) -> int:
    """Archive old access attempts; return how many."""
    return await archive_rows(platform, ATTEMPTS, platform.settings.keep_attempts)
