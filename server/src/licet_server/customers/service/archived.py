"""Erasure of personal data from archives, once it was erased from the tables.

Archived events may record more about a person than those in the table: former addresses, and
licenses that were deleted. That is searched for first, in tables and archives.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from anyio import to_thread
from msgspec.structs import replace as changed_to

from licet_server.archives.rules import ArchiveKind, Erasure
from licet_server.archives.service import erasing, files
from licet_server.archives.service.archiving import ArchiveSource
from licet_server.archives.service.events import event_of
from licet_server.archives.service.files import ArchiveChanged, ArchiveMissing
from licet_server.customers.rules.personal_data import DataSubject, KnownAs, addresses_in, known_as
from licet_server.customers.service.hooks import PersonalDataOfFeatures
from licet_server.customers.service.personal_data import ADDRESS_EVENTS, erase_rows_about
from licet_server.customers.storage import fetch_taken
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.personal_data import Traces
from licet_server.events.service.personal_data import erase_events_about, find_deleted_licenses
from licet_server.institutions.storage import personal_data as institutions
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

_WORDS = tuple(f'"{kind}"'.encode() for kind in (*ADDRESS_EVENTS, EventKind.LICENSE_DELETED))


@dataclass(slots=True)
class _Recorded:
    """What events record: addresses of customers, and who deleted licenses were issued to."""

    customers: list[tuple[UUID, list[KnownAs]]] = field(default_factory=list)
    deleted: list[tuple[UUID, str]] = field(default_factory=list)

    def add(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            if not any(word in line for word in _WORDS):
                continue
            event = event_of(line)
            if event.kind in ADDRESS_EVENTS:
                self.customers.append((event.subject_id, known_as(event.data)))
            elif event.kind is EventKind.LICENSE_DELETED:
                receiver = str(event.data.get("issuedTo")).lower()
                self.deleted.append((event.subject_id, receiver))


async def erase_archived(
    platform: Platform, *, sources: Sequence[ArchiveSource], data: PersonalDataOfFeatures
) -> int:
    """Erase everybody from archives who was erased from the tables; returns how many are done.

    Raises:
        ArchiveMissing, ArchiveChanged: at the end, if one cannot be read; the next run tries again.
        FilesUnavailable: when the object store does not respond.
    """
    done = 0
    unreadable: ArchiveMissing | ArchiveChanged | None = None
    for erasure in await erasing.list_erasures(platform):
        extended = await _extend(platform, erasure, data)
        try:
            done += await erasing.erase(platform, extended, sources)
        except (ArchiveMissing, ArchiveChanged) as fault:
            unreadable = fault
    if unreadable is not None:
        raise unreadable
    return done


async def _extend(platform: Platform, erasure: Erasure, data: PersonalDataOfFeatures) -> Erasure:
    """Find what else leads to the person, and erase that from the tables."""
    recorded = await _read(platform, erasure.institution_id)
    traces = _joined(erasure.traces, recorded)
    async with platform.database.reading() as db:
        traces = await _without_others(db, erasure, traces)
        deleted = await find_deleted_licenses(db, erasure.institution_id, _receivers(traces))
    traces = changed_to(
        traces, license_ids=traces.license_ids.union(_deleted(recorded, traces), deleted)
    )
    if traces == erasure.traces:
        return erasure
    extended = replace(erasure, traces=traces)
    found = _beyond(traces, erasure.traces)
    async with platform.unit_of_work(Origin()) as work:
        if not await erasing.claim_erasure(work, erasure):
            return extended
        changed = await erase_events_about(work, erasure.institution_id, found)
        subject = DataSubject(
            institution_id=erasure.institution_id,
            customer_ids=found.subject_ids,
            addresses=found.addresses,
            claimed=found.addresses,
            license_ids=found.license_ids,
            event_ids=changed.ids,
        )
        await erase_rows_about(work, subject, data)
        await erasing.extend_erasure(work, extended)
    return extended


async def _read(platform: Platform, institution_id: UUID) -> _Recorded:
    recorded = _Recorded()
    async with platform.database.reading() as db:
        archives = await files.list_archives(db, institution_id, ArchiveKind.EVENTS)
    for archive in archives:
        try:
            lines = await files.read_lines(platform, archive)
            await to_thread.run_sync(recorded.add, lines)
        except (ArchiveMissing, ArchiveChanged):
            continue  # reported when the person is to be erased from it
    return recorded


def _joined(traces: Traces, recorded: _Recorded) -> Traces:
    subject_ids, emails = set(traces.subject_ids), set(traces.addresses)
    size = 0
    while size != len(subject_ids):
        size = len(subject_ids)
        known = [
            item
            for subject, items in recorded.customers
            if subject in subject_ids
            for item in items
        ]
        subject_ids |= {item.id for item in known}
        emails |= addresses_in(item.email for item in known)
    return changed_to(traces, subject_ids=frozenset(subject_ids), addresses=frozenset(emails))


async def _without_others(db: Connection, erasure: Erasure, traces: Traces) -> Traces:
    """Leave out the addresses that members or other customers of the institution have now."""
    found = traces.addresses - erasure.traces.addresses
    members = await institutions.fetch_member_emails(db, erasure.institution_id)
    taken = await fetch_taken(db, erasure.institution_id, found, traces.subject_ids)
    return changed_to(traces, addresses=traces.addresses - (found & (members | taken)))


def _deleted(recorded: _Recorded, traces: Traces) -> set[UUID]:
    receivers = _receivers(traces)
    return {license_id for license_id, receiver in recorded.deleted if receiver in receivers}


def _receivers(traces: Traces) -> set[str]:
    """Return what licenses of the person are issued to, in lower case."""
    return {*addresses_in(traces.addresses), *map(str, traces.user_ids)}


def _beyond(traces: Traces, known: Traces) -> Traces:
    return Traces(
        license_ids=traces.license_ids - known.license_ids,
        subject_ids=traces.subject_ids - known.subject_ids,
        user_ids=frozenset(),
        addresses=traces.addresses - known.addresses,
    )
