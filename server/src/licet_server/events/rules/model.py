"""What an event is."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.events.rules.kinds import EventKind

Topic = tuple[UUID, str]
"""An institution, and what a rate-limited event is about, such as `sessions-full:<license>`."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in an institution.

    `data` is what subscribers receive; `changes` is what the audit log adds:
    `{field: [before, after]}`. Neither holds a secret.
    """

    kind: EventKind
    institution_id: UUID
    subject_id: UUID
    data: Mapping[str, object]
    product_id: UUID | None = None
    changes: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it was recorded. `data` is JSON text, in which amounts are exact."""

    institution_id: UUID
    id: UUID
    kind: EventKind
    occurred_at: datetime
    subject_id: UUID
    product_id: UUID | None
    data: str
