"""Verification of chains: every event that was changed, deleted, moved or cut off is reported.

Archives are verified, too: the events in them, and whether each is the one that the chain records.
"""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from licet_server.archives.rules import EVIDENCE, Archive, ArchiveKind
from licet_server.archives.service.events import read_events
from licet_server.archives.service.files import (
    ArchiveChanged,
    ArchiveMissing,
    find_next,
    list_archives,
    read_content,
)
from licet_server.audit.rules import (
    Breach,
    ChainHead,
    Finding,
    Inspection,
    breaches_of_archives,
    records_of,
)
from licet_server.events.rules.chain import Chain
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE, SealedEvent
from licet_server.events.service.sealing import open_secret
from licet_server.events.storage import chains as seals
from licet_server.events.storage.chains import fetch_chains, fetch_sealed
from licet_server.events.storage.reading import fetch_recorded, list_subjects
from licet_server.institutions.service.institutions import list_all_institution_ids
from licet_server.kit.platform import Platform

EVENTS_PER_STEP = 2_000
ARCHIVE_EVENTS = (EventKind.ARCHIVE_CREATED, EventKind.ARCHIVE_REWRITTEN)


@dataclass(slots=True)
class ChainWalk:
    """A walk along a chain.

    It collects what is wrong with its archives, what the events record about archives, which
    institutions those of the instance record as created, and from how many events a person was
    erased.
    """

    platform: Platform
    chain: Chain
    inspection: Inspection
    breaches: list[Breach] = field(default_factory=list)
    recorded: list[Mapping[str, Any]] = field(default_factory=list)
    created: set[UUID] = field(default_factory=set)
    erased: int = 0

    async def steps(self) -> AsyncIterator[int]:
        """Inspect the events of the chain up to its head, and yield how many, some at a time.

        Raises:
            FilesUnavailable: when the object store does not respond.
        """
        after = 0
        while after < self.chain.number:
            archive, events = await self._next(after)
            if archive is not None:
                after = archive.last_number or self.chain.number
                events = await self._read(archive)
            elif events:
                after = events[-1].seal_number or 0
            else:
                return
            for event in events:
                self._inspect(event)
            yield len(events)

    def _inspect(self, event: SealedEvent) -> None:
        if (event.seal_number or 0) > self.chain.number:
            return
        is_intact = self.inspection.check(event)
        self.erased += event.erasure is not None
        if is_intact and event.kind in ARCHIVE_EVENTS:
            self.recorded.append(event.data)
        if event.kind is EventKind.INSTITUTION_CREATED and event.institution_id == INSTANCE:
            self.created.add(event.subject_id)

    async def _next(self, after: int) -> tuple[Archive | None, list[SealedEvent]]:
        """Read from one snapshot, since events may move to an archive at any time."""
        chain = self.chain
        limit = min(EVENTS_PER_STEP, chain.number - after)
        async with self.platform.database.snapshot() as db:
            archive = await find_next(db, chain.institution_id, after)
            if archive is not None and (archive.first_number or 0) <= after + 1:
                limit = 1  # enough to find an event that is in the table as well
            events = await fetch_sealed(db, chain.institution_id, after, limit)
        if archive is None or not events:
            return archive, events
        first = events[0].seal_number or 0
        if first < (archive.first_number or 0):
            return None, [e for e in events if (e.seal_number or 0) < (archive.first_number or 0)]
        if first <= (archive.last_number or 0):
            self.breaches.append(Breach(chain.institution_id, Finding.RESTORED, first))
        return archive, events

    async def _read(self, archive: Archive) -> list[SealedEvent]:
        try:
            return await read_events(self.platform, archive)
        except ArchiveMissing:
            finding = Finding.ARCHIVE_MISSING
        except ArchiveChanged:
            finding = Finding.ARCHIVE_CHANGED
        breach = Breach(archive.institution_id, finding, archive.number, archive.kind)
        self.breaches.append(breach)
        return []


