"""Heads of chains outside the database, and the findings of a verification."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

import msgspec

from licet_server.archives.rules import Archive, ArchiveKind
from licet_server.events.rules.chain import START, Chain, is_marked, is_sealed
from licet_server.events.rules.model import UNREADABLE, RecordedEvent, SealedEvent


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The head of a chain as it was anchored or logged at some time."""

    institution_id: UUID
    number: int
    seal: bytes


class Finding(StrEnum):
    """What is wrong with a chain or an archive."""

    CHANGED = "Changed"
    MISSING = "Missing"
    CUT = "Cut"
    HEAD_DIFFERS = "HeadDiffers"
    LOST = "Lost"
    REPLACED = "Replaced"
    RESTORED = "Restored"
    ARCHIVE_ADDED = "ArchiveAdded"
    ARCHIVE_CHANGED = "ArchiveChanged"
    ARCHIVE_MISSING = "ArchiveMissing"


@dataclass(frozen=True, slots=True)
class Breach:
    """Something wrong with the chain or an archive of an institution, and at which number.

    Archives are numbered by their kind.
    """

    institution_id: UUID
    finding: Finding
    number: int
    archive: ArchiveKind | None = None


@dataclass(slots=True)
class Inspection:
    """A walk along a chain from its start; `heads` are heads that were logged outside of it."""

    chain: Chain
    secret: bytes
    heads: Sequence[ChainHead] = ()
    number: int = 0
    seal: bytes = START
    breaches: list[Breach] = field(default_factory=list)

    def check(self, event: SealedEvent) -> bool:
        """Check the next event in the order of numbers; returns whether it is known to be intact.

        After a gap or a wrong seal the walk continues from the stored seal, so that each fault is
        reported once.
        """
        number, seal = event.seal_number or 0, event.seal or b""
        faults = len(self.breaches)
        if number != self.number + 1:
            self._report(Finding.MISSING, self.number + 1)
        elif not is_sealed(self.secret, self.seal, event):
            self._report(Finding.CHANGED, number)
        for head in self.heads:
            if head.number == number and head.seal != seal:
                self._report(Finding.HEAD_DIFFERS, number)
        self.number, self.seal = number, seal
        return len(self.breaches) == faults

    def finish(self) -> list[Breach]:
        """Check the head after the last event; returns everything that is wrong."""
        chain = self.chain
        at_head = (self.number, self.seal) == (chain.number, chain.seal)
        reaches_heads = all(head.number <= self.number for head in self.heads)
        if not (at_head and reaches_heads and is_marked(self.secret, chain)):
            self._report(Finding.CUT, self.number + 1)
        return self.breaches

    def _report(self, finding: Finding, number: int) -> None:
        self.breaches.append(Breach(self.chain.institution_id, finding, number))


class _Record(msgspec.Struct):
    id: UUID
    kind: ArchiveKind
    number: int


def records_of(events: Iterable[RecordedEvent]) -> list[Mapping[str, Any]]:
    """Return the data of events that tell of archives, without those that tell of none."""
    found = []
    for event in events:
        try:
            msgspec.convert(event.data, _Record)
        except UNREADABLE:
            continue
        found.append(event.data)
    return found


def breaches_of_archives(
    institution_id: UUID,
    archives: Sequence[Archive],
    recorded: Collection[Mapping[str, Any]],
    kinds: Collection[ArchiveKind],
) -> list[Breach]:
    """Return what is wrong with the rows of an institution's archives.

    `recorded` is the data of the events that record them. Archives of other kinds than `kinds` are
    gone with their institution.
    """
    stored = {(item.kind, item.number): item.data for item in archives}
    expected = {(ArchiveKind(item["kind"]), int(item["number"])): item for item in recorded}
    findings = {
        **dict.fromkeys(expected.keys() - stored.keys(), Finding.ARCHIVE_MISSING),
        **dict.fromkeys(stored.keys() - expected.keys(), Finding.ARCHIVE_ADDED),
        **{
            place: Finding.ARCHIVE_CHANGED
            for place in stored.keys() & expected.keys()
            if dict(stored[place]) != dict(expected[place])
        },
    }
    return [
        Breach(institution_id, finding, number, kind)
        for (kind, number), finding in sorted(findings.items())
        if kind in kinds
    ]
