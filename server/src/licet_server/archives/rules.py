"""Archives, and the rules of which rows are due for one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from licet_server.events.rules.personal_data import Traces

ROWS_PER_ARCHIVE = 5_000
"""The maximum of most archives, which a process creates between requests."""

LONGEST_WAIT = timedelta(days=31)
"""How much longer a few rows stay in their table, so that archives are not tiny."""


class ArchiveKind(StrEnum):
    """The table that the rows of an archive come from."""

    ACCESS_ATTEMPTS = "AccessAttempts"
    EVENTS = "Events"
    LEDGER = "Ledger"
    SESSIONS = "Sessions"


EVIDENCE = frozenset({ArchiveKind.EVENTS})
"""The kinds that outlive their institution, as their rows do."""


@dataclass(frozen=True, slots=True)
class ArchivedRow:
    """A row that is being archived.

    Its source removes it by `key`. `line` is the row as JSON, and `number` its position in the
    audit log, which only events have.
    """

    key: tuple[Any, ...]
    at: datetime
    line: str
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A file with rows of an institution, one line of JSON each, compressed with gzip.

    Archives of one kind are numbered from 1. `sha256` and `size` (in bytes) are those of the
    compressed file. `first_number` and `last_number` are places in the audit log. `replaced_id` and
    `replaced_size` are those of an earlier file that is still to be deleted.
    """

    institution_id: UUID
    id: UUID
    kind: ArchiveKind
    number: int
    rows: int
    size: int
    sha256: bytes
    first_at: datetime
    last_at: datetime
    first_number: int | None
    last_number: int | None
    replaced_id: UUID | None = None
    replaced_size: int | None = None

    @property
    def data(self) -> Mapping[str, object]:
        """The data of the archive in the audit log."""
        return {
            "id": str(self.id),
            "kind": self.kind.value,
            "number": self.number,
            "rows": self.rows,
            "size": self.size,
            "sha256": self.sha256.hex(),
            "firstAt": self.first_at.isoformat(),
            "lastAt": self.last_at.isoformat(),
            "firstNumber": self.first_number,
            "lastNumber": self.last_number,
        }


@dataclass(frozen=True, slots=True)
class Horizon:
    """Rows from before `before` are due; those from before `overdue` even if there are few."""

    before: datetime
    overdue: datetime


def horizon(now: datetime, days: int) -> Horizon:
    """Return which rows are due if tables keep them for this number of days, by whole UTC days."""
    before = datetime.combine(now.date(), time(), now.tzinfo) - timedelta(days=days)
    return Horizon(before, before - LONGEST_WAIT)


@dataclass(frozen=True, slots=True)
class Erasure:
    """A person whom an institution has erased from its tables, with the traces of them."""

    institution_id: UUID
    id: UUID
    traces: Traces


LineEraser = Callable[[bytes], bytes]
"""Takes a row as a line of JSON; returns it without the person, unchanged if it does not name
them."""

Eraser = Callable[[Erasure, bytes], LineEraser]
"""Takes an erasure, and the secret of the chain that records these rows."""
