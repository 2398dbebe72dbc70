"""A walk along a chain from its start: first through archives, then the table."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from licet_server.archives.rules.model import Archive
from licet_server.archives.service.events import read_events
from licet_server.archives.service.files import ArchiveChanged, ArchiveMissing
from licet_server.archives.service.reading import find_next
from licet_server.audit.rules.inspection import Inspection
from licet_server.audit.rules.model import Breach, Finding
from licet_server.events.rules.chain import Chain
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE, SealedEvent
from licet_server.events.storage.seals import fetch_sealed
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
