"""Records which foreign machines try to use node-locked licenses, and lets owners review them.

Nothing is decided here: an attempt changes no answer, no message and no binding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from licet_server.devices.rules.attempts import Sorted, Try, sort_out
from licet_server.devices.rules.model import AccessAttempt, DeviceKey
from licet_server.devices.rules.seats import NEW_ROWS_A_DAY
from licet_server.devices.service.events import attempt_event
from licet_server.devices.storage import attempts as storage
from licet_server.devices.storage import tallies
from licet_server.events.service.recording import record_batch
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.coalesce import Batching, Coalescer
from licet_server.kit.database import Connection, concerns_one_item
from licet_server.kit.errors import not_found
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading

Told = tuple[Try, Origin]


class AttemptRecorder:
    """Records tries; those that arrive together share one transaction, however many they are."""

    def __init__(self, platform: Platform, batching: Batching) -> None:
        self._platform = platform
        self._tries: Coalescer[Told, None] = Coalescer(
            self._record, max_batch=batching.max_batch, bisects=concerns_one_item
        )

    async def aclose(self) -> None:
        """Record what waits, then stop."""
        await self._tries.aclose()

    async def record(self, attempt: Try, origin: Origin) -> None:
        """Answers when the try is recorded for good."""
        await self._tries.submit((attempt, origin))

    async def _record(self, told: Sequence[Told]) -> list[None]:
        async with self._platform.database.transaction() as db:
            await _store(db, told, self._platform.clock())
        return [None] * len(told)


async def _store(db: Connection, told: Sequence[Told], now: datetime) -> None:
    wanted = {(item.institution_id, item.license_id) for item, _ in told}
    licenses = await reading.lock_terms(db, sorted(wanted))
    tries = [item for item, _ in told if item.license_id in licenses]
    if not tries:
        return  # the licenses were deleted meanwhile
    ids = {item.id: (item.institution_id, item.id) for item in licenses.values()}
    held = await tallies.hold_tallies(db, list(ids.values()), now.date())
    known = await storage.fetch_attempts(db, list({item.key for item in tries}))
    room = {license_id: NEW_ROWS_A_DAY - tally.new_rows for license_id, tally in held.items()}
    result = sort_out(tries, known, room, now)
    await storage.update_attempts(db, result.again)
    await storage.insert_attempts(db, result.new)
    await tallies.count_attempts(db, _counts(result, ids))
    origins = {item.key: origin for item, origin in told}
    await record_batch(
        db, [(attempt_event(item), origins[_key(item)]) for item in result.alerts], now
    )


def _counts(result: Sorted, ids: Mapping[UUID, LicenseId]) -> dict[LicenseId, tuple[int, int]]:
    made = [item.license_id for item in result.new]
    touched = {*made, *result.uncounted}
    return {
        ids[license_id]: (made.count(license_id), result.uncounted[license_id])
        for license_id in sorted(touched)
    }


def _key(item: AccessAttempt) -> DeviceKey:
    return (item.institution_id, item.license_id, item.attempted_hardware_id)


async def list_attempts(
    db: Connection, operator: Operator, license_id: UUID, paging: Paging
) -> Listing[AccessAttempt]:
    """The foreign machines of a license, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    return await storage.list_attempts(db, license_.institution_id, license_id, paging)


async def acknowledge_attempt(
    work: UnitOfWork, operator: Operator, license_id: UUID, attempt_id: UUID
) -> AccessAttempt:
    """Mark an attempt as reviewed; once more changes nothing.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.lock_license(work.db, operator, license_id)
    ids = (license_.institution_id, license_.id)
    await tallies.hold_tallies(work.db, [ids], work.now.date())
    found = await storage.fetch_attempt(work.db, *ids, attempt_id)
    if found is None:
        raise not_found("access attempt")
    if found.reviewed_at is not None:
        return found
    await storage.mark_reviewed(work.db, found, work.now)
    await tallies.count_review(work.db, ids)
    return replace(found, reviewed_at=work.now)
