"""Archives the events of the audit log."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from anyio import to_thread

from licet_server.archives import rules
from licet_server.archives.rules import (
    ROWS_PER_ARCHIVE,
    Archive,
    ArchivedRow,
    ArchiveKind,
    LineEraser,
)
from licet_server.archives.service.archiving import ArchiveSource, archive_rows
from licet_server.archives.service.files import ArchiveChanged, read_lines
from licet_server.events.rules.chain import without
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE, UNREADABLE, Erasure, SealedEvent
from licet_server.events.rules.personal_data import naming, personal_leaves
from licet_server.events.storage import chains as events
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform


async def _fetch(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivedRow]:
    found = await events.fetch_oldest(db, institution_id, before, limit)
    return [ArchivedRow((item.number,), item.at, item.line, item.number) for item in found]


async def _remove(db: Connection, institution_id: UUID, rows: Sequence[ArchivedRow]) -> list[str]:
    return await events.remove(db, institution_id, [number for row in rows for number in row.key])


class _Row(msgspec.Struct, kw_only=True):
    """A row of `events` in an archive."""

    institution_id: UUID
    id: UUID
    kind: EventKind
    occurred_at: datetime
    subject_id: UUID
    subject_name: str | None
    license_id: UUID | None
    product_id: UUID | None
    data: msgspec.Raw
    changes: msgspec.Raw
    actor_kind: str
    actor_id: UUID | None
    actor_name: str | None
    ip_address: str | None
    request_id: str | None
    seal_number: int
    seal: str
    salt: str | None = None
    erasure: Erasure | None = None


_decoder = msgspec.json.Decoder(_Row)
_WRITTEN = {"data", "changes", "seal", "salt"}
"""Fields that the row has in another form than the event."""


async def read_events(platform: Platform, archive: Archive) -> list[SealedEvent]:
    """Read the events of an archive, in the order of the chain.

    Raises:
        ArchiveMissing, ArchiveChanged, FilesUnavailable: when its file cannot be read.
    """
    lines = await read_lines(platform, archive)
    return await to_thread.run_sync(lambda: [event_of(line) for line in lines])


def event_of(line: bytes) -> SealedEvent:
    """Return the event of a line.

    Raises:
        ArchiveChanged: when it is none that the service wrote.
    """
    try:
        return _event_of(line)
    except UNREADABLE:
        raise ArchiveChanged("A line of an archive is not an event.") from None


def _event_of(line: bytes) -> SealedEvent:
    row = _decoder.decode(line)
    values = {name: getattr(row, name) for name in row.__struct_fields__ if name not in _WRITTEN}
    changes = bytes(row.changes).decode()
    return SealedEvent(
        **values,
        data_json=bytes(row.data).decode(),
        changes_json=None if changes == "null" else changes,
        seal=_bytes(row.seal),
        salt=None if row.salt is None else _bytes(row.salt),
    )


def _bytes(written: str) -> bytes:
    return bytes.fromhex(written.removeprefix("\\x"))


def _eraser(erasure: rules.Erasure, secret: bytes) -> LineEraser:
    may_name = naming(erasure.traces)

    def erase(line: bytes) -> bytes:
        if not may_name(line.decode()):
            return line
        event = event_of(line)
        if not _is_of(erasure.institution_id, event):
            return line
        names = personal_leaves(event, erasure.traces)
        return _line(line, without(secret, event, names)) if names else line

    return erase


def _is_of(institution_id: UUID, event: SealedEvent) -> bool:
    """Check whether an event belongs to an institution, or to the instance and is about it."""
    if event.institution_id != INSTANCE:
        return event.institution_id == institution_id
    return event.data.get("institutionId") == str(institution_id)


def _line(line: bytes, left: SealedEvent) -> bytes:
    """Return the line of an event after an erasure."""
    texts = {
        "subject_name": left.subject_name,
        "actor_name": left.actor_name,
        "ip_address": left.ip_address,
        "salt": None if left.salt is None else f"\\x{left.salt.hex()}",
        "erasure": left.erasure,
    }
    written = {name: msgspec.Raw(msgspec.json.encode(value)) for name, value in texts.items()}
    written["data"] = msgspec.Raw(left.data_json.encode())
    written["changes"] = msgspec.Raw((left.changes_json or "null").encode())
    return msgspec.json.encode(_columns.decode(line) | written)


_columns = msgspec.json.Decoder(dict[str, msgspec.Raw])

EVENTS = ArchiveSource(
    ArchiveKind.EVENTS, ROWS_PER_ARCHIVE, events.find_due, _fetch, _remove, _eraser
)


async def archive_events(platform: Platform) -> int:
    """Archive old events of the audit log; return how many."""
    return await archive_rows(platform, EVENTS, platform.settings.keep_events)
