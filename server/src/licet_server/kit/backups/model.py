"""What backups are made of, and the names of segments of the WAL: pure functions."""

import re
from collections.abc import Sequence
from datetime import datetime

import msgspec


class BackupError(Exception):
    """A backup cannot be taken, read or restored."""


class BackupMissing(BackupError):
    """A part of a backup does not exist."""


class BackupChanged(BackupError):
    """A part of a backup is not what was stored, or is sealed under another master key."""


SEGMENT_BYTES = 16 * 1024 * 1024

_SEGMENT = re.compile(r"[0-9A-F]{24}")
_SEGMENTS_PER_FILE_NUMBER = 0x1_0000_0000 // SEGMENT_BYTES


class BaseBackup(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of a cluster. With the WAL from `last_segment` on, any later time can be restored."""

    id: str
    series: str
    major: int
    """The major version of PostgreSQL."""
    started_at: datetime
    finished_at: datetime
    last_segment: str
    """The segment in which the copy ended. The backup has the beginning of it."""
    parts: dict[str, int]
    """The files of the backup, and of how many objects each consists."""
    size: int
    """Bytes, compressed."""


def is_segment(name: str) -> bool:
    """Return whether this is the name of a whole segment, and not of a history or a part of one."""
    return _SEGMENT.fullmatch(name) is not None


def segment_of(timeline: int, position: str) -> str:
    """Return the segment with the byte before a position such as `1/2A000028`."""
    high, _, low = position.partition("/")
    number = ((int(high, 16) << 32) + int(low, 16) - 1) // SEGMENT_BYTES
    return _name(timeline, number)


def segment_after(segment: str) -> str:
    """Return the name of the next segment of the same timeline."""
    number = int(segment[8:16], 16) * _SEGMENTS_PER_FILE_NUMBER + int(segment[16:], 16)
    return _name(int(segment[:8], 16), number + 1)


def unbroken(first: str, segments: Sequence[str]) -> list[str]:
    """Return `first` and the segments that follow it, up to the first that is missing.

    `segments` are sorted.
    """
    found: list[str] = []
    expected = first
    for segment in segments:
        if segment < first:
            continue
        if segment != expected:
            break
        found.append(segment)
        expected = segment_after(segment)
    return found


def newest_before(backups: Sequence[BaseBackup], at: datetime | None) -> BaseBackup | None:
    """Return the newest backup that was finished at `at` or before; without a time, the newest."""
    suitable = [item for item in backups if at is None or item.finished_at <= at]
    return max(suitable, key=lambda item: item.finished_at, default=None)


def kept(backups: Sequence[BaseBackup], since: datetime) -> list[BaseBackup]:
    """Return the backups with which any time from `since` on can be restored."""
    oldest = newest_before(backups, since)
    return [item for item in backups if item.finished_at > since or item == oldest]


def _name(timeline: int, number: int) -> str:
    high, low = divmod(number, _SEGMENTS_PER_FILE_NUMBER)
    return f"{timeline:08X}{high:08X}{low:08X}"