@dataclass(frozen=True, slots=True)
class Verification:
    """How many chains, events and archives were checked, and everything that is wrong.

    `erased` are the events from which a person was erased.
    """

    chains: int
    events: int
    erased: int
    archives: int
    breaches: list[Breach]


async def verify(
    platform: Platform, heads: Sequence[ChainHead], progress: Callable[[int, int], None]
) -> Verification:
    """Check every chain; `heads` are the heads that were anchored or logged outside the database.

    Events sealed in the meantime are not checked. `progress` is called with the number of events
    checked and the total.

    Raises:
        FilesUnavailable: when the object store does not respond.
    """
    async with platform.database.snapshot() as db:
        found = await fetch_chains(db)
        archives = {
            chain.institution_id: await list_archives(db, chain.institution_id)
            for chain, _ in found
        }
        existing = {INSTANCE, *await list_all_institution_ids(db)}
    total = sum(chain.number for chain, _ in found)
    breaches: list[Breach] = []
    created: set[UUID] = set()
    checked = erased = 0
    for chain, stored in found:
        secret = open_secret(platform.keyring, chain, stored)
        if secret is None:
            breaches.append(Breach(chain.institution_id, Finding.REPLACED, chain.number))
            continue
        known = [head for head in heads if head.institution_id == chain.institution_id]
        walk = ChainWalk(platform, chain, Inspection(chain, secret, known))
        async for count in walk.steps():
            checked += count
            progress(checked, max(checked, total))
        breaches += [*walk.inspection.finish(), *walk.breaches]
        created |= walk.created
        erased += walk.erased
        kinds = frozenset(ArchiveKind) if chain.institution_id in existing else EVIDENCE
        breaches += await _check_archives(
            platform, chain, archives[chain.institution_id], walk.recorded, kinds
        )
    chained = {chain.institution_id for chain, _ in found}
    expected = {*await _expected(platform, heads), *created}
    breaches += [
        Breach(institution_id, Finding.LOST, 1) for institution_id in sorted(expected - chained)
    ]
    return Verification(len(found), checked, erased, sum(map(len, archives.values())), breaches)


async def _check_archives(
    platform: Platform,
    chain: Chain,
    archives: Sequence[Archive],
    sealed: Sequence[Mapping[str, Any]],
    kinds: Collection[ArchiveKind],
) -> list[Breach]:
    """Check the archives of an institution; the events of the newest may not be sealed yet."""
    seen = {item["id"] for item in sealed}
    missing = [item.id for item in archives if str(item.id) not in seen]
    async with platform.database.reading() as db:
        unsealed = [
            event
            for kind in ARCHIVE_EVENTS
            for event in await fetch_recorded(db, chain.institution_id, kind, missing, chain.number)
        ]
    recorded = [*sealed, *records_of(unsealed)]
    breaches = breaches_of_archives(chain.institution_id, archives, recorded, kinds)
    for archive in archives:
        if archive.kind is ArchiveKind.EVENTS:
            continue  # read on the walk
        try:
            await read_content(platform, archive)
        except ArchiveMissing:
            finding = Finding.ARCHIVE_MISSING
        except ArchiveChanged:
            finding = Finding.ARCHIVE_CHANGED
        else:
            continue
        breaches.append(Breach(archive.institution_id, finding, archive.number, archive.kind))
    return breaches


async def _expected(platform: Platform, heads: Sequence[ChainHead]) -> set[UUID]:
    """Return who must have a chain: who exists, has sealed events, or was anchored."""
    async with platform.database.reading() as db:
        existing = await list_all_institution_ids(db)
        created = await list_subjects(db, INSTANCE, EventKind.INSTITUTION_CREATED)
        sealed = await seals.find_institutions(db, sealed=True)
    return {INSTANCE, *existing, *created, *sealed, *(head.institution_id for head in heads)}
