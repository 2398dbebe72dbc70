"""Heads of chains outside the database, and the findings of a verification."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from licet_server.archives.rules.model import ArchiveKind


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
