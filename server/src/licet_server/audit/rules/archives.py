"""Comparison of archives with what the audit log records about them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec

from licet_server.archives.rules.model import Archive, ArchiveKind
from licet_server.audit.rules.model import Breach, Finding
from licet_server.events.rules.model import UNREADABLE, RecordedEvent


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
